import { randomBytes } from 'node:crypto';
import { createAccount } from '../accounts/register-account.ts';
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from '../accounts/schemas.ts';
import { CLI } from '../audit/actor.ts';
import { type CommandIo, UsageError } from './command.ts';
import { withDatabase } from './open-database.ts';
import { readOptions, required, requiredEmail } from './options.ts';

export const USAGE = 'user create --email E --name N [--password P]';
export const SUMMARY = 'make an account; without a password one is made and printed';
const OPTIONS = {
  email: { type: 'string' },
  name: { type: 'string' },
  password: { type: 'string' },
} as const;
const GENERATED_PASSWORD_BYTES = 15;

/** Adds an account, whatever REGISTRATION says. Without a password it makes one and prints it. */
export async function run(args: string[], io: CommandIo): Promise<number> {
  const { values } = readOptions(args, OPTIONS, USAGE);
  const email = requiredEmail(values.email, USAGE);
  const name = required(values.name, 'name', USAGE);
  const password = values.password ?? randomBytes(GENERATED_PASSWORD_BYTES).toString('base64url');
  // Nobody could sign in with a longer one.
  if (password.length > PASSWORD_MAX_LENGTH)
    throw new UsageError(`--password is longer than ${PASSWORD_MAX_LENGTH} characters.`);
  if (password.length < PASSWORD_MIN_LENGTH)
    throw new UsageError(`--password must have at least ${PASSWORD_MIN_LENGTH} characters.`);
  await withDatabase((db) => createAccount(db, { name, email, password }, CLI));
  io.out(`Account created: ${email}`);
  if (values.password === undefined) io.out(`Password: ${password}`);
  return 0;
}
