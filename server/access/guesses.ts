import type { Db } from '../db/database.ts';
import { clientNetwork } from '../http/client-network.ts';
import { HttpError } from '../http/errors.ts';
import { deleteFailedGuesses, insertFailedGuess, secondsUntilNextGuess } from './queries.ts';

/**
 * Compares a secret that people can guess. Wrong guesses of one subject (`account:<email>`, `form:<id>`) from one
 * address make that address wait longer and longer; the same subject stays open to every other address.
 * @throws HttpError 429 with Retry-After while the address has to wait
 */
export async function guess(
  db: Db,
  subject: string,
  address: string,
  isRight: () => Promise<boolean>,
): Promise<boolean> {
  await refuseWhileGuessing(db, subject, address);
  if (!(await isRight())) {
    await recordFailedGuess(db, subject, address);
    return false;
  }
  // Asked again: of a thousand guesses sent at once, all but the first few must not learn that they were right.
  await refuseWhileGuessing(db, subject, address);
  await forgetFailedGuesses(db, subject, address);
  return true;
}

/** @throws HttpError 429 with Retry-After while the address has to wait */
export async function refuseWhileGuessing(db: Db, subject: string, address: string): Promise<void> {
  const seconds = await secondsUntilNextGuess(db, subject, clientNetwork(address));
  if (seconds > 0) throw new HttpError(429, 'Too Many Attempts.', {}, { 'retry-after': String(seconds) });
}

export function recordFailedGuess(db: Db, subject: string, address: string): Promise<void> {
  return insertFailedGuess(db, subject, clientNetwork(address));
}

export function forgetFailedGuesses(db: Db, subject: string, address: string): Promise<void> {
  return deleteFailedGuesses(db, subject, clientNetwork(address));
}
