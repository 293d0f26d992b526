import { setPassword } from '../accounts/replace-password.ts';
import { CLI } from '../audit/actor.ts';
import type { CommandIo } from './command.ts';
import { withDatabase } from './open-database.ts';
import { readOptions, requiredEmail } from './options.ts';
import { passwordOption } from './password-option.ts';
import { USAGES } from './usages.ts';

const USAGE = USAGES['user set-password'].usage;
const OPTIONS = { email: { type: 'string' }, password: { type: 'string' } } as const;

/** Sets the password of an account and ends its sessions. */
export async function run(args: string[], io: CommandIo): Promise<number> {
  const { values } = readOptions(args, OPTIONS, USAGE);
  const email = requiredEmail(values.email, USAGE);
  const password = passwordOption(values.password);
  await withDatabase((db) => setPassword(db, email, password, CLI));
  io.out(`Password set: ${email}`);
  if (values.password === undefined) io.out(`Password: ${password}`);
  return 0;
}
