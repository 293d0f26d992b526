import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { preparePostgresBinaries } from '../../server/db/embedded-binaries.ts';
import { until } from '../setup/until.ts';

/** `nobody`: PostgreSQL refuses to run as root. */
export const UNPRIVILEGED = { uid: 65_534, gid: 65_534 };
const PORT = 5432;

/** A new PostgreSQL that tests may damage. The service signs in as `app`, who is no superuser. */
export interface Cluster {
  folder: string;
  /** For DATABASE_URL. */
  url: string;
  /** To the same database, as superuser. */
  connection: pg.ClientConfig;
  start(): Promise<void>;
  /** SIGQUIT is `pg_ctl stop -m immediate`; SIGINT is a fast and clean stop. */
  stop(signal: 'SIGQUIT' | 'SIGINT'): Promise<void>;
  /** SIGKILL for the server and all its processes at once. */
  killAll(): Promise<void>;
  /** The pids of the postmaster and all its processes. */
  processes(): number[];
  signalAll(signal: NodeJS.Signals): void;
  /** Runs one statement as superuser. */
  admin(sql: string, values?: unknown[]): Promise<any[]>;
  remove(): Promise<void>;
}

/**
 * @param settings of postgresql.conf
 * @param folder where the data goes; made and removed here unless it is given
 */
export async function startCluster(settings: Record<string, string> = {}, folder?: string): Promise<Cluster> {
  const place = folder ?? (await mkdtemp(join(tmpdir(), 'formstead-cluster-')));
  const identity = process.getuid?.() === 0 ? UNPRIVILEGED : null;
  const data = join(place, 'data');
  mkdirSync(data, { mode: 0o700 });
  if (identity) for (const path of [place, data]) chownSync(path, identity.uid, identity.gid);
  const binaries = await preparePostgresBinaries(place, identity);
  const initdb = ['-D', data, '-U', 'postgres', '--auth=trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
  execFileSync(binaries.initdb, initdb, { ...identity, cwd: place, stdio: 'pipe' });
  const all: Record<string, string> = { listen_addresses: '', unix_socket_directories: place, ...settings };
  const args = ['-D', data, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
  const connection = { host: place, port: PORT, user: 'postgres', database: 'formstead' };
  let server = undefined as unknown as ChildProcess;

  async function start(): Promise<void> {
    await until(
      async () => {
        if (server === undefined || server.exitCode !== null || server.signalCode !== null)
          server = spawn(binaries.postgres, args, { ...identity, cwd: place, stdio: 'ignore' });
        return answers({ ...connection, database: 'postgres' });
      },
      { withinMs: 30_000, what: 'a PostgreSQL that answers' },
    );
  }

  function processes(): number[] {
    return [server.pid ?? 0, ...childrenOf(server.pid ?? 0)];
  }

  async function gone(): Promise<void> {
    if (server.exitCode === null && server.signalCode === null) await once(server, 'exit');
  }

  const cluster: Cluster = {
    folder: place,
    url: `postgres://app@localhost:${PORT}/formstead?host=${encodeURIComponent(place)}`,
    connection,
    start,
    processes,
    async stop(signal) {
      server.kill(signal);
      await gone();
    },
    async killAll() {
      cluster.signalAll('SIGKILL');
      await gone();
      await rm(join(data, 'postmaster.pid'), { force: true });
    },
    signalAll(signal) {
      for (const pid of processes())
        try {
          process.kill(pid, signal);
        } catch {
          // The process has just ended.
        }
    },
    admin: (sql, values) => runOnce(connection, sql, values),
    async remove() {
      cluster.signalAll('SIGKILL');
      await gone();
      if (folder === undefined) await rm(place, { recursive: true, force: true });
    },
  };
  await start();
  const first = { ...connection, database: 'postgres' };
  await runOnce(first, 'create role app login');
  await runOnce(first, 'create database formstead owner app');
  return cluster;
}

async function runOnce(connection: pg.ClientConfig, sql: string, values?: unknown[]): Promise<any[]> {
  const client = new pg.Client(connection);
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(sql, values)).rows;
  } finally {
    await client.end();
  }
}

async function answers(connection: pg.ClientConfig): Promise<boolean> {
  return runOnce(connection, 'select 1').then(
    () => true,
    () => false,
  );
}

/** The direct children; the processes of PostgreSQL have no children of their own. */
export function childrenOf(parent: number): number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return Number(fields[1]) === parent ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
}
