import type { Db } from '../../db/database.ts';
import { eachForm } from '../../jobs/go-on.ts';
import { deleteSubmissions } from '../queries.ts';
import { lockFormGate } from '../store-queries.ts';
import { findFormsWithOverdue, findOverdueIds, type WaitingPlace } from './overdue-queries.ts';

/** Deleted by one transaction: new submissions to the form wait for it. */
const CHUNK = 500;

/** Deletes for good, form by form, what waited until its time was over. @throws FormsFailed at the end */
export async function purgeOverdue(db: Db, place: WaitingPlace, stopping: AbortSignal): Promise<void> {
  const purgeNext = (formId: number) =>
    db.transaction().execute(async (trx) => {
      await lockFormGate(trx, formId);
      const ids = await findOverdueIds(trx, place, formId, CHUNK);
      await deleteSubmissions(trx, formId, ids);
      return ids.length;
    });
  await eachForm(await findFormsWithOverdue(db, place), async ({ id }) => {
    while (!stopping.aborted && (await purgeNext(id)) === CHUNK);
  });
}
