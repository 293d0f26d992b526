import type { FastifyRequest } from 'fastify';
import { guess, recordFailedGuess, refuseWhileGuessing, WITH_ADDRESSES } from '../access/guesses.ts';
import { isOneClient } from '../access/one-client.ts';
import type { Context } from '../context.ts';
import { type Asker, verifyPassword } from './passwords.ts';

/** Counts the wrong passwords of an address for all accounts together; a right one does not reset it. */
const ALL_ACCOUNTS = 'accounts';

interface GuessedAccount {
  /** Or the address as typed, when there is no account. */
  email: string;
  /** null for an account that does not exist */
  hash: string | null;
  /** Who waits in line for the comparison. */
  asker: Asker;
}

/**
 * Compares the password of an account. Wrong ones are counted twice: per account and address, and per address over all
 * accounts, so that nobody tries one password on everybody.
 * @throws HttpError 429 with Retry-After while the address has to wait
 */
export async function guessPassword(
  { config, db }: Context,
  request: FastifyRequest,
  { email, hash, asker }: GuessedAccount,
  password: string,
): Promise<boolean> {
  const { ip: address } = request;
  const verify = () => verifyPassword(password, hash, asker);
  const atThis = { subject: subjectOf(email), address };
  const atAll = { subject: ALL_ACCOUNTS, address, patience: WITH_ADDRESSES };
  if (!isOneClient(config, request)) return guess(db, atThis, verify);
  await refuseWhileGuessing(db, atAll);
  const isRight = await guess(db, atThis, verify);
  // Asked again, as `guess` does: guesses counted meanwhile count for this one too.
  if (isRight) await refuseWhileGuessing(db, atAll);
  else await recordFailedGuess(db, atAll);
  return isRight;
}

/** The subject under which wrong passwords of an account are counted. */
export function subjectOf(email: string): string {
  return `account:${email.trim().toLowerCase()}`;
}
