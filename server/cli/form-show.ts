import { definitionOf } from '../forms/apply-definition.ts';
import { findFormBySlug } from '../forms/queries.ts';
import { CommandError, type CommandIo } from './command.ts';
import { withDatabase } from './open-database.ts';
import { readOptions } from './options.ts';

export const USAGE = 'form show SLUG';
export const SUMMARY = 'a form as JSON, as apply takes it';

/** Prints all settings of a form except its integrations. */
export async function run(args: string[], io: CommandIo): Promise<number> {
  const { positionals } = readOptions(args, {}, USAGE, 1);
  const [slug = ''] = positionals;
  const form = await withDatabase((db) => findFormBySlug(db, slug));
  if (!form) throw new CommandError(`There is no form ${slug}.`);
  io.out(JSON.stringify(definitionOf(form), null, 2));
  return 0;
}
