import type { CommandIo } from './command.ts';
import { withMigrated } from './open-database.ts';
import { readOptions } from './options.ts';
import { USAGES } from './usages.ts';

const USAGE = USAGES.migrate.usage;

/** Migrates the database to this version. */
export async function run(args: string[], io: CommandIo): Promise<number> {
  readOptions(args, {}, USAGE);
  await withMigrated(async ({ applied }) => {
    for (const name of applied) io.out(`Applied ${name}`);
    io.out('The database is up to date.');
  });
  return 0;
}
