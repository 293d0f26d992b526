import type { Db } from '../db/database.ts';
import { type Surroundings, workUnhurried } from '../jobs/unhurried.ts';
import { countNextSubmissions, findUncountedForms } from './queries.ts';

/** Brings the submission counters up to date, all forms in turns. Statistics are exact without it, but slower. */
export async function countSubmissions(db: Db, surroundings: Surroundings = {}): Promise<void> {
  await workUnhurried(
    await findUncountedForms(db),
    (formId) => countNextSubmissions(db, formId),
    surroundings,
  );
}
