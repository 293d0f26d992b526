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

/** With one password or code. */
const WITH_SECRETS: Patience = { free: 5, forgottenAfterSeconds: 24 * 60 * 60 };
/** With everything an address may ask for by name: a whole office can be behind it, and old links are no guesses. */
export const WITH_ADDRESSES: Patience = { free: 30, forgottenAfterSeconds: 10 * 60 };
/** In place of an address: the guesses of all addresses count together. */
export const ANYWHERE = 'anywhere';

/** Guesses of one subject and address that wait for the one before them to be counted. */
const WAITING = 100;
const oneAfterTheOther = limitConcurrencyPerKey(1, WAITING);

/**
 * Compares a secret that people can guess. Wrong guesses of one subject (`account:<email>`, `form:<id>`) from one
 * address make that address wait longer and longer; the same subject stays open to every other address. Of guesses sent
 * at once a process compares one after the other, each when the one before is counted.
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
  // Asked again: other processes may have counted meanwhile, and what comes too late must not learn that it was right.
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
export function secondsToWait(
  db: Db,
  subject: string,
  address: string,
  patience = WITH_SECRETS,
): Promise<number> {
  return secondsUntilNextGuess(db, subject, networkOf(address), patience);
}

/** Whether the address has guessed wrong and not right since. */
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
 * Counts whatever may be asked for so often only, right or wrong, as a guess.
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

/** For a secret that is another one now: who guessed the former in vain does not wait for it. */
export function forgetAllFailedGuesses(db: Db, subject: string): Promise<void> {
  return deleteFailedGuesses(db, subject, null);
}

function networkOf(address: string): string {
  return address === ANYWHERE ? ANYWHERE : clientNetwork(address);
}
