import pg from 'pg';
import { passesByItself, READ_ONLY } from './constraint-errors.ts';

interface Server {
  host: string;
  port: number;
}

/** Knows which of several servers takes writes, and which connections lead to each. */
export interface PrimaryFinder {
  /** @throws the error of one of the servers when none takes writes */
  find(): Promise<Server>;
  /** Registers a connection; `cut` is called as soon as another server is the primary. @returns to be called when it has ended */
  holds(server: Server, cut: (reason: Error) => void): () => void;
}

/** For a server to accept a connection, and again for its answer. Both together are less than a request waits for a connection. */
const PATIENCE_MS = 2_000;
/** A result is used again for this time, so that a pool which opens many connections asks only once. */
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

  /** Cuts connections to other servers: those to a server that vanished would otherwise never end. */
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

/** Asks all servers at once; the first that takes writes is the primary. */
async function searchAll(urls: readonly string[]): Promise<Server> {
  try {
    return await Promise.any(urls.map(askServer));
  } catch (error) {
    const { errors } = error as AggregateError;
    throw errors.find(passesByItself) ?? errors[0];
  }
}

/** @throws the error of the server, or `READ_ONLY` */
async function askServer(url: string): Promise<Server> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: PATIENCE_MS,
    query_timeout: PATIENCE_MS,
    application_name: 'formstead',
  });
  // Every failure is reported by the promises awaited below.
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
