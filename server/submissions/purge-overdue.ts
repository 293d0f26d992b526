import type { Db } from '../db/database.ts';
import { eachForm } from '../jobs/go-on.ts';
import { lockFormGate } from './change-queries.ts';
import { deleteSubmissions } from './queries.ts';

/** Deleted by one transaction: new submissions to the form wait for it. */
const CHUNK = 500;

/** Submissions that waited somewhere until their time was over. */
interface Overdue {
  findForms(db: Db): Promise<{ id: number }[]>;
  findIds(db: Db, formId: number, limit: number): Promise<number[]>;
}

/** Deletes them for good, form by form. @throws FormsFailed at the end */
export async function purgeOverdue(db: Db, overdue: Overdue, stopping: AbortSignal): Promise<void> {
  const purgeNext = (formId: number) =>
    db.transaction().execute(async (trx) => {
      await lockFormGate(trx, formId);
      const ids = await overdue.findIds(trx, formId, CHUNK);
      await deleteSubmissions(trx, formId, ids);
      return ids.length;
    });
  await eachForm(await overdue.findForms(db), async ({ id }) => {
    while (!stopping.aborted && (await purgeNext(id)) === CHUNK);
  });
}
