import { sql } from 'kysely';
import type { Db, Transaction } from '../db/database.ts';
import { WAITING } from './link-queries.ts';

/** Rows rewritten by one statement: lists are long, and a statement may take five seconds. */
const STEP = 5_000;

/**
 * Forgets when the recipients of a form did something, and what they answered, but not that they answered. What still waits for its sender
 * counts as answered: nobody knows any more whose it is.
 */
export async function forgetWhoAnsweredWhat(trx: Transaction, formId: number): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select id from recipients
    where form_id = ${formId} and (submission_public_id is not null or earlier_submissions <> '{}'
      or opened_at is not null or answered_at is not null)
    order by random()`.execute(trx);
  await writeAnew(trx, formId, rows);
  // These hashes include the code of a personal link.
  await sql`delete from idempotency_keys where form_id = ${formId}`.execute(trx);
}

/** Forgets in which transaction and order recipients of anonymous forms have answered since yesterday. */
export async function forgetTraces(db: Db): Promise<void> {
  const { rows: forms } = await sql<{ form_id: number }>`
    select form_id from personal_links where anonymous order by form_id`.execute(db);
  for (const { form_id: formId } of forms)
    await db.transaction().execute(async (trx) => {
      // As every change of recipients does; the form may not be anonymous any more.
      const { rows: locked } = await sql`
        select from personal_links where form_id = ${formId} and anonymous for update`.execute(trx);
      if (locked.length === 0) return;
      const { rows } = await sql<{ id: number }>`
        select id from recipients
        where form_id = ${formId} and answered_at >= date_trunc('day', now(), 'UTC') - interval '1 day'
        order by random()`.execute(trx);
      await writeAnew(trx, formId, rows);
    });
}

/**
 * Rewrites rows in one transaction and in random order. A row stores its transaction (`xmin`), which the submission
 * shares, and new rows lie one behind the other in the file. An insert keeps the given order, an update does not.
 * @param shuffled in random order, so that steps reveal nothing either
 */
async function writeAnew(
  trx: Transaction,
  formId: number,
  shuffled: readonly { id: number }[],
): Promise<void> {
  for (let from = 0; from < shuffled.length; from += STEP) {
    const ids = shuffled.slice(from, from + STEP).map(({ id }) => id);
    await sql`
      insert into recipients as r (id, form_id, code) overriding system value
      select id, form_id, code from recipients
      where form_id = ${formId} and id = any(${ids}::bigint[]) order by random() for update
      on conflict (form_id, code) do update set submission_public_id = null, earlier_submissions = '{}',
        opened_at = null,
        answered_at = date_trunc('day', case when exists (select ${WAITING}) then now() else r.answered_at end, 'UTC')`.execute(
      trx,
    );
  }
}
