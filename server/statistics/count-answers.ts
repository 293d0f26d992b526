import { setTimeout as wait } from 'node:timers/promises';
import type { Db } from '../db/database.ts';
import { countNextAnswers, findFormsToCount } from './answer-queries.ts';

/** After each step it rests so many times as long: it never takes more than a tenth of a processor from the intake. */
const REST = 9;
/** Between two looks whether submissions still queue up. */
const PAUSE_MS = 250;
/** What one run takes on; the next goes on with it, and other jobs have their turn. */
const MAX_RUN_MS = 50_000;

/**
 * Brings the counters of answers up to the latest submissions, all forms in turns.
 * @param isUnderPressure submissions queue up: a step is taken, then none until they do not
 */
export async function countAnswers(
  db: Db,
  stopping?: AbortSignal,
  isUnderPressure = () => false,
): Promise<void> {
  const end = performance.now() + MAX_RUN_MS;
  let formIds = await findFormsToCount(db);
  while (formIds.length > 0) {
    const unfinished: number[] = [];
    for (const formId of formIds) {
      if (stopping?.aborted || performance.now() > end) return;
      const startedAt = performance.now();
      if (!(await countNextAnswers(db, formId))) continue;
      unfinished.push(formId);
      await wait(REST * (performance.now() - startedAt));
      while (isUnderPressure() && performance.now() < end) await wait(PAUSE_MS);
    }
    formIds = unfinished;
  }
}
