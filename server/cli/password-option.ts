import { randomBytes } from 'node:crypto';
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from '../accounts/schemas.ts';
import { UsageError } from './command.ts';

const GENERATED_PASSWORD_BYTES = 15;

/** The given password, or a new one to be printed. */
export function passwordOption(given: string | undefined): string {
  const password = given ?? randomBytes(GENERATED_PASSWORD_BYTES).toString('base64url');
  // Nobody could sign in with a longer one.
  if (password.length > PASSWORD_MAX_LENGTH)
    throw new UsageError(`--password is longer than ${PASSWORD_MAX_LENGTH} characters.`);
  if (password.length < PASSWORD_MIN_LENGTH)
    throw new UsageError(`--password must have at least ${PASSWORD_MIN_LENGTH} characters.`);
  return password;
}
