import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { getCompileCacheDir } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { ABILITIES } from '../access/abilities.ts';
import { issueToken } from '../access/issue-token.ts';
import { createAccount } from '../accounts/register-account.ts';
import { SYSTEM } from '../audit/actor.ts';
import { CommandError } from '../cli/command.ts';
import { type Connection, type Database, type Db, openDatabase } from '../db/database.ts';
import { runningEmbeddedPostgres } from '../db/embedded-postgres.ts';
import { type Api, openApi } from './api.ts';
import { createScratchDatabase } from './queries.ts';

/** A separate installation that is removed in the end. */
export interface Scratch {
  isEmbedded: boolean;
  /** The service with these roles, in one process or several; started unless it runs already. */
  serve(roles: Roles, processes?: number): Promise<RunningService>;
  stopService(): Promise<void>;
  /** Connection to the database; valid once a service has run. */
  connection(): Connection;
  db(): Db;
  /** Stops the service and removes everything. */
  remove(): Promise<void>;
}

type Roles = 'http' | 'http,worker';

export interface RunningService {
  url: string;
  pid: number;
  /** Milliseconds from the start of its process to its ready line. */
  readyAfter: number;
  api: Api;
}

interface StartedService {
  child: ChildProcess;
  /** Its roles, and how many processes. */
  kind: string;
  running: Promise<RunningService>;
}

const MAIN = join(import.meta.dirname, '../cli/main.ts');
const POOL_SIZE = 2;
const READY_LINE = /ready at (http:\S+)/;

/** @param directory for the data @param databaseUrl a PostgreSQL to use instead of the embedded one */
export async function createScratch(directory: string, databaseUrl: string | null): Promise<Scratch> {
  const dataDir = await mkdtemp(join(directory, 'formstead-bench-'));
  const name = `formstead_bench_${randomBytes(6).toString('hex')}`;
  const removeData = () => rm(dataDir, { recursive: true, force: true });
  const own =
    databaseUrl === null
      ? null
      : await createScratchDatabase(databaseUrl, name).catch(async (error) => {
          await removeData();
          throw error;
        });
  let service: StartedService | null = null;
  let stopping: Promise<void> = Promise.resolve();
  let database: { connection: Connection; opened: Database; token: string } | null = null;
  let isRemoved = false;

  function start(roles: Roles, processes: number): ChildProcess {
    if (isRemoved) throw new CommandError('The benchmark was stopped.');
    // With the options and cache of this command, which are those of `npm start`.
    const cache = getCompileCacheDir();
    return spawn(process.execPath, [...process.execArgv, MAIN, 'serve', '--processes', String(processes)], {
      // The service inherits no environment, DATABASE_URL least of all.
      env: {
        HOST: '127.0.0.1',
        PORT: '0',
        DATA_DIR: dataDir,
        TMPDIR: tmpdir(),
        ROLES: roles,
        RATE_LIMITS: 'off',
        LOG_LEVEL: 'error',
        MALLOC_ARENA_MAX: '2',
        ...(cache !== undefined && { NODE_COMPILE_CACHE: dirname(cache) }),
        ...(own && { DATABASE_URL: own.url }),
      },
      // In its own process group: Ctrl-C in the terminal must reach only the benchmark, which stops the service.
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  }

  async function whenReady(child: ChildProcess): Promise<RunningService> {
    const startedAt = performance.now();
    const url = await readUrl(child);
    const readyAfter = performance.now() - startedAt;
    database ??= await openAccount(own ? { connectionString: own.url } : await embedded());
    return { url, pid: child.pid ?? 0, readyAfter, api: await openApi(url, database.token) };
  }

  async function embedded(): Promise<Connection> {
    const connection = await runningEmbeddedPostgres(dataDir);
    if (!connection) throw new CommandError('The embedded PostgreSQL does not answer.');
    return connection;
  }

  /** Resolves when no service runs, even one that another caller is stopping. */
  function stopService(): Promise<void> {
    if (service) stopping = Promise.all([stopping, stop(service)]).then(() => {});
    service = null;
    return stopping;
  }

  async function stop({ child, running }: StartedService): Promise<void> {
    await running.then(({ api }) => api.close()).catch(() => {});
    if (child.exitCode === null && child.signalCode === null && child.kill('SIGTERM'))
      await once(child, 'exit');
  }

  function opened() {
    if (!database) throw new CommandError('The service has not run yet.');
    return database;
  }

  return {
    isEmbedded: databaseUrl === null,
    async serve(roles, processes = 1) {
      const kind = `${roles} ${processes}`;
      if (service?.kind !== kind) {
        await stopService();
        const child = start(roles, processes);
        service = { child, kind, running: whenReady(child) };
      }
      return service.running;
    },
    stopService,
    connection: () => opened().connection,
    db: () => opened().opened.db,
    async remove() {
      isRemoved = true;
      await stopService();
      await database?.opened.close().catch(() => {});
      await own?.drop();
      await removeData();
    },
  };
}

async function readUrl(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new CommandError('The service has no output.');
  for await (const line of createInterface({ input: child.stdout })) {
    const url = READY_LINE.exec(line)?.[1];
    if (url === undefined) continue;
    child.stdout.resume();
    return url;
  }
  throw new CommandError('The service ended before it was ready.');
}

async function openAccount(connection: Connection) {
  const opened = openDatabase(connection, () => {}, POOL_SIZE);
  const email = 'bench@example.com';
  const person = { name: 'Benchmark', email, password: randomUUID() };
  const { id: userId } = await createAccount(opened.db, person, SYSTEM);
  const wanted = { userId, name: 'Benchmark', abilities: [...ABILITIES], expiresAt: null };
  const { token } = await issueToken(opened.db, wanted, SYSTEM);
  return { connection, opened, token };
}
