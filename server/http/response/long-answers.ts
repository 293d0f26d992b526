import { finished } from 'node:stream/promises';
import type { FastifyReply } from 'fastify';
import { type Limiter, limitConcurrency, limitConcurrencyPerKey } from '../../limit-concurrency.ts';
import { whenClientLeaves } from './client-left.ts';

/** Bytes of stored data beyond which an answer is long. */
export const LONG_BYTES = 8 * 1024 * 1024;
/** A client that reads nothing for this long is given up, as others wait, */
const UNREAD_MS = 60_000;
/** and so is one that reads a little now and then, when it has not read everything after this long. */
const READ_MS = 180_000;

/** Long answers take many times their size in memory until they are sent: one at a time, and at most 50 people wait. */
const perProcess = limitConcurrency(1, 50);
/** So that whoever asks for many, and reads them slowly, holds up others for one of them. */
const perPerson = limitConcurrencyPerKey(1, 20);

/**
 * Makes a long answer in turn with others, unless its client leaves first. The turn ends when the answer has been sent.
 * @param userId of the person who asks
 * @throws HttpError 503 when too many wait; 499; errors of `make`
 */
export function inTurnUntilSent<Result>(
  reply: FastifyReply,
  userId: number,
  make: () => Promise<Result>,
): Promise<Result> {
  const turn: Limiter = (send, leaving) => perPerson(`${userId}`, () => perProcess(send, leaving), leaving);
  return untilSent(reply, turn, make);
}

/**
 * Makes an answer when its turn comes, unless its client leaves first. The turn ends when the answer has been sent.
 * @param readMs a client that has not read everything after this long is given up
 * @throws HttpError 503 when too many wait; 499; errors of `make`
 */
export function untilSent<Result>(
  reply: FastifyReply,
  turn: Limiter,
  make: () => Promise<Result>,
  readMs = READ_MS,
): Promise<Result> {
  const { raw } = reply;
  const leaving = whenClientLeaves(reply);
  return new Promise((resolve, reject) => {
    const send = async () => {
      resolve(await make());
      raw.setTimeout(UNREAD_MS, () => raw.destroy());
      await finished(raw, { signal: AbortSignal.timeout(readMs) }).catch(() => raw.destroy());
    };
    turn(send, leaving).catch(reject);
  });
}

/**
 * A whole page: in turn with others when it is long.
 * @param find reads the page, which may end early unless it is asked for as a whole
 */
export async function wholePage<Page extends { rows: unknown[]; count: number }>(
  reply: FastifyReply,
  userId: number,
  find: (isWhole: boolean) => Promise<Page>,
): Promise<Page> {
  const page = await find(false);
  if (page.rows.length === page.count) return page;
  // Not awaited, so that the rows read so far are not kept in memory until its turn comes.
  return inTurnUntilSent(reply, userId, () => find(true));
}
