import type { FastifyRequest } from 'fastify';
import { guess, recordFailedGuess, refuseWhileGuessing, WITH_ADDRESSES } from '../access/guesses.ts';
import { isOneClient } from '../access/one-client.ts';
import type { Context } from '../context.ts';
import { type Asker, verifyPassword } from './passwords.ts';

/** Counts the wrong passwords of an address for all accounts together; a right one does not reset it. */
const ALL_ACCOUNTS = 'accounts';

/**
 * Compares the password of an account. Wrong ones are counted twice: per account and address, and per address over all
 * accounts, so that nobody tries one password on everybody.
 * @param email of the account, or as typed when there is none
 * @param hash null for an account that does not exist
 * @param asker who waits in line for the comparison
 * @throws HttpError 429 with Retry-After while the address has to wait
 */
export async function guessPassword(
  { config, db }: Context,
  request: FastifyRequest,
  email: string,
  password: string,
  hash: string | null,
  asker: Asker,
): Promise<boolean> {
  const { ip } = request;
  const verify = () => verifyPassword(password, hash, asker);
  const subject = subjectOf(email);
  if (!isOneClient(config, request)) return guess(db, subject, ip, verify);
  await refuseWhileGuessing(db, ALL_ACCOUNTS, ip, WITH_ADDRESSES);
  const isRight = await guess(db, subject, ip, verify);
  // Asked again, as `guess` does: guesses counted meanwhile count for this one too.
  if (isRight) await refuseWhileGuessing(db, ALL_ACCOUNTS, ip, WITH_ADDRESSES);
  else await recordFailedGuess(db, ALL_ACCOUNTS, ip, WITH_ADDRESSES);
  return isRight;
}

/** The subject under which wrong passwords of an account are counted. */
export function subjectOf(email: string): string {
  return `account:${email.trim().toLowerCase()}`;
}
