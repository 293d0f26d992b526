import type { Db } from '../db/database.ts';
import {
  deleteExpiredSubmissions,
  findExpiredSubmissions,
  findFormsWithRetention,
} from './retention-queries.ts';

/**
 * Deletes the submissions, partial ones too, whose last change is as old as their form's retention or older.
 * @param now another moment than the database's, for tests
 */
export async function purgeExpiredSubmissions(db: Db, now: Date | null = null): Promise<void> {
  for (const formId of await findFormsWithRetention(db)) await purgeForm(db, formId, now);
}

async function purgeForm(db: Db, formId: number, now: Date | null): Promise<void> {
  for (let after = 0; ; ) {
    const found = await findExpiredSubmissions(db, formId, after, now);
    if (!found) return;
    if (found.expired.length > 0) await deleteExpiredSubmissions(db, formId, found.expired, now);
    after = found.last;
  }
}
