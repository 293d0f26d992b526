import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Connection } from '../../server/db/database.ts';
import { runningEmbeddedPostgres, startEmbeddedPostgres } from '../../server/db/embedded-postgres.ts';

const ROOT = join(import.meta.dirname, '../..');
/** A first start makes a database, which takes a while beside other tests. */
const READY_LIMIT_MS = 60_000;

/** One `formstead serve`, as an operator would run it. */
export interface ServiceProcess {
  child: ChildProcess;
  pid: number;
  /** Its address; empty without the role `http`. */
  url: string;
  /** Sends the signal; resolves with the exit code when the process has ended (null: ended by the signal). */
  end(signal: NodeJS.Signals): Promise<number | null>;
  isRunning(): boolean;
  /** Resident memory in bytes. */
  memory(): Promise<number>;
  /** Its output and log so far. */
  output(): string;
}

interface StartOptions {
  env?: Record<string, string>;
  /** Arguments before the script, such as `--import` and `--max-old-space-size`. */
  nodeArguments?: string[];
  /** The folder of another checkout to run. */
  root?: string;
  /** Run by `sh` before the service takes its place, such as `ulimit -n 64`. */
  before?: string;
}

/** A data directory with all processes started on it. */
export interface Installation {
  dataDir: string;
  start(options?: StartOptions): Promise<ServiceProcess>;
  /** Runs a command other than `serve` to its end. */
  run(command: string[], options?: StartOptions): Promise<{ code: number | null; output: string }>;
  /** Like `start`, without waiting until it is ready. */
  spawn(command: string[], options?: StartOptions): ChildProcess & { text(): string };
  /** To the embedded PostgreSQL, while it runs. */
  connection(): Promise<Connection>;
  /** Kills all remaining processes and removes the directory. */
  remove(): Promise<void>;
}

/** An empty installation; it uses the embedded PostgreSQL unless `env` has a DATABASE_URL. */
export async function install(env: Record<string, string> = {}): Promise<Installation> {
  const dataDir = await mkdtemp(join(tmpdir(), 'formstead-fault-'));
  const children = new Set<ChildProcess>();

  function spawnCommand(command: string[], options: StartOptions = {}) {
    const { nodeArguments = [], before, root = ROOT } = options;
    const full = [process.execPath, ...nodeArguments, join(root, 'server/cli/main.ts'), ...command];
    const [program = '', ...args] =
      before === undefined ? full : ['sh', '-c', `${before}; exec "$@"`, 'sh', ...full];
    const child = spawn(program, args, {
      // Not the whole environment: the test runner sets variables of its own.
      env: {
        PATH: process.env.PATH,
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        DATA_DIR: dataDir,
        PORT: '0',
        REGISTRATION: 'open',
        RATE_LIMITS: 'off',
        LOG_LEVEL: 'warn',
        EXPORT_SYNC_LIMIT: '1000000',
        ...env,
        ...options.env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.add(child);
    child.once('exit', () => children.delete(child));
    let text = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
    return Object.assign(child, { text: () => text });
  }

  return {
    dataDir,
    spawn: spawnCommand,
    async start(options) {
      const child = spawnCommand(['serve'], options);
      const url = await ready(child);
      return {
        child,
        pid: child.pid ?? 0,
        url,
        end: (signal) => end(child, signal),
        isRunning: () => child.exitCode === null && child.signalCode === null,
        memory: () => residentBytes(child.pid ?? 0),
        output: child.text,
      };
    },
    async run(command, options) {
      const child = spawnCommand(command, options);
      const [code] = await once(child, 'close');
      return { code, output: child.text() };
    },
    async connection() {
      const connection = await runningEmbeddedPostgres(dataDir);
      if (!connection) throw new Error('The embedded PostgreSQL does not run.');
      return connection;
    },
    async remove() {
      await Promise.all([...children].map((child) => end(child, 'SIGKILL')));
      // The embedded PostgreSQL outlives its service, so it is taken over and stopped.
      if (env.DATABASE_URL === undefined && (await runningEmbeddedPostgres(dataDir)))
        await (await startEmbeddedPostgres(dataDir)).stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function ready(child: ChildProcess & { text(): string }): Promise<string> {
  const deadline = performance.now() + READY_LIMIT_MS;
  while (performance.now() < deadline) {
    const [, url] = /ready (?:at (http:\/\/\S+)|as a worker)/.exec(child.text()) ?? [];
    if (child.text().includes('Formstead is ready')) return url ?? '';
    if (child.exitCode !== null || child.signalCode !== null) break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`The service did not become ready: ${child.text()}`);
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const exit = once(child, 'exit');
    child.kill(signal);
    // A stopped process does not react even to SIGTERM.
    if (signal !== 'SIGSTOP') child.kill('SIGCONT');
    await exit;
  }
  return child.exitCode;
}

/** Works on Linux only. */
async function residentBytes(pid: number): Promise<number> {
  const [, kibibytes] = /VmRSS:\s+(\d+) kB/.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kibibytes) * 1024;
}
