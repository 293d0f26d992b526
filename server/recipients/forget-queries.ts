import { type RawBuilder, sql } from 'kysely';
import type { Db, Transaction } from '../db/database.ts';

/** Forgets of all recipients of a form when they did what, and what they answered; that they have answered stays. */
export async function forgetWhoAnsweredWhat(trx: Transaction, formId: number): Promise<void> {
  await forget(
    trx,
    sql`form_id = ${formId} and (submission_public_id is not null or earlier_submissions <> '{}'
      or opened_at is not null or answered_at is not null)`,
  );
  // The hash of a request that came by a personal link was made with its code.
  await sql`delete from idempotency_keys where form_id = ${formId}`.execute(trx);
}

/** Forgets of those who have answered an anonymous form since yesterday which transaction it was, and in which order. */
export async function forgetTraces(db: Db): Promise<void> {
  await forget(
    db,
    sql`form_id in (select form_id from personal_links where anonymous)
      and answered_at >= date_trunc('day', now(), 'UTC') - interval '1 day'`,
  );
}

/**
 * Writes the rows anew in one transaction and in no order: a row knows which transaction wrote it (`xmin`), which is that of the
 * submission, and new ones lie behind each other in the file. Rows of an insert are taken in their order, those of an update are not.
 */
async function forget(db: Db, which: RawBuilder<unknown>): Promise<void> {
  await sql`
    insert into recipients as r (id, form_id, code) overriding system value
    select id, form_id, code from recipients where ${which} order by random() for update
    on conflict (form_id, code) do update set submission_public_id = null, earlier_submissions = '{}',
      opened_at = null, answered_at = date_trunc('day', r.answered_at, 'UTC')`.execute(db);
}
