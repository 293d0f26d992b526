import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type pg from 'pg';
import type { Context } from '../context.ts';
import type { BackupConfig } from '../settings/storage.ts';
import { whenBackupIsDue } from './made-backups-queries.ts';

const MAIN = join(import.meta.dirname, '../cli/main.ts');
/** Of 19: the service goes first. */
const NICENESS = 10;

/**
 * Makes the backup of the day, once its time has come, by the command that anybody can run by hand. That runs as a process of its own,
 * so that its memory is returned afterwards, and visitors do not wait for it. One that failed is tried again at the next turn, after an
 * hour.
 * @throws Error with the last line the command wrote
 */
export async function makeNightlyBackup(
  { config, log }: Pick<Context, 'config' | 'log'>,
  pool: pg.Pool,
  stopping: AbortSignal,
): Promise<void> {
  const { backup } = config;
  if (backup === null) return;
  await whenBackupIsDue(pool, backup.at, async () => {
    const address = await runCommand(backup, stopping);
    if (address !== null) log.info({ backup: address }, 'a backup was made');
  });
}

/** @returns where the backup is; null when it was told to stop */
async function runCommand(
  { to, keep, withKey }: BackupConfig,
  stopping: AbortSignal,
): Promise<string | null> {
  const options = ['--to', to, '--keep', String(keep), ...(withKey ? [] : ['--without-key'])];
  const child = spawn(process.execPath, [MAIN, 'backup', ...options], { stdio: ['ignore', 'pipe', 'pipe'] });
  const stop = () => void child.kill('SIGTERM');
  stopping.addEventListener('abort', stop, { once: true });
  try {
    const [[code], out, err] = await Promise.all([
      once(child, 'close'),
      text(child.stdout),
      text(child.stderr),
      once(child, 'spawn').then(() => setPriority(child.pid ?? 0, NICENESS)),
    ]);
    if (code === 0) return out.trim();
    if (stopping.aborted) return null;
    throw new Error(`The backup failed: ${err.trim().split('\n').at(-1) || `exit code ${code}`}`);
  } finally {
    stopping.removeEventListener('abort', stop);
  }
}
