import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, rmdir, stat, unlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasCode, makeDirectory, nullWhenMissing } from '../file-system.ts';
import { inspectProcess, isRunning } from './processes.ts';

export interface DataDirectoryLock {
  release(): Promise<void>;
}

/** Another service holds the data directory; the message is one plain line. */
export class DataDirectoryInUseError extends Error {
  override name = 'DataDirectoryInUseError';
  readonly pid: number;

  constructor(pid: number, dataDir: string) {
    super(`Another Formstead (pid ${pid}) is running on ${dataDir}.`);
    this.pid = pid;
  }
}

const FILE_NAME = 'formstead.pid';
const RETRY_MS = 20;
/** Taking over a stale lock is a matter of milliseconds: whoever takes longer was killed in the middle. */
const TAKEOVER_LIMIT_MS = 10_000;

/**
 * Makes this process the one service of the data directory, which is created when missing. The lock of a process that
 * no longer runs is taken over, also when its pid meanwhile belongs to another process.
 * @throws DataDirectoryInUseError
 */
export async function acquireDataDirectoryLock(dataDir: string): Promise<DataDirectoryLock> {
  const directory = resolve(dataDir);
  await makeDirectory(directory);
  const file = join(directory, FILE_NAME);
  const ours = `${process.pid}\n${inspectProcess(process.pid)?.startedAt ?? ''}\n`;

  while (!(await createAtOnce(file, ours))) {
    const holder = await readHolder(file);
    if (holder?.runs) throw new DataDirectoryInUseError(holder.pid, directory);
    if (holder) await removeStale(file);
  }
  return {
    async release() {
      if ((await readFile(file, 'utf8').catch(() => '')) === ours) await unlink(file);
    },
  };
}

/** Creates the file with its content in one step, so that nobody ever reads half a lock; false when there is one. */
async function createAtOnce(file: string, content: string): Promise<boolean> {
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, content);
  try {
    await link(draft, file);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  } finally {
    await unlink(draft);
  }
}

async function readHolder(file: string): Promise<{ pid: number; runs: boolean } | null> {
  const content = await readFile(file, 'utf8').catch(nullWhenMissing);
  if (content === null) return null;
  const [pidText = '', startedAt] = content.split('\n');
  const pid = Number(pidText);
  if (!Number.isSafeInteger(pid) || pid <= 0 || !isRunning(pid)) return { pid, runs: false };
  const facts = inspectProcess(pid);
  return { pid, runs: facts === null || !startedAt || facts.startedAt === startedAt };
}

/**
 * Removes the lock if it is still stale. Only the one who made the takeover directory may: otherwise a slow process could remove
 * the fresh lock of a faster one.
 */
async function removeStale(file: string): Promise<void> {
  const takeover = `${file}.takeover`;
  try {
    await mkdir(takeover);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
    const since = await stat(takeover).then(
      (found) => found.mtimeMs,
      () => Date.now(),
    );
    if (Date.now() - since > TAKEOVER_LIMIT_MS) await rmdir(takeover).catch(() => undefined);
    await sleep(RETRY_MS);
    return;
  }
  try {
    if ((await readHolder(file))?.runs === false) await rm(file, { force: true });
  } finally {
    await rmdir(takeover).catch(() => undefined);
  }
}
