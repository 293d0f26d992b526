import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

interface OwnService {
  url: string;
  /** Ends the service and removes its data. */
  stop(): Promise<void>;
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const READY_LINE = /ready at (http:\S+)/;

/** A service on a free port with an empty data directory. Settings of the surroundings do not reach it. */
export async function startOwnService(): Promise<OwnService> {
  const dataDir = await mkdtemp(join(tmpdir(), 'formstead-example-'));
  const { PATH, HOME, TMPDIR } = process.env;
  const service = spawn(process.execPath, ['server/cli/main.ts', 'serve'], {
    cwd: ROOT,
    env: { PATH, HOME, TMPDIR, HOST: '127.0.0.1', PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(service, 'exit');
  const stop = async () => {
    service.kill('SIGTERM');
    await exited;
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    return { url: await readUrl(service), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function readUrl(service: ChildProcess): Promise<string> {
  if (!service.stdout) throw new Error('The service has no output.');
  for await (const line of createInterface({ input: service.stdout })) {
    const url = READY_LINE.exec(line)?.[1];
    if (url) return url;
  }
  throw new Error('The service ended before it was ready.');
}
