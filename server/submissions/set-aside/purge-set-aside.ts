import type { Db } from '../../db/database.ts';
import { eachForm } from '../../jobs/go-on.ts';
import { lockFormGate } from '../change-queries.ts';
import { deleteSubmissions } from '../queries.ts';
import { findFormsWithOverdue, findOverdueIds } from './queries.ts';

/** Deleted by one transaction: new submissions to the form wait for it. */
const CHUNK = 500;

/** Deletes what was set aside so long ago that nobody will decide about it. @throws FormsFailed at the end */
export async function purgeSetAside(db: Db, stopping: AbortSignal): Promise<void> {
  const purgeNext = (formId: number) =>
    db.transaction().execute(async (trx) => {
      await lockFormGate(trx, formId);
      const ids = await findOverdueIds(trx, formId, CHUNK);
      await deleteSubmissions(trx, formId, ids);
      return ids.length;
    });
  await eachForm(await findFormsWithOverdue(db), async ({ id }) => {
    while (!stopping.aborted && (await purgeNext(id)) === CHUNK);
  });
}
