import type { Db } from '../db/database.ts';
import { type Surroundings, workUnhurried } from '../jobs/unhurried.ts';
import { countNextAnswers, findFormsToCount } from './answer-queries.ts';

/** Brings the counters of answers up to the latest submissions, all forms in turns. */
export async function countAnswers(db: Db, surroundings: Surroundings = {}): Promise<void> {
  await workUnhurried(await findFormsToCount(db), (formId) => countNextAnswers(db, formId), surroundings);
}
