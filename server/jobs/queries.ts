import { sql } from 'kysely';
import { SESSION_IDLE } from '../access/queries.ts';
import type { Db } from '../db/database.ts';
import { MAIL_JOB } from '../members/invite-queries.ts';
import { MAILING_JOBS } from './payloads.ts';
import type { Turn } from './schedule.ts';

/** Rows removed by one statement, so that none holds its locks for long. */
const CHUNK = 5_000;

/** Jobs of a task whose attempts are used up; the queue keeps them for ever. */
export async function deleteFailedJobs(db: Db, task: string): Promise<void> {
  await sql`
    select graphile_worker.complete_jobs(array_agg(id)) from graphile_worker.jobs
    where task_identifier = ${task} and attempts >= max_attempts and locked_at is null`.execute(db);
}

/**
 * Puts the next turn of each task into the queue, where it does not wait yet. By its key one of a kind waits at most, whoever asks. The
 * queue does not wait for one that runs, so what may take long and is due every minute ends within it (see unhurried). The next
 * turn is the retry. A turn that waits for a later time than the next one was noted when the clock was ahead.
 */
export async function enqueueNextTurns(db: Db, turns: readonly Turn[]): Promise<void> {
  await sql`
    with turn as (
      select task, case when minute is null then date_trunc('minute', now()) + interval '1 minute'
        when hour + make_interval(mins => minute) > now() then hour + make_interval(mins => minute)
        else hour + make_interval(hours => 1, mins => minute) end as due
      from json_to_recordset(${JSON.stringify(turns)}::json) as turn (task text, minute int),
        date_trunc('hour', now(), 'UTC') as hour
    )
    select graphile_worker.add_job(task, run_at => due, max_attempts => 1, job_key => task)
    from turn where not exists (
      select from graphile_worker.jobs as job
      where job.key = task and job.locked_at is null and job.attempts < job.max_attempts and job.run_at <= due)`.execute(
    db,
  );
}

/** Keys are honoured for 72 hours. */
export function purgeIdempotencyKeys(db: Db, stopping?: AbortSignal): Promise<void> {
  return purge(
    db,
    sql`
    delete from idempotency_keys where (form_id, key) in (
      select form_id, key from idempotency_keys where created_at < now() - interval '72 hours' limit ${CHUNK})`,
    stopping,
  );
}

/** The log of deliveries is kept for 30 days; what still has to be sent stays. */
export async function purgeDeliveryLog(db: Db, stopping?: AbortSignal): Promise<void> {
  await purge(
    db,
    sql`
    delete from delivery_attempts where (form_id, delivery_id, attempt) in (
      select form_id, delivery_id, attempt from delivery_attempts
      where started_at < now() - interval '30 days' limit ${CHUNK})`,
    stopping,
  );
  await purge(
    db,
    sql`
    delete from deliveries where (form_id, id) in (
      select form_id, id from deliveries
      where finished_at < now() - interval '30 days' and state <> 'pending' limit ${CHUNK})`,
    stopping,
  );
}

/** Invitations, accepted or not, stay readable for 30 days after they ran out. */
export function purgeInvites(db: Db, stopping?: AbortSignal): Promise<void> {
  return purge(
    db,
    sql`
    delete from workspace_invites where id in (
      select id from workspace_invites
      where valid_until < now() - interval '30 days' limit ${CHUNK})`,
    stopping,
  );
}

/**
 * Mails that were given up: the queue keeps them for ever, with the address in what the server said. One that invites tells of its
 * failure as long as there is the invitation; links that were mailed are no longer good by then.
 */
export async function deleteFailedMails(db: Db): Promise<void> {
  await sql`
    select graphile_worker.complete_jobs(array_agg(id)) from graphile_worker.jobs as job
    where task_identifier = any(${[...MAILING_JOBS]}::text[]) and attempts >= max_attempts and locked_at is null
      and not exists (select from workspace_invites as invite where job.key = ${MAIL_JOB} || invite.id)`.execute(
    db,
  );
}

/** Sessions that ended, by age or by not being used, and sign-ins nobody finished. */
export async function purgeSessions(db: Db, stopping?: AbortSignal): Promise<void> {
  await purge(
    db,
    sql`
    delete from sessions where token_hash in (
      select token_hash from sessions where expires_at < now() or last_used_at < now() - ${SESSION_IDLE} limit ${CHUNK})`,
    stopping,
  );
  await purge(
    db,
    sql`
    delete from pending_sign_ins where token_hash in (
      select token_hash from pending_sign_ins where expires_at < now() limit ${CHUNK})`,
    stopping,
  );
}

/** Failed guesses count for minutes; a day later they mean nothing. */
export function purgeFailedGuesses(db: Db, stopping?: AbortSignal): Promise<void> {
  return purge(
    db,
    sql`
    delete from failed_guesses where (subject, address) in (
      select subject, address from failed_guesses where last_failed_at < now() - interval '1 day' limit ${CHUNK})`,
    stopping,
  );
}

/** Mails are counted by hours and days (UTC). */
export function purgeMailCounts(db: Db, stopping?: AbortSignal): Promise<void> {
  return purge(
    db,
    sql`
    delete from mail_counts where (form_id, counted, since) in (
      select form_id, counted, since from mail_counts where since < now() - interval '25 hours' limit ${CHUNK})`,
    stopping,
  );
}

/** A challenge that has run out is refused without looking here. */
export function purgeSpentChallenges(db: Db, stopping?: AbortSignal): Promise<void> {
  return purge(
    db,
    sql`
    delete from spent_challenges where challenge_hash in (
      select challenge_hash from spent_challenges where expires_at < now() limit ${CHUNK})`,
    stopping,
  );
}

/** Repeats a statement that deletes at most a chunk until a chunk is not full; the clock goes on with what a stop leaves. */
async function purge(
  db: Db,
  statement: ReturnType<typeof sql>,
  stopping: AbortSignal | undefined,
): Promise<void> {
  for (let removed = CHUNK; removed === CHUNK && !stopping?.aborted; ) {
    const { numAffectedRows } = await statement.execute(db);
    removed = Number(numAffectedRows ?? 0);
  }
}
