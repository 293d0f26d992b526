import type { Db } from '../db/database.ts';
import { clientNetwork } from '../http/client-network.ts';
import { tooManyAttempts } from '../http/errors.ts';
import { limitConcurrencyPerKey } from '../limit-concurrency.ts';
import {
  deleteFailedGuesses,
  failedGuessesExist,
  insertFailedGuess,
  type Patience,
  secondsUntilNextGuess,
} from './guess-queries.ts';

/** For guesses at one password or code. */
const WITH_SECRETS: Patience = { free: 5, forgottenAfterSeconds: 24 * 60 * 60 };
/** For everything an address may ask for by name: a whole office can share it, and old links are not guesses. */
export const WITH_ADDRESSES: Patience = { free: 30, forgottenAfterSeconds: 10 * 60 };
/** Used as the address to count the guesses of all addresses together. */
export const ANYWHERE = 'anywhere';

/** Guesses of one subject and address that may wait in line. */
const WAITING = 100;
const oneAfterTheOther = limitConcurrencyPerKey(1, WAITING);

/**
 * Compares a secret that people can guess. Wrong guesses of one subject (`account:<email>`, `form:<id>`) make their
 * address wait longer and longer; other addresses are not affected. A process compares simultaneous guesses one by one,
 * each after the one before is counted.
 * @throws HttpError 429 with Retry-After while the address has to wait, 503 when too many come at once
 */
export function guess(
  db: Db,
  subject: string,
  address: string,
  isRight: () => Promise<boolean>,
  patience = WITH_SECRETS,
): Promise<boolean> {
  return oneAfterTheOther(`${networkOf(address)} ${subject}`, () =>
    compare(db, subject, address, isRight, patience),
  );
}

async function compare(
  db: Db,
  subject: string,
  address: string,
  isRight: () => Promise<boolean>,
  patience: Patience,
): Promise<boolean> {
  await refuseWhileGuessing(db, subject, address, patience);
  if (!(await isRight())) {
    await recordFailedGuess(db, subject, address, patience);
    return false;
  }
  // Checked again: other processes may have counted meanwhile, and a guess that comes too late must not learn that it was
  // right.
  await refuseWhileGuessing(db, subject, address, patience);
  await forgetFailedGuesses(db, subject, address);
  return true;
}

/** @throws HttpError 429 with Retry-After while the address has to wait */
export async function refuseWhileGuessing(
  db: Db,
  subject: string,
  address: string,
  patience = WITH_SECRETS,
): Promise<void> {
  const seconds = await secondsToWait(db, subject, address, patience);
  if (seconds > 0) throw tooManyAttempts(seconds);
}

/** How long the address has to wait, in whole seconds; 0 = not at all. */
export function secondsToWait(db: Db, subject: string, address: string, patience: Patience): Promise<number> {
  return secondsUntilNextGuess(db, subject, networkOf(address), patience);
}

/** Whether the address has guessed wrong since its last right guess. */
export function hasFailedGuesses(db: Db, subject: string, address: string): Promise<boolean> {
  return failedGuessesExist(db, subject, networkOf(address));
}

export async function recordFailedGuess(
  db: Db,
  subject: string,
  address: string,
  patience = WITH_SECRETS,
): Promise<void> {
  await insertFailedGuess(db, subject, networkOf(address), patience);
}

/**
 * Counts a request, right or wrong, as a guess, to limit how often it may be made.
 * @throws HttpError 429 with Retry-After while the address has to wait
 */
export async function countAsGuess(
  db: Db,
  subject: string,
  address: string,
  patience: Patience,
): Promise<void> {
  await refuseWhileGuessing(db, subject, address, patience);
  await recordFailedGuess(db, subject, address, patience);
}

export function forgetFailedGuesses(db: Db, subject: string, address: string): Promise<void> {
  return deleteFailedGuesses(db, subject, networkOf(address));
}

/** For a changed secret: wrong guesses at the former one must not delay the next guess. */
export function forgetAllFailedGuesses(db: Db, subject: string): Promise<void> {
  return deleteFailedGuesses(db, subject, null);
}

function networkOf(address: string): string {
  return address === ANYWHERE ? ANYWHERE : clientNetwork(address);
}
