import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PREFIX = 'formstead-archive-';
const OLD_MS = 24 * 3_600_000;

/** A directory for a backup on its way to or from a bucket, removed afterwards. What a process that was killed left goes after a day. */
export async function inTemporaryDirectory<Result>(
  use: (directory: string) => Promise<Result>,
): Promise<Result> {
  const names = (await readdir(tmpdir())).filter((name) => name.startsWith(PREFIX));
  for (const name of names) await removeIfOld(join(tmpdir(), name));
  const directory = await mkdtemp(join(tmpdir(), PREFIX));
  try {
    return await use(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Removes a file or directory nobody has written to for a day: a younger one may be another process's. */
export async function removeIfOld(path: string): Promise<void> {
  const found = await stat(path).catch(() => null);
  if (found === null || Date.now() - found.mtimeMs < OLD_MS) return;
  // Another user's, perhaps.
  await rm(path, { recursive: true, force: true }).catch(() => {});
}
