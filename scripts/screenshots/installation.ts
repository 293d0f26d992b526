import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { runningEmbeddedPostgres } from '../../server/db/embedded-postgres.ts';

/** The address shown in the pictures; the browser is told which address it stands for. */
export const PUBLIC_ADDRESS = 'http://forms.example.org';

export type Roles = 'http' | 'http,worker';

/** A separate installation with empty data, which is deleted at the end. */
export interface Installation {
  /**
   * Starts the service, or restarts it with other roles.
   * @returns its address
   */
  serve(roles: Roles): Promise<URL>;
  /** Runs a statement for what the API cannot do: making events older. */
  // biome-ignore lint/suspicious/noExplicitAny: whoever asks knows the columns
  sql(statement: string, values?: unknown[]): Promise<any[]>;
  remove(): Promise<void>;
}

const ROOT = join(import.meta.dirname, '../..');
const READY_LINE = /ready at /;

export async function openInstallation(): Promise<Installation> {
  const dataDir = await mkdtemp(join(tmpdir(), 'formstead-pictures-'));
  let service: ChildProcess | null = null;

  async function stop(): Promise<void> {
    if (!service) return;
    const exited = service.exitCode === null ? once(service, 'exit') : null;
    service.kill('SIGTERM');
    service = null;
    await exited;
  }

  return {
    async serve(roles) {
      await stop();
      const port = await freePort();
      // Without the settings in the environment.
      const { PATH, HOME, TMPDIR } = process.env;
      const env = {
        PATH,
        HOME,
        TMPDIR,
        DATA_DIR: dataDir,
        HOST: '127.0.0.1',
        PORT: String(port),
        BASE_URL: PUBLIC_ADDRESS,
        ROLES: roles,
        RATE_LIMITS: 'off',
        LOG_LEVEL: 'warn',
      };
      const stdio = ['ignore', 'pipe', 'inherit'] as const;
      service = spawn(process.execPath, ['server/cli/main.ts', 'serve'], {
        cwd: ROOT,
        env,
        stdio: [...stdio],
      });
      await whenReady(service);
      return new URL(`http://127.0.0.1:${port}`);
    },
    async sql(statement, values = []) {
      const connection = await runningEmbeddedPostgres(dataDir);
      if (!connection) throw new Error('The database does not answer.');
      const client = new pg.Client(connection);
      await client.connect();
      try {
        return (await client.query(statement, values)).rows;
      } finally {
        await client.end();
      }
    },
    async remove() {
      await stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function whenReady(service: ChildProcess): Promise<void> {
  if (!service.stdout) throw new Error('The service has no output.');
  for await (const line of createInterface({ input: service.stdout })) {
    if (!READY_LINE.test(line)) continue;
    service.stdout.resume();
    return;
  }
  throw new Error('The service ended before it was ready.');
}

/** When ready the service prints its public address, not its port, so the port is chosen here. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
