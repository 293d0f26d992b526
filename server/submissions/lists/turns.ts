import { invalid } from '../../http/errors.ts';
import { limitConcurrency } from '../../limit-concurrency.ts';

/** Lists that may have to look at every submission; more wait. */
const inTurn = limitConcurrency(4, 50);
/** SQLSTATE of a statement that took longer than it may. */
export const TIMED_OUT = '57014';

/**
 * Looks through submissions.
 * @param isNarrow whether an index leads to what is looked for: then nobody stands in line.
 * @param leaving gives up the place in the line: who types on asks again before the answer is there
 * @throws HttpError 503 when too many wait; 422 for what takes too long, with what to narrow; the reason of `leaving`
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
