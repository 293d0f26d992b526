import { findFormBySlug } from '../forms/queries.ts';
import { definitionOf } from '../forms/saving/apply-definition.ts';
import { scenariosForFile } from '../scenarios/file-scenarios.ts';
import { CommandError, type CommandIo } from './command.ts';
import { withDatabase } from './open-database.ts';
import { readOptions } from './options.ts';
import { USAGES } from './usages.ts';

const USAGE = USAGES['form show'].usage;

/** Prints all settings of a form except its integrations. */
export async function run(args: string[], io: CommandIo): Promise<number> {
  const { positionals } = readOptions(args, {}, USAGE, 1);
  const [slug = ''] = positionals;
  const shown = await withDatabase(async (db) => {
    const form = await findFormBySlug(db, slug);
    if (!form) throw new CommandError(`There is no form ${slug}.`);
    const scenarios = await scenariosForFile(db, form.id);
    return { ...definitionOf(form), ...(scenarios.length > 0 && { scenarios }) };
  });
  io.out(JSON.stringify(shown, null, 2));
  return 0;
}
