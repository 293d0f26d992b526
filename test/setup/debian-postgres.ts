import { execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';

const BINARIES = '/usr/lib/postgresql/15/bin';
/** `nobody`: PostgreSQL refuses to run as root. */
const UNPRIVILEGED = 65_534;

export function hasDebianPostgres(): boolean {
  return existsSync(`${BINARIES}/postgres`);
}

/** A temporary cluster of Debian's PostgreSQL 15, the oldest version Formstead supports. */
export async function startDebianPostgres(folder: string) {
  const isRoot = process.getuid?.() === 0;
  const identity = isRoot ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED } : {};
  const data = join(folder, 'data');
  mkdirSync(data, { mode: 0o700 });
  if (isRoot) for (const path of [folder, data]) chownSync(path, UNPRIVILEGED, UNPRIVILEGED);
  const initdb = [
    '-D',
    data,
    '-U',
    'formstead',
    '--auth=trust',
    '-E',
    'UTF8',
    '--locale=C.UTF-8',
    '--no-sync',
  ];
  execFileSync(`${BINARIES}/initdb`, initdb, { ...identity, stdio: 'pipe' });
  const options = ['-D', data, '-k', folder, '-c', 'listen_addresses=', '-c', 'max_connections=200'];
  const server = spawn(`${BINARIES}/postgres`, options, { ...identity, stdio: 'ignore' });
  const connection = { host: folder, port: 5432, user: 'formstead', database: 'postgres' };
  await untilReady(connection);
  return {
    connection,
    stop: () =>
      new Promise<void>((resolve) => {
        server.once('exit', () => resolve());
        server.kill('SIGINT');
      }),
  };
}

async function untilReady(connection: pg.ClientConfig): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const client = new pg.Client(connection);
    client.on('error', () => {});
    try {
      await client.connect();
      return await client.end();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  throw new Error('PostgreSQL 15 did not start.');
}
