import type { Db } from '../../db/database.ts';
import { type Surroundings, workUnhurried } from '../../jobs/unhurried.ts';
import { fillNextBlocks, findFormsToFill } from './block-queries.ts';

/** Brings what the search looks at first up to the latest submissions, all forms in turns. Searches are exact before, too. */
export async function fillSearchBlocks(db: Db, surroundings: Surroundings = {}): Promise<void> {
  await workUnhurried(await findFormsToFill(db), (formId) => fillNextBlocks(db, formId), surroundings);
}
