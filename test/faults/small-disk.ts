import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'vitest';

/** A tmpfs of some megabytes; skips the test where mounting is not permitted. */
export async function smallDisk(context: TestContext, megabytes: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'formstead-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0755`, 'none', folder], {
      stdio: 'pipe',
    });
  } catch {
    await rm(folder, { recursive: true, force: true });
    context.skip('mounting a small disk needs root');
  }
  return folder;
}

/** Fills nearly all the remaining space. */
export async function fill(folder: string, file: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const bytes = Math.max(0, bavail * bsize - 64 * 1024);
  await writeFile(file, Buffer.alloc(bytes, 1)).catch(() => {});
}

export async function removeDisk(folder: string): Promise<void> {
  execFileSync('umount', ['-l', folder]);
  await rm(folder, { recursive: true, force: true });
}
