import pg from 'pg';
import { passesByItself, READ_ONLY } from './constraint-errors.ts';

/** Where one server answers. */
export interface Server {
  host: string;
  port: number;
}

/** Knows which of several servers takes writes, and who is connected to it. */
export interface PrimaryFinder {
  /** @throws Error of one of them while there is none */
  find(): Promise<Server>;
  /** `cut` is called as soon as another server is found to be the primary. @returns to be called when the connection ended */
  holds(server: Server, cut: (reason: Error) => void): () => void;
}

/** For one server to accept a connection, and once more to answer. Together less than a request waits for a connection. */
const PATIENCE_MS = 2_000;
/** So long what was found is taken for granted, so that a pool which fills up asks once. */
const FRESH_MS = 200;

const finders = new Map<string, PrimaryFinder>();

/** All connections of this process to the same servers share one finder. */
export function primaryFinder(urls: readonly string[]): PrimaryFinder {
  const key = urls.join(' ');
  const finder = finders.get(key) ?? createPrimaryFinder(urls);
  finders.set(key, finder);
  return finder;
}

function createPrimaryFinder(urls: readonly string[]): PrimaryFinder {
  const connections = new Map<(reason: Error) => void, Server>();
  let search: Promise<Server> | null = null;

  function find(): Promise<Server> {
    search ??= searchAll(urls)
      .then(welcome)
      .finally(() => setTimeout(() => (search = null), FRESH_MS).unref());
    return search;
  }

  /** A server that vanished leaves connections behind which nobody ever ends. */
  function welcome(primary: Server): Server {
    for (const [cut, { host, port }] of connections)
      if (host !== primary.host || port !== primary.port)
        cut(new Error('Connection terminated: another server is the primary now'));
    return primary;
  }

  return {
    find,
    holds(server, cut) {
      connections.set(cut, server);
      return () => void connections.delete(cut);
    },
  };
}

/** Asks all servers at once; the first that takes writes is it. */
async function searchAll(urls: readonly string[]): Promise<Server> {
  try {
    return await Promise.any(urls.map(askServer));
  } catch (error) {
    const { errors } = error as AggregateError;
    throw errors.find(passesByItself) ?? errors[0];
  }
}

/** @throws Error of the server, or that it is read-only */
async function askServer(url: string): Promise<Server> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: PATIENCE_MS,
    query_timeout: PATIENCE_MS,
    application_name: 'formstead',
  });
  // Whatever breaks is told by what is awaited.
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ state: string }>(
      `select current_setting('transaction_read_only') as state`,
    );
    const { host, port } = client;
    if (rows[0]?.state === 'off') return { host, port };
    throw Object.assign(new Error(`${host}:${port} takes no writes`), { code: READ_ONLY });
  } finally {
    client.end().catch(() => {});
  }
}
