import { sql } from 'kysely';
import type { Db, Transaction } from '../db/database.ts';
import { LEASE_SECONDS } from '../deliveries/outbox-queries.ts';
import type { Turn } from './schedule.ts';

/** Another worker may queue a turn in a later minute than that in which this transaction began. */
const SLACK_SECONDS = 60;
/** No lease of an export or of a mail to a recipient lasts longer. */
const LONGEST_LEASE = sql`interval '1 hour'`;

/**
 * After the clock of the database was set back, brings forward what waits for a time that was named while it was ahead. Call it before
 * the next turns are queued: a turn that is due every minute, but waits longer, shows how far ahead the clock was, unless it failed and
 * is to be tried again.
 * @param long its statements may take long
 * @returns seconds by which the clock was set back, beyond the minute that a turn may wait; 0 = it was not
 */
export async function undoClockAhead(long: Db, turns: readonly Turn[]): Promise<number> {
  const tasks = turns.filter(({ minute }) => minute === null).map(({ task }) => task);
  return long.transaction().execute(async (trx) => {
    const { rows } = await sql<{ seconds: number | null }>`
      select extract(epoch from max(run_at) - date_trunc('minute', now()) - interval '1 minute')::float8 as seconds
      from graphile_worker.jobs
      where key = any(${tasks}) and locked_at is null and attempts = 0`.execute(trx);
    const seconds = rows[0]?.seconds ?? 0;
    if (seconds <= SLACK_SECONDS) return 0;
    await bringForward(trx, seconds, turns);
    return seconds;
  });
}

async function bringForward(trx: Transaction, seconds: number, turns: readonly Turn[]): Promise<void> {
  const behind = sql`make_interval(secs => ${seconds}::float8 + 60)`;
  const lease = sql`now() + make_interval(secs => ${LEASE_SECONDS})`;
  // In the order of whoever records attempts, so that neither stops the other.
  await sql`
    with locked as materialized (
      select form_id, id from deliveries
      where state = 'pending' and (next_attempt_at > now() or leased_until > ${lease}) order by id for no key update
    )
    update deliveries set next_attempt_at = least(next_attempt_at, greatest(now(), next_attempt_at - ${behind})),
      leased_until = case when leased_until > ${lease} then ${lease} else leased_until end
    from locked where deliveries.form_id = locked.form_id and deliveries.id = locked.id`.execute(trx);
  await sql`
    select graphile_worker.reschedule_jobs(array[id], run_at => greatest(now(), run_at - ${behind}))
    from graphile_worker.jobs
    where run_at > now() and locked_at is null and (key is null or key <> all(${turns.map(({ task }) => task)}))`.execute(
    trx,
  );
  await sql`
    update export_jobs set leased_until = now() + ${LONGEST_LEASE}
    where status = 'processing' and leased_until > now() + ${LONGEST_LEASE}`.execute(trx);
  await sql`
    update recipients set mail_lease_until = now() + ${LONGEST_LEASE}
    where mail_due is not null and mail_lease_until > now() + ${LONGEST_LEASE}`.execute(trx);
  await sql`update failed_guesses set last_failed_at = now() where last_failed_at > now()`.execute(trx);
}
