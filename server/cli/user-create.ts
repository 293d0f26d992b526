import { createAccount } from '../accounts/register-account.ts';
import { CLI } from '../audit/actor.ts';
import type { CommandIo } from './command.ts';
import { withDatabase } from './open-database.ts';
import { readOptions, required, requiredEmail } from './options.ts';
import { passwordOption } from './password-option.ts';
import { USAGES } from './usages.ts';

const USAGE = USAGES['user create'].usage;
const OPTIONS = {
  email: { type: 'string' },
  name: { type: 'string' },
  password: { type: 'string' },
} as const;

/** Adds an account, whatever REGISTRATION says. Without a password it makes one and prints it. */
export async function run(args: string[], io: CommandIo): Promise<number> {
  const { values } = readOptions(args, OPTIONS, USAGE);
  const email = requiredEmail(values.email, USAGE);
  const name = required(values.name, 'name', USAGE);
  const password = passwordOption(values.password);
  const user = await withDatabase((db) => createAccount(db, { name, email, password }, CLI));
  io.out(`Account created: ${user.email}`);
  if (values.password === undefined) io.out(`Password: ${password}`);
  return 0;
}
