import type { Db } from '../db/database.ts';
import { tooManyAttempts } from '../http/errors.ts';
import { clientNetwork } from '../http/network/client-network.ts';
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

/** Guesses that are counted together. */
interface Guesses {
  /** What is guessed, such as `account:<email>` or `form:<id>`. */
  subject: string;
  /** Who guesses; `ANYWHERE` for all together. */
  address: string;
  /** By default that for one password or code. */
  patience?: Patience;
}

/**
 * Compares a secret that people can guess. Wrong guesses at one subject make their address wait longer and longer; other addresses
 * are not affected. A process compares simultaneous guesses one by one, each after the one before is counted.
 * @throws HttpError 429 with Retry-After while the address has to wait, 503 when too many come at once
 */
export function guess(db: Db, guesses: Guesses, isRight: () => Promise<boolean>): Promise<boolean> {
  return oneAfterTheOther(`${networkOf(guesses.address)} ${guesses.subject}`, () =>
    compare(db, guesses, isRight),
  );
}

async function compare(db: Db, guesses: Guesses, isRight: () => Promise<boolean>): Promise<boolean> {
  await refuseWhileGuessing(db, guesses);
  if (!(await isRight())) {
    await recordFailedGuess(db, guesses);
    return false;
  }
  // Checked again: other processes may have counted meanwhile, and a guess that comes too late must not learn that it was
  // right.
  await refuseWhileGuessing(db, guesses);
  await forgetFailedGuesses(db, guesses);
  return true;
}

/** @throws HttpError 429 with Retry-After while the address has to wait */
export async function refuseWhileGuessing(db: Db, guesses: Guesses): Promise<void> {
  const seconds = await secondsToWait(db, guesses);
  if (seconds > 0) throw tooManyAttempts(seconds);
}

/** How long the address has to wait, in whole seconds; 0 = not at all. */
export function secondsToWait(
  db: Db,
  { subject, address, patience = WITH_SECRETS }: Guesses,
): Promise<number> {
  return secondsUntilNextGuess(db, subject, networkOf(address), patience);
}

/** Whether the address has guessed wrong since its last right guess. */
export function hasFailedGuesses(db: Db, { subject, address }: Guesses): Promise<boolean> {
  return failedGuessesExist(db, subject, networkOf(address));
}

export async function recordFailedGuess(
  db: Db,
  { subject, address, patience = WITH_SECRETS }: Guesses,
): Promise<void> {
  await insertFailedGuess(db, subject, networkOf(address), patience);
}

/**
 * Counts a request, right or wrong, as a guess, to limit how often it may be made.
 * @throws HttpError 429 with Retry-After while the address has to wait
 */
export async function countAsGuess(db: Db, guesses: Guesses): Promise<void> {
  await refuseWhileGuessing(db, guesses);
  await recordFailedGuess(db, guesses);
}

export function forgetFailedGuesses(db: Db, { subject, address }: Guesses): Promise<void> {
  return deleteFailedGuesses(db, subject, networkOf(address));
}

/** For a changed secret: wrong guesses at the former one must not delay the next guess. */
export function forgetAllFailedGuesses(db: Db, subject: string): Promise<void> {
  return deleteFailedGuesses(db, subject, null);
}

function networkOf(address: string): string {
  return address === ANYWHERE ? ANYWHERE : clientNetwork(address);
}
