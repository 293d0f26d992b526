import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg, release, tmpdir, totalmem, type } from 'node:os';
import { CommandError } from '../cli/command.ts';
import type { Db } from '../db/database.ts';
import { VERSION } from '../version.ts';
import { findDatabaseSettings } from './queries.ts';

export interface Machine {
  formstead: string;
  system: string;
  processor: string;
  cores: number;
  memoryGb: number;
  /** Load average of one minute before the benchmark began: other work slows this down. */
  loadBefore: number;
  node: string;
  postgres: string;
  fsync: string;
  synchronousCommit: string;
  directory: string;
  fileSystem: string;
}

const GIGABYTE = 1024 ** 3;
/** statfs(2). */
const FILE_SYSTEMS: Record<number, string> = {
  61267: 'ext4',
  16914836: 'tmpfs',
  1481003842: 'xfs',
  2435016766: 'btrfs',
  2035054128: 'overlay',
  801189825: 'zfs',
};
const PERSISTENT_TEMPORARY = '/var/tmp';

/** The facts that the figures depend on. @param loadBefore load average, taken before anything was started */
export async function describeMachine(db: Db, directory: string, loadBefore: number): Promise<Machine> {
  const { version, fsync, synchronousCommit } = await findDatabaseSettings(db);
  return {
    formstead: VERSION,
    system: `${type()} ${release()}`,
    processor: cpus()[0]?.model.trim() || 'unknown',
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / GIGABYTE),
    loadBefore,
    node: process.versions.node,
    postgres: version,
    fsync,
    synchronousCommit,
    directory,
    fileSystem: await fileSystemOf(directory),
  };
}

export function currentLoad(): number {
  return Math.round((loadavg()[0] ?? 0) * 10) / 10;
}

/** The temporary directory, unless it is in memory, where a commit costs nothing. */
export async function scratchDirectory(): Promise<string> {
  const isInMemory = (await fileSystemOf(tmpdir())) === 'tmpfs';
  return isInMemory && existsSync(PERSISTENT_TEMPORARY) ? PERSISTENT_TEMPORARY : tmpdir();
}

/** @throws CommandError when fewer than `bytes` are free there */
export async function requireSpace(directory: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(directory).catch((error: Error) => {
    throw new CommandError(`${directory} cannot be used: ${error.message}`);
  });
  if (bavail * bsize < bytes)
    throw new CommandError(
      `The benchmark needs ${Math.ceil(bytes / GIGABYTE)} GB in ${directory} for a while. Name another place with --dir.`,
    );
}

async function fileSystemOf(directory: string): Promise<string> {
  const found = await statfs(directory).catch(() => null);
  return (found && FILE_SYSTEMS[found.type]) ?? 'unknown';
}
