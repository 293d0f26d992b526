import { deleteAccount } from '../accounts/delete-account.ts';
import { CLI } from '../audit/actor.ts';
import type { CommandIo } from './command.ts';
import { withDatabase } from './open-database.ts';
import { readOptions, requiredEmail } from './options.ts';
import { USAGES } from './usages.ts';

const USAGE = USAGES['user delete'].usage;
const OPTIONS = { email: { type: 'string' }, 'with-workspaces': { type: 'boolean' } } as const;

/** Deletes an account; workspaces without other members only with `--with-workspaces`. */
export async function run(args: string[], io: CommandIo): Promise<number> {
  const { values } = readOptions(args, OPTIONS, USAGE);
  const email = requiredEmail(values.email, USAGE);
  const withWorkspaces = values['with-workspaces'] ?? false;
  const deleted = await withDatabase((db) => deleteAccount(db, email, { withWorkspaces }, CLI));
  io.out(`Account deleted: ${deleted}`);
  return 0;
}
