import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, open, readFile, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { hasCode, nullWhenMissing } from '../file-system.ts';
import { type ClusterPlace, DATABASE_NAME } from './embedded-cluster.ts';
import { EmbeddedPostgresError } from './embedded-error.ts';
import { inspectProcess, isRunning, workingDirectory } from './processes.ts';

export interface EmbeddedConnection {
  /** The directory of the Unix socket. */
  host: string;
  port: number;
  user: 'formstead';
  database: 'formstead';
  /** Set, because otherwise PGSSLMODE, which is meant for other servers, would apply. */
  ssl: false;
}

const PORT = 5432;
const POLL_MS = 20;
/** During a long recovery the server is asked less and less often, because PostgreSQL logs each attempt to connect. */
const SLOWEST_POLL_MS = 500;
/** A server that has not opened its socket after this time never will: even a recovery begins after that. */
const SOCKET_LIMIT_MS = 30_000;
/** The processes of a killed server need a moment to notice it, to end, and to be collected. */
const LEFTOVER_LIMIT_MS = 5_000;
/** A fast shutdown writes a checkpoint. After this time PostgreSQL is stopped without one, and the next start recovers. */
const FAST_STOP_LIMIT_MS = 60_000;
/** For one attempt to connect. */
const CONNECT_LIMIT_MS = 5_000;
/** When several create the database at the same time, all but the first get one of these SQLSTATEs. */
const BEING_CREATED = ['23505', '42P04', '55006'];
const LOG_LIMIT_BYTES = 10 * 1024 * 1024;
const RECOVERY_NOTICE_MS = 5_000;

const SETTINGS = {
  // Only the private socket is used: the bundled OpenSSL is too old to listen on a network.
  listen_addresses: '',
  unix_socket_permissions: '0700',
  // Each process of the service needs 31, and there may be eight processes.
  max_connections: '300',
  shared_buffers: '256MB',
  // Bounds the recovery after a crash to about five seconds.
  max_wal_size: '1GB',
  // Below this size log files are reused. Making new ones would hold up every commit for some 50 ms.
  min_wal_size: '768MB',
  log_checkpoints: 'off',
  // The details of errors may quote answers of respondents, which do not belong in a log.
  log_error_verbosity: 'terse',
  log_timezone: 'UTC',
  timezone: 'UTC',
};

/** Starts the server and waits until it answers; the cluster must exist, and no server may run on it. */
export async function startServer(
  place: ClusterPlace,
  postgres: string,
  tell: (line: string) => void,
): Promise<{ connection: EmbeddedConnection; pid: number }> {
  const connection = connectionIn(place.socketDirectory);
  await boundLog(place);
  const deadline = Date.now() + LEFTOVER_LIMIT_MS;
  for (;;) {
    const logStart = (await stat(place.logFile).catch(() => null))?.size ?? 0;
    const child = await spawnServer(place, postgres);
    const { pid } = child;
    const isAlive = () => child.exitCode === null && child.signalCode === null;
    let answers = false;
    try {
      answers = pid !== undefined && (await answersWhile(connection, isAlive, tell));
    } finally {
      // Also after an error, as when a full disk has no room for the database itself.
      if (!answers && isAlive()) await end(child);
    }
    if (pid !== undefined && answers) return { connection, pid };
    const output = await readFrom(place.logFile, logStart);
    const leftover = /lock file ".*" already exists|pre-existing shared memory block/.test(output);
    if (!leftover || Date.now() > deadline) throw new Error(output || `see ${place.logFile}`);
    await sleep(POLL_MS * 5);
  }
}

async function end(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit');
  child.ref();
  child.kill('SIGQUIT');
  await exit;
}

async function spawnServer(place: ClusterPlace, postgres: string): Promise<ChildProcess> {
  // Quoted, because the setting is a list of directories separated by commas.
  const socketDirectories = `"${place.socketDirectory.replaceAll('"', '""')}"`;
  const settings = Object.entries({ ...SETTINGS, unix_socket_directories: socketDirectories });
  const logFile = await open(place.logFile, 'a', 0o600);
  try {
    const child = spawn(
      postgres,
      [
        '-D',
        place.cluster,
        '-p',
        String(PORT),
        ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      ],
      {
        ...place.user,
        cwd: place.home,
        env: { LC_ALL: 'C', TZ: 'UTC' },
        // A process group of its own: Ctrl-C in the terminal must reach only the service, which stops PostgreSQL last.
        detached: true,
        stdio: ['ignore', logFile.fd, logFile.fd],
      },
    );
    await once(child, 'spawn');
    child.unref();
    return child;
  } finally {
    await logFile.close();
  }
}

/** Waits for an answer while the server is alive and makes progress. False when it ended or stays silent. */
async function answersWhile(
  connection: EmbeddedConnection,
  isAlive: () => boolean,
  tell: (line: string) => void,
): Promise<boolean> {
  const started = Date.now();
  let silentUntil = started + SOCKET_LIMIT_MS;
  let noticed = false;
  let pause = POLL_MS;
  while (isAlive() && Date.now() < silentUntil) {
    const answer = await ask(connection);
    if (answer === 'ready') return true;
    if (answer === 'busy') silentUntil = Date.now() + SOCKET_LIMIT_MS;
    if (!noticed && Date.now() - started > RECOVERY_NOTICE_MS) {
      tell('PostgreSQL is recovering from an interruption …');
      noticed = true;
    }
    await sleep(pause);
    pause = Math.min(pause * 1.2, SLOWEST_POLL_MS);
  }
  return false;
}

