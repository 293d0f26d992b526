import { createHash } from 'node:crypto';
import { guess, hasFailedGuesses } from '../access/guesses.ts';
import { hashPassword, verifyPassword } from '../accounts/passwords.ts';
import type { Db } from '../db/database.ts';

/** Answered in place of a password; sent back it means: unchanged. */
export const PASSWORD_MASK = '********';

/** Right passwords by their SHA-256, so that the slow hash is made once per password and form. */
const verified = new Set<string>();
const MAX_REMEMBERED = 10_000;

const SHA256_HEX = /^[0-9a-f]{64}$/;

/** Clients of this API family present the SHA-256 of the password, so that is what the slow hash is made from. */
export async function hashFormPassword(password: string): Promise<string> {
  return hashPassword(sha256Hex(password));
}

/** Whether this is the password that the hash was made from. */
export async function isFormPassword(password: string, hash: string): Promise<boolean> {
  return verifyPassword(sha256Hex(password), hash);
}

/**
 * Whether a visitor knows the password of a protected form; open forms ask for none.
 * @throws HttpError 429 while the address has to wait after wrong guesses
 */
export async function knowsFormPassword(
  db: Db,
  form: { id: number; passwordHash: string | null },
  presented: string | string[] | undefined,
  address: string,
): Promise<boolean> {
  const { passwordHash } = form;
  if (passwordHash === null) return true;
  if (typeof presented !== 'string' || presented === '') return false;
  const memory = sha256Hex(`${passwordHash} ${presented}`);
  const guesses = { subject: `form:${form.id}`, address };
  // Remembered or not: who guesses has to wait, or it would be told at once which guess is right.
  if (verified.has(memory) && !(await hasFailedGuesses(db, guesses))) return true;
  // If many send the right one at once, only the first is verified; the others find it remembered in their turn.
  const isRight = async () => verified.has(memory) || verifyFormPassword(presented, passwordHash, address);
  if (!(await guess(db, guesses, isRight))) return false;
  if (verified.size >= MAX_REMEMBERED) verified.clear();
  verified.add(memory);
  return true;
}

/** @param presented the password itself or its lower-case SHA-256 hex, as a header brings it. */
async function verifyFormPassword(presented: string, hash: string, address: string): Promise<boolean> {
  const asker = { address };
  if (SHA256_HEX.test(presented) && (await verifyPassword(presented, hash, asker))) return true;
  if (await verifyPassword(sha256Hex(presented), hash, asker)) return true;
  // Headers are read byte by byte; of letters beyond ASCII a client may have sent the UTF-8.
  const utf8 = Buffer.from(presented, 'latin1').toString('utf8');
  return utf8 !== presented && verifyPassword(sha256Hex(utf8), hash, asker);
}

function sha256Hex(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}
