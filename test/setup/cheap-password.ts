import { randomBytes, scryptSync } from 'node:crypto';

/** A valid hash with cheap parameters: at a fifth of a second each, real ones would add minutes to the tests. */
export function cheapHash(password: string): string {
  const salt = randomBytes(16);
  const hash = scryptSync(password, salt, 32, { N: 2, r: 8, p: 1 });
  return `scrypt$2$8$1$${salt.toString('base64url')}$${hash.toString('base64url')}`;
}
