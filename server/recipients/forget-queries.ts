import { sql } from 'kysely';
import type { Db, Transaction } from '../db/database.ts';

/** Rows that are written anew by one statement: a list is long, and a statement may take five seconds. */
const STEP = 5_000;

/** Forgets of all recipients of a form when they did what, and what they answered; that they have answered stays. */
export async function forgetWhoAnsweredWhat(trx: Transaction, formId: number): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select id from recipients
    where form_id = ${formId} and (submission_public_id is not null or earlier_submissions <> '{}'
      or opened_at is not null or answered_at is not null)
    order by random()`.execute(trx);
  await writeAnew(trx, formId, rows);
  // The hash of a request that came by a personal link was made with its code.
  await sql`delete from idempotency_keys where form_id = ${formId}`.execute(trx);
}

/** Forgets of those who have answered an anonymous form since yesterday which transaction it was, and in which order. */
export async function forgetTraces(db: Db): Promise<void> {
  const { rows: forms } = await sql<{ form_id: number }>`
    select form_id from personal_links where anonymous order by form_id`.execute(db);
  for (const { form_id: formId } of forms)
    await db.transaction().execute(async (trx) => {
      const { rows } = await sql<{ id: number }>`
        select id from recipients
        where form_id = ${formId} and answered_at >= date_trunc('day', now(), 'UTC') - interval '1 day'
        order by random()`.execute(trx);
      await writeAnew(trx, formId, rows);
    });
}

/**
 * Writes rows anew in one transaction and in no order: a row knows which transaction wrote it (`xmin`), which is that of the
 * submission, and new ones lie behind each other in the file. Rows of an insert are taken in their order, those of an update are not.
 * @param shuffled in no order, so that nor does a step tell anything
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
        opened_at = null, answered_at = date_trunc('day', r.answered_at, 'UTC')`.execute(trx);
  }
}
