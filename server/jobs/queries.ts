import { sql } from 'kysely';
import type { Db } from '../db/database.ts';

/** Rows removed by one statement, so that none holds its locks for long. */
const CHUNK = 5_000;
/** Rows looked at by one statement in search of expired ones. */
const SCAN = 100_000;

/** Removes rows in chunks until a chunk is not full. @returns how many */
async function inChunks(removeChunk: () => Promise<number>): Promise<number> {
  for (let total = 0; ; ) {
    const removed = await removeChunk();
    total += removed;
    if (removed < CHUNK) return total;
  }
}

/** Forms that keep their submissions for a limited time only, drafts and closed ones too. */
export async function findFormsWithRetention(db: Db): Promise<number[]> {
  const forms = await db
    .selectFrom('forms')
    .select('id')
    .where('submission_retention_value', 'is not', null)
    .orderBy('id')
    .execute();
  return forms.map((form) => form.id);
}

/**
 * The oldest moment a form keeps, by the policy it has now. Months and years end on the last day when the target
 * month is shorter: one month before March 31 is February 28 or 29. null = it keeps everything.
 */
function oldestKept(formId: number, now: Date | null) {
  return sql`(
    select (coalesce(${now}::timestamptz, now()) at time zone 'UTC'
      - (submission_retention_value || ' ' || submission_retention_unit)::interval) at time zone 'UTC'
    from forms where id = ${formId} and submission_retention_value is not null)`;
}

/**
 * Looks through the next rows of a form for expired submissions, without locking anything.
 * @param after id of the last row looked at before; 0 to begin
 * @returns the expired ids, and where to go on; null when the form is through
 */
export async function findExpiredSubmissions(db: Db, formId: number, after: number, now: Date | null) {
  const { rows } = await sql<{ expired: number[] | null; last: number | null }>`
    with looked_at as materialized (
      select id, updated_at from submissions where form_id = ${formId} and id > ${after} order by id limit ${SCAN}
    ),
    expired as (
      select id from looked_at where updated_at <= ${oldestKept(formId, now)} order by id limit ${CHUNK}
    )
    select
      (select json_agg(id) from expired) as expired,
      case when (select count(*) from expired) = ${CHUNK} then (select max(id) from expired)
           else (select max(id) from looked_at) end as last`.execute(db);
  const { expired, last } = rows[0] ?? { expired: null, last: null };
  return last === null ? null : { expired: expired ?? [], last };
}

/**
 * Deletes these submissions if they are still expired, with their deliveries and attempts, and lowers the counters.
 * The lock on the counters keeps out submissions being edited or completed meanwhile.
 */
export async function deleteExpiredSubmissions(
  db: Db,
  formId: number,
  ids: number[],
  now: Date | null,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`select from form_counters where form_id = ${formId} for no key update`.execute(trx);
    await sql`
      with gone as (
        delete from submissions
        where form_id = ${formId} and id = any(${ids}::bigint[]) and updated_at <= ${oldestKept(formId, now)}
        returning id, status
      ),
      undelivered as (
        delete from deliveries where form_id = ${formId} and submission_id in (select id from gone)
        returning id
      ),
      forgotten as (
        delete from delivery_attempts where form_id = ${formId} and delivery_id in (select id from undelivered)
      )
      update form_counters set
        completed_count = completed_count - (select count(*) from gone where status = 'completed'),
        partial_count = partial_count - (select count(*) from gone where status = 'partial')
      where form_id = ${formId}`.execute(trx);
  });
}

/** Keys are honoured for 72 hours. */
export function purgeIdempotencyKeys(db: Db): Promise<number> {
  return purge(
    db,
    sql`
    delete from idempotency_keys where (form_id, key) in (
      select form_id, key from idempotency_keys where created_at < now() - interval '72 hours' limit ${CHUNK})`,
  );
}

/** The log of deliveries is kept for 30 days; what still has to be sent stays. */
export async function purgeDeliveryLog(db: Db): Promise<void> {
  await purge(
    db,
    sql`
    delete from delivery_attempts where (form_id, delivery_id, attempt) in (
      select form_id, delivery_id, attempt from delivery_attempts
      where started_at < now() - interval '30 days' limit ${CHUNK})`,
  );
  await purge(
    db,
    sql`
    delete from deliveries where (form_id, id) in (
      select form_id, id from deliveries
      where finished_at < now() - interval '30 days' and state <> 'pending' limit ${CHUNK})`,
  );
}

/** Invitations nobody accepted stay readable for 30 days after they ran out. */
export function purgeInvites(db: Db): Promise<number> {
  return purge(
    db,
    sql`
    delete from workspace_invites where id in (
      select id from workspace_invites
      where status = 'pending' and valid_until < now() - interval '30 days' limit ${CHUNK})`,
  );
}

export function purgeSessions(db: Db): Promise<number> {
  return purge(
    db,
    sql`
    delete from sessions where token_hash in (
      select token_hash from sessions where expires_at < now() limit ${CHUNK})`,
  );
}

/** Failed guesses count for minutes; a day later they mean nothing. */
export function purgeFailedGuesses(db: Db): Promise<number> {
  return purge(
    db,
    sql`
    delete from failed_guesses where (subject, address) in (
      select subject, address from failed_guesses where last_failed_at < now() - interval '1 day' limit ${CHUNK})`,
  );
}

/** A challenge that has run out is refused without looking here. */
export function purgeSpentChallenges(db: Db): Promise<number> {
  return purge(
    db,
    sql`
    delete from spent_challenges where challenge_hash in (
      select challenge_hash from spent_challenges where expires_at < now() limit ${CHUNK})`,
  );
}

function purge(db: Db, statement: ReturnType<typeof sql>): Promise<number> {
  return inChunks(async () => Number((await statement.execute(db)).numAffectedRows ?? 0));
}
