import type { Db } from '../../db/database.ts';
import { type Surroundings, workUnhurried } from '../../jobs/unhurried.ts';
import { fillNextBlocks, findFormsToFill } from './block-queries.ts';

/** Fills the search blocks of all forms, in turns. Blocks only make searches faster: what is in none yet is found, too. */
export async function fillSearchBlocks(db: Db, surroundings: Surroundings = {}): Promise<void> {
  await workUnhurried(await findFormsToFill(db), (formId) => fillNextBlocks(db, formId), surroundings);
}
