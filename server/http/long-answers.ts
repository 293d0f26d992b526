import { finished } from 'node:stream/promises';
import type { FastifyReply } from 'fastify';
import { limitConcurrency } from '../limit-concurrency.ts';

/** Bytes of stored data beyond which an answer is long. */
export const LONG_BYTES = 8 * 1024 * 1024;
/** A client that reads nothing for this long is given up, as others wait, */
const UNREAD_MS = 60_000;
/** and so is one that reads a little now and then, when it has not read everything after this long. */
const READ_MS = 180_000;

/** Long answers take many times their size in memory until they are sent: one at a time, and at most 20 wait. */
const inTurn = limitConcurrency(1, 20);

/**
 * Makes a long answer in turn with others. The turn ends when the answer has been sent.
 * @param leaving gives up the place in the line
 * @throws HttpError 503 when too many wait; the reason of `leaving`; errors of `make`
 */
export function inTurnUntilSent<Result>(
  { raw }: FastifyReply,
  leaving: AbortSignal,
  make: () => Promise<Result>,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const send = async () => {
      resolve(await make());
      raw.setTimeout(UNREAD_MS, () => raw.destroy());
      await finished(raw, { signal: AbortSignal.timeout(READ_MS) }).catch(() => raw.destroy());
    };
    inTurn(send, leaving).catch(reject);
  });
}
