import { type RawBuilder, sql } from 'kysely';
import { SESSION_IDLE } from '../access/queries.ts';
import type { Db } from '../db/database.ts';
import { CHUNK, inChunks } from '../db/in-chunks.ts';
import { MAIL_JOB } from '../members/invite-queries.ts';
import { MAILING_JOBS } from './payloads.ts';
import type { Turn } from './schedule.ts';

/** Deletes jobs of a task whose attempts are used up, which the queue would keep for ever. */
export async function deleteFailedJobs(db: Db, task: string): Promise<void> {
  await sql`
    select graphile_worker.complete_jobs(array_agg(id)) from graphile_worker.jobs
    where task_identifier = ${task} and attempts >= max_attempts and locked_at is null`.execute(db);
}

/** Longer than any mail takes: see `SEND_TIMEOUT_MS` of the mailer. */
const LOST_AFTER = sql`interval '5 minutes'`;

/**
 * Gives mails back to the queue whose process died with them; by itself it waits four hours for that. People wait for these mails in front
 * of a page. A mail that was taken by the server just before is sent twice.
 * @returns how many there were
 */
export async function freeLostMails(db: Db): Promise<number> {
  const { rows } = await sql`
    update graphile_worker._private_jobs job set locked_at = null, locked_by = null, run_at = greatest(run_at, now())
    from graphile_worker._private_tasks task
    where task.id = job.task_id and task.identifier = any(${[...MAILING_JOBS]}::text[])
      and job.locked_at < now() - ${LOST_AFTER}
    returning job.id`.execute(db);
  return rows.length;
}

/**
 * Queues the next turn of each task unless it waits already. Because of its key, at most one turn of a task waits. The
 * queue does not wait for a running turn, so a long task that is due every minute ends within that minute (see
 * unhurried). The next turn is the retry. A queued turn later than the next one dates from when the clock was ahead.
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

/** Deletes keys after 72 hours. */
export function purgeIdempotencyKeys(db: Db, stopping?: AbortSignal): Promise<void> {
  return purge(db, stopping, {
    from: 'idempotency_keys',
    key: 'form_id, key',
    where: sql`created_at < now() - interval '72 hours'`,
  });
}

/** Deletes the log of deliveries after 30 days, except deliveries still to be sent. */
export async function purgeDeliveryLog(db: Db, stopping?: AbortSignal): Promise<void> {
  const isOldAttempt = sql`started_at < now() - interval '30 days'`;
  await purge(db, stopping, {
    from: 'delivery_attempts',
    key: 'form_id, delivery_id, attempt',
    where: isOldAttempt,
  });
  const isOld = sql`finished_at < now() - interval '30 days' and state <> 'pending'`;
  await purge(db, stopping, { from: 'deliveries', key: 'form_id, id', where: isOld });
}

/** Deletes invites, accepted or not, 30 days after they expired. */
export function purgeInvites(db: Db, stopping?: AbortSignal): Promise<void> {
  return purge(db, stopping, {
    from: 'workspace_invites',
    key: 'id',
    where: sql`valid_until < now() - interval '30 days'`,
  });
}

/**
 * Deletes mails that were given up, which the queue would keep for ever, with addresses in the server's messages. A
 * failed invite mail is kept as long as its invite, to show the failure; mailed links are no longer valid by then.
 */
export async function deleteFailedMails(db: Db): Promise<void> {
  await sql`
    select graphile_worker.complete_jobs(array_agg(id)) from graphile_worker.jobs as job
    where task_identifier = any(${[...MAILING_JOBS]}::text[]) and attempts >= max_attempts and locked_at is null
      and not exists (select from workspace_invites as invite where job.key = ${MAIL_JOB} || invite.id)`.execute(
    db,
  );
}

/** Deletes sessions that ended by age or disuse, and unfinished sign-ins. */
export async function purgeSessions(db: Db, stopping?: AbortSignal): Promise<void> {
  const isOver = sql`expires_at < now() or last_used_at < now() - ${SESSION_IDLE}`;
  await purge(db, stopping, { from: 'sessions', key: 'token_hash', where: isOver });
  await purge(db, stopping, { from: 'pending_sign_ins', key: 'token_hash', where: sql`expires_at < now()` });
}

/** Deletes failed guesses after a day; they count only for minutes. */
export function purgeFailedGuesses(db: Db, stopping?: AbortSignal): Promise<void> {
  const isOld = sql`last_failed_at < now() - interval '1 day'`;
  return purge(db, stopping, { from: 'failed_guesses', key: 'subject, address', where: isOld });
}

/** Deletes drafts of visitors that were not changed for a day, and expired previews. */
export async function purgeDrafts(db: Db, stopping?: AbortSignal): Promise<void> {
  await purge(db, stopping, {
    from: 'form_drafts',
    key: 'form_id, id_hash',
    where: sql`updated_at < now() - interval '1 day'`,
  });
  await purge(db, stopping, { from: 'form_previews', key: 'token_hash', where: sql`expires_at < now()` });
}

/** Deletes past counts of mails, kept per hour and day (UTC). */
export function purgeMailCounts(db: Db, stopping?: AbortSignal): Promise<void> {
  const isPast = sql`since < now() - interval '25 hours'`;
  return purge(db, stopping, { from: 'mail_counts', key: 'form_id, counted, since', where: isPast });
}

/** Keeps the audit log for 400 days; the database refuses to delete younger events. */
export function purgeAuditLog(db: Db, stopping?: AbortSignal): Promise<void> {
  return purge(db, stopping, {
    from: 'audit_events',
    key: 'id',
    where: sql`created_at < now() - interval '400 days'`,
  });
}

/** Deletes spent challenges once they expire: expired ones are refused without looking here. */
export function purgeSpentChallenges(db: Db, stopping?: AbortSignal): Promise<void> {
  return purge(db, stopping, {
    from: 'spent_challenges',
    key: 'challenge_hash',
    where: sql`expires_at < now()`,
  });
}

/** Rows to delete. */
interface Purged {
  from: string;
  /** Names of the columns that tell the rows apart. */
  key: string;
  where: RawBuilder<unknown>;
}

/**
 * Deletes rows of a table. One that somebody changes at that moment is left to the next turn, which asks the condition again.
 */
function purge(db: Db, stopping: AbortSignal | undefined, { from, key, where }: Purged): Promise<void> {
  const [table, columns] = [sql.table(from), sql.raw(key)];
  const statement = sql`
    with locked as materialized (
      select ${columns} from ${table} where ${where} limit ${CHUNK} for update skip locked
    )
    delete from ${table} where (${columns}) in (select ${columns} from locked)`;
  return inChunks(db, statement, stopping);
}
