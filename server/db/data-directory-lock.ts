import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { link, mkdir, readFile, rm, rmdir, stat, unlink, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasCode, makeDirectory, nullWhenMissing } from '../file-system.ts';
import { inspectProcess, isRunning } from './processes.ts';
import { fitsSocket } from './socket-path.ts';

interface DataDirectoryLock {
  release(): Promise<void>;
}

/** The lines of the lock file. */
interface Holder {
  pid: number;
  /** `ProcessFacts.startedAt` of the process; empty where the system does not tell. */
  startedAt: string;
  /** Name of the Unix socket beside the file, on which the holder listens; empty when there is none. */
  door: string;
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
const DOOR_NAME = /^formstead-[0-9a-f]{8}\.sock$/;
const RETRY_MS = 20;
/** Taking over a stale lock takes milliseconds: a process that takes longer than this was killed in the middle. */
const TAKEOVER_LIMIT_MS = 10_000;

/**
 * Makes this process the only service of the data directory, which is created when missing. The lock of a process that
 * no longer runs is taken over, also when its pid meanwhile belongs to another process. Containers that share the
 * directory do not see each other's pids; they find the holder by a Unix socket on which it listens there.
 * @throws DataDirectoryInUseError
 */
export async function acquireDataDirectoryLock(dataDir: string): Promise<DataDirectoryLock> {
  const directory = resolve(dataDir);
  await makeDirectory(directory);
  const file = join(directory, FILE_NAME);
  const door = await openDoor(directory);
  const ours = `${process.pid}\n${inspectProcess(process.pid)?.startedAt ?? ''}\n${door.name}\n`;
  try {
    while (!(await createAtOnce(file, ours))) {
      const holder = await readHolder(file);
      if (holder && (await runs(holder, directory))) throw new DataDirectoryInUseError(holder.pid, directory);
      if (holder) await removeStale(directory);
    }
  } catch (error) {
    door.close();
    throw error;
  }
  return {
    async release() {
      if ((await readFile(file, 'utf8').catch(() => '')) === ours) await unlink(file);
      door.close();
    },
  };
}

/** Listens on a socket in the directory for as long as this process lives. Its name is empty where that is not possible. */
async function openDoor(directory: string): Promise<{ name: string; close(): void }> {
  const name = `formstead-${randomUUID().slice(0, 8)}.sock`;
  const path = join(directory, name);
  if (!fitsSocket(path)) return { name: '', close() {} };
  const server = createServer((visitor) => visitor.destroy());
  server.unref();
  server.listen({ path, exclusive: true });
  try {
    await once(server, 'listening');
  } catch {
    // Not every file system has sockets.
    return { name: '', close() {} };
  }
  // An error while accepting a connection is harmless: the other process already knows that this one listens.
  server.on('error', () => {});
  return { name, close: () => void server.close() };
}

async function opens(path: string): Promise<boolean> {
  const visitor = connect({ path });
  return once(visitor, 'connect')
    .then(
      () => true,
      () => false,
    )
    .finally(() => visitor.destroy());
}

/** Creates the file with its content in one step, so that nobody ever reads half a lock. False when it exists already. */
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

async function readHolder(file: string): Promise<Holder | null> {
  const content = await readFile(file, 'utf8').catch(nullWhenMissing);
  if (content === null) return null;
  const [pid = '', startedAt = '', door = ''] = content.split('\n');
  return { pid: Number(pid), startedAt, door: DOOR_NAME.test(door) ? door : '' };
}

async function runs({ pid, startedAt, door }: Holder, directory: string): Promise<boolean> {
  if (door !== '' && (await opens(join(directory, door)))) return true;
  if (!Number.isSafeInteger(pid) || pid <= 0 || !isRunning(pid)) return false;
  const facts = inspectProcess(pid);
  return facts === null || startedAt === '' || facts.startedAt === startedAt;
}

/**
 * Removes the lock if it is still stale. Only the process that made the takeover directory may do so: otherwise a slow one could
 * remove the fresh lock of a faster one.
 */
async function removeStale(directory: string): Promise<void> {
  const file = join(directory, FILE_NAME);
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
    const holder = await readHolder(file);
    if (!holder || (await runs(holder, directory))) return;
    await rm(file, { force: true });
    if (holder.door !== '') await rm(join(directory, holder.door), { force: true });
  } finally {
    await rmdir(takeover).catch(() => undefined);
  }
}