/** `busy`: it is starting, recovering or stopping. The database is created when the server is ready but lacks it. */
async function ask(connection: EmbeddedConnection): Promise<'ready' | 'busy' | 'silent'> {
  try {
    await runOn(connection, DATABASE_NAME, 'select 1');
    return 'ready';
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === '57P03') return 'busy';
    if (code === '53300') return 'ready';
    if (code !== '3D000') return 'silent';
  }
  try {
    await runOn(connection, 'postgres', `create database ${DATABASE_NAME}`);
    return 'ready';
  } catch (error) {
    // A command that runs while the service starts for the first time may be creating it too.
    if (BEING_CREATED.some((code) => hasCode(error, code))) return 'busy';
    throw error;
  }
}

async function runOn(connection: EmbeddedConnection, database: string, sql: string): Promise<void> {
  const client = new pg.Client({
    ...connection,
    database,
    connectionTimeoutMillis: CONNECT_LIMIT_MS,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/**
 * Finds the server that a killed service left behind, and waits until it answers. If the pid in the pid file now belongs to
 * another program, the file is removed so that PostgreSQL can start. If it belongs to none, PostgreSQL removes the file
 * itself, after checking its shared memory.
 */
export async function findSurvivor(
  place: ClusterPlace,
  tell: (line: string) => void,
): Promise<{ connection: EmbeddedConnection; pid: number } | null> {
  const running = await readPidFile(place);
  if (!running) return null;
  const { pid, connection } = running;
  if (isPostmaster(pid, place.cluster)) {
    if (await answersWhile(connection, () => isPostmaster(pid, place.cluster), tell))
      return { connection, pid };
    if (isPostmaster(pid, place.cluster)) {
      throw new EmbeddedPostgresError(
        `The PostgreSQL of ${place.dataDir} (pid ${pid}) is still running but does not answer: run "kill -INT ${pid}" and start again.`,
      );
    }
  }
  // Killed, but not yet collected by its parent: PostgreSQL would take the zombie for a running server.
  const deadline = Date.now() + LEFTOVER_LIMIT_MS;
  while (inspectProcess(pid)?.zombie && Date.now() < deadline) await sleep(POLL_MS);
  if (inspectProcess(pid) !== null) await rm(pidFile(place), { force: true });
  return null;
}

/** The connection of the server that runs in this place and answers, or null. */
export async function findRunning(place: ClusterPlace): Promise<EmbeddedConnection | null> {
  const running = await readPidFile(place);
  if (!running || !isPostmaster(running.pid, place.cluster)) return null;
  return (await ask(running.connection)) === 'ready' ? running.connection : null;
}

function isPostmaster(pid: number, cluster: string): boolean {
  const facts = inspectProcess(pid);
  if (!facts || facts.zombie || facts.name !== 'postgres') return false;
  // The postmaster works inside its cluster; another PostgreSQL may have been given the pid meanwhile.
  const directory = workingDirectory(pid);
  return directory === null || directory === cluster;
}

interface PidFile {
  pid: number;
  connection: EmbeddedConnection;
  isStopping: boolean;
}

/** The lines of postmaster.pid: pid, cluster, start time, port, first socket directory, address, shared memory, state. */
async function readPidFile(place: ClusterPlace): Promise<PidFile | null> {
  const text = await readFile(pidFile(place), 'utf8').catch(nullWhenMissing);
  if (text === null) return null;
  const lines = text.split('\n');
  const pid = Number(lines[0]);
  if (!Number.isSafeInteger(pid) || pid <= 0) return null;
  const connection = connectionIn(lines[4] || place.socketDirectory);
  return { pid, connection, isStopping: lines[7]?.trim() === 'stopping' };
}

function pidFile(place: ClusterPlace): string {
  return join(place.cluster, 'postmaster.pid');
}

function connectionIn(socketDirectory: string): EmbeddedConnection {
  return { host: socketDirectory, port: PORT, user: DATABASE_NAME, database: DATABASE_NAME, ssl: false };
}

/** Ends the connections, writes a checkpoint and waits until the server is gone. */
export async function stopServer(pid: number): Promise<void> {
  signal(pid, 'SIGINT');
  if (await gone(pid, FAST_STOP_LIMIT_MS)) return;
  signal(pid, 'SIGQUIT');
  if (await gone(pid, LEFTOVER_LIMIT_MS)) return;
  throw new EmbeddedPostgresError(`PostgreSQL (pid ${pid}) does not stop.`);
}

/**
 * Ends a shutdown that somebody else began with SIGTERM: PostgreSQL takes no new connections then, but waits for its clients to
 * leave, and a service never does.
 */
export async function finishShutdown(place: ClusterPlace, pid: number): Promise<void> {
  const running = await readPidFile(place);
  if (running?.pid === pid && running.isStopping) signal(pid, 'SIGINT');
}

async function gone(pid: number, limitMs: number): Promise<boolean> {
  const deadline = Date.now() + limitMs;
  while (isRunning(pid)) {
    if (Date.now() > deadline) return false;
    await sleep(POLL_MS);
  }
  return true;
}

function signal(pid: number, name: 'SIGINT' | 'SIGQUIT'): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (!hasCode(error, 'ESRCH')) throw error;
  }
}

/** Begins the log anew when it is long. A running server keeps the same file open and appends at its new end. */
export async function boundLog({ logFile }: ClusterPlace): Promise<void> {
  const found = await stat(logFile).catch(() => null);
  if (!found || found.size <= LOG_LIMIT_BYTES) return;
  await copyFile(logFile, `${logFile}.old`);
  await truncate(logFile);
}

async function readFrom(file: string, start: number): Promise<string> {
  const content = await readFile(file).catch(() => Buffer.alloc(0));
  return content.subarray(start).toString('utf8').trim();
}
