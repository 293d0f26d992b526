import { setTimeout } from 'node:timers/promises';
import type { Db } from '../db/database.ts';
import { holdForm } from '../forms/queries.ts';
import { unavailable } from '../http/errors.ts';
import { limitConcurrency } from '../limit-concurrency.ts';

/** Looks at a form that changes during each of them; then 503. */
const MAX_LOOKS = 10;
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
 * Runs `look`, which looks at a form and then stores what fits the form as it was, until nobody saved the form in between.
 * @param formId returns null while the form is not known: it cannot be held then
 * @param look returns null when the form changed meanwhile
 * @throws HttpError 503 when it changed during every look
 */
export async function lookAtForm<Result>(
  db: Db,
  formId: () => number | null,
  look: () => Promise<Result | null>,
): Promise<Result> {
  for (let looks = 1; looks <= MAX_LOOKS; looks++) {
    const heldId = looks <= FREE_LOOKS ? null : formId();
    const result = await (heldId === null ? look() : whileHeld(db, heldId, look));
    if (result !== null) return result;
  }
  throw unavailable();
}

function whileHeld<Result>(db: Db, formId: number, look: () => Promise<Result>): Promise<Result> {
  return inTurn(async () => {
    const looking = Promise.withResolvers<Result>();
    let hasBegun = false;
    const holding = db.transaction().execute(async (trx) => {
      await holdForm(trx, formId);
      hasBegun = true;
      looking.resolve(look());
      await Promise.race([
        Promise.allSettled([looking.promise]),
        setTimeout(MAX_HOLD_MS, undefined, { ref: false }),
      ]);
    });
    await holding.catch((error: unknown) => {
      // What has begun may have stored something, even if the connection that held the form broke meanwhile.
      if (!hasBegun) throw error;
    });
    return looking.promise;
  });
}
