import { setTimeout } from 'node:timers/promises';
import type { Db } from '../db/database.ts';
import { holdForm } from '../forms/queries.ts';
import { limitConcurrency } from '../limit-concurrency.ts';

/** Looks at a form that changes during each of them; then 503. */
export const MAX_LOOKS = 10;
/** During later looks the form is held, so that it cannot change once more. */
const FREE_LOOKS = 3;
/**
 * Whoever saves the form waits while it is held. So does whoever deletes it, and holds up its submissions in turn: a look that
 * takes longer than this goes on without.
 */
const MAX_HOLD_MS = 2_000;
/** Each look at a held form takes a connection besides those it works with. */
const inTurn = limitConcurrency(3, 1_000);

/**
 * Runs `work`, which looks at a form and then stores what fits the form as it was. Somebody may save the form in between, so
 * `work` may have to run again: the `look`, counted from 1, says for which time it runs.
 * @param formId null while the form is not known: it cannot be held then
 */
export async function lookAtForm<Result>(
  db: Db,
  formId: number | null,
  look: number,
  work: () => Promise<Result>,
): Promise<Result> {
  if (look <= FREE_LOOKS || formId === null) return work();
  return inTurn(async () => {
    const working = Promise.withResolvers<Result>();
    let hasBegun = false;
    const holding = db.transaction().execute(async (trx) => {
      await holdForm(trx, formId);
      hasBegun = true;
      working.resolve(work());
      await Promise.race([
        Promise.allSettled([working.promise]),
        setTimeout(MAX_HOLD_MS, undefined, { ref: false }),
      ]);
    });
    await holding.catch((error: unknown) => {
      // What has begun may have stored something, even if the connection that held the form broke meanwhile.
      if (!hasBegun) throw error;
    });
    return working.promise;
  });
}
