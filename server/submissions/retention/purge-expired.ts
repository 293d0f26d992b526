import type { Db } from '../../db/database.ts';
import { eachForm } from '../../jobs/go-on.ts';
import {
  deleteExpiredSubmissions,
  findExpiredSubmissions,
  findFormsWithRetention,
} from './expired-queries.ts';

/**
 * Deletes the submissions, partial ones too, whose last change is at least as old as their form's retention.
 * @param options.now instead of the database's clock, for tests
 * @param options.stopping ends it after the submissions at hand; the next scheduled run deletes the rest
 * @throws FormsFailed when statements of some forms failed, after the others
 */
export async function purgeExpiredSubmissions(
  db: Db,
  { now = null, stopping }: { now?: Date | null; stopping?: AbortSignal } = {},
): Promise<void> {
  const forms = await findFormsWithRetention(db);
  await eachForm(forms, ({ id }) => purgeForm(db, id, now, stopping), stopping);
}

async function purgeForm(
  db: Db,
  formId: number,
  now: Date | null,
  stopping: AbortSignal | undefined,
): Promise<void> {
  for (let after = 0; !stopping?.aborted; ) {
    const found = await findExpiredSubmissions(db, formId, after, now);
    if (!found) return;
    if (found.expired.length > 0) await deleteExpiredSubmissions(db, formId, found.expired, now);
    after = found.last;
  }
}
