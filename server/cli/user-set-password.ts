import { setPassword } from '../accounts/replace-password.ts';
import { CLI } from '../audit/actor.ts';
import type { CommandIo } from './command.ts';
import { withDatabase } from './open-database.ts';
import { readOptions, requiredEmail } from './options.ts';
import { passwordOption } from './password-option.ts';

export const USAGE = 'user set-password --email E [--password P]';
export const SUMMARY = 'give somebody who lost it a new password; without one it is made and printed';
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
