import type { Db } from '../db/database.ts';
import { type Surroundings, workUnhurried } from '../jobs/unhurried.ts';
import { countNextAnswers, findFormsToCount } from './answer-queries.ts';

/** Brings the answer counters up to date, all forms in turns. */
export async function countAnswers(db: Db, surroundings: Surroundings = {}): Promise<void> {
  await workUnhurried(await findFormsToCount(db), (formId) => countNextAnswers(db, formId), surroundings);
}
