import { invalid } from '../../http/errors.ts';
import { limitConcurrency } from '../../limit-concurrency.ts';

/** Four lists at a time may look at every submission of their form; at most 50 wait. */
const inTurn = limitConcurrency(4, 50);
/** SQLSTATE of a statement that exceeded its time limit. */
export const TIMED_OUT = '57014';

/**
 * Runs a look through submissions, in turn with others.
 * @param isNarrow whether an index leads to the matches: then the look need not wait for a turn
 * @param leaving ends the waiting, because while people type, each search replaces the one before
 * @throws HttpError 503 when too many wait; 422 that says what to narrow when the look takes too long; the reason of `leaving`
 */
export function lookThrough<Result>(
  isNarrow: boolean,
  leaving: AbortSignal,
  look: () => Promise<Result>,
): Promise<Result> {
  return (isNarrow ? look() : inTurn(look, leaving)).catch((error: { code?: string }) => {
    throw error.code === TIMED_OUT ? tooMuch() : error;
  });
}

function tooMuch() {
  return invalid({
    from: ['Looking through so many submissions took too long: narrow the list with from and to.'],
  });
}
