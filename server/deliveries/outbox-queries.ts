import { type Selectable, sql } from 'kysely';
import type pg from 'pg';
import type { Db, Transaction } from '../db/database.ts';
import type { Integrations } from '../db/schema.ts';
import { MAIL_KINDS } from '../mail/mail-kinds.ts';

/**
 * Sessions of the dispatcher. Its claims and records need no fsync: whatever a crash of the database takes of them is sent again,
 * which is allowed. Plans are made while the tables may be empty, and are kept while they grow to millions of rows: of all ways to
 * join, only the one that asks an index row by row is left.
 */
export const OUTBOX_OPTIONS =
  '-c synchronous_commit=off -c plan_cache_mode=force_generic_plan' +
  ' -c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off';

/** Who claims a delivery alone may send it for this long; whoever dies holds it up no longer. */
export const LEASE_SECONDS = 60;
/** Between asking for a claim and its lease at most, or it ends by itself; half of what lies between a lease and the next one. */
const CLAIMING_SECONDS = LEASE_SECONDS / 2;
/** A receiver that has done nothing but fail for this long is not called any more. */
const GIVE_UP_AFTER_DAYS = 5;

/** A delivery this process alone may send, while its lease lasts. */
export interface ClaimedDelivery {
  formId: number;
  id: number;
  integrationId: number;
  webhookId: string;
  body: string;
  /** Attempts made since it was scheduled, or sent again by hand. */
  attemptsMade: number;
}

/** How an attempt ended, as it is recorded. */
export interface AttemptRecord {
  formId: number;
  deliveryId: number;
  integrationId: number;
  /**
   * As it was claimed. When it is another number now, somebody asked to send it again while the attempt was under way. During a
   * first attempt it is not: then the next one follows as after any first one.
   */
  attemptsMade: number;
  isDelivered: boolean;
  /** Milliseconds from recording to the next attempt; null when there is none. */
  retryDelayMs: number | null;
  /** Milliseconds from the start of the attempt to recording. */
  ageMs: number;
  durationMs: number;
  statusCode: number | null;
  failure: string | null;
  failureDetail: string | null;
  responseExcerpt: string | null;
  /** It says nothing of the integration. */
  isExempt?: boolean;
  /** The `webhook_url` it went to; null for a mail. */
  sentTo: string | null;
}

export type EndpointRow = Pick<
  Selectable<Integrations>,
  'id' | 'form_id' | 'integration_id' | 'data' | 'secrets_encrypted' | 'failing_since'
> & {
  /** Milliseconds since deliveries of its form were last removed; null when none ever was. */
  removed_ms_ago: number | null;
};

/** An integration that its receiver's answers speak against. */
export interface Surrender {
  integrationId: number;
  formId: number;
  isGone: boolean;
  /** When the integration that is judged was last changed. */
  asOf: string;
}

/**
 * The integrations after `afterId`, in order, for which a delivery is due and nobody sends it. Goes from one to the next
 * by the index of what is pending and reads one entry of each, however many a dead receiver has piled up. The
 * complete order is named so that no other index can serve it. Without `canMail` those that send mail are left out.
 */
export async function findDueIntegrations(
  db: Db,
  afterId: number,
  limit: number,
  canMail = true,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with recursive queued as (
      (select integration_id from deliveries
        where state = 'pending' and integration_id > ${afterId}
        order by integration_id, next_attempt_at, id limit 1)
      union all
      select following.integration_id
      from queued cross join lateral (
        select integration_id from deliveries
        where state = 'pending' and integration_id > queued.integration_id
        order by integration_id, next_attempt_at, id limit 1
      ) following
    )
    select integrations.id
    from queued
    join integrations on integrations.id = queued.integration_id and integrations.status = 'active'
      and (${canMail}::boolean or integrations.integration_id <> all(${MAIL_KINDS}::text[]))
    cross join lateral (
      select from deliveries
      where state = 'pending' and integration_id = queued.integration_id and next_attempt_at <= now()
        and (leased_until is null or leased_until < now())
      order by next_attempt_at, id limit 1
    ) due
    order by integrations.id
    limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Takes up to `quota` due deliveries of each integration, the longest due first.
 * @param pool with `OUTBOX_OPTIONS`, or the plan that is kept may be one for an empty table
 */
export async function claimDeliveries(
  pool: pg.Pool,
  quotas: readonly { integrationId: number; quota: number }[],
  canMail = true,
): Promise<ClaimedDelivery[]> {
  const { rows } = await pool.query<ClaimedDelivery>({
    name: 'claim-deliveries',
    text: CLAIM_DELIVERIES,
    values: [
      quotas.map(({ integrationId }) => integrationId),
      quotas.map(({ quota }) => quota),
      canMail,
      MAIL_KINDS,
    ],
  });
  return rows;
}

const CLAIM_DELIVERIES = `
with picked as materialized (
  select due.form_id, due.id
  from unnest($1::bigint[], $2::int[]) as wanted (integration_id, quota)
  join integrations on integrations.id = wanted.integration_id and integrations.status = 'active'
    and ($3::boolean or integrations.integration_id <> all($4::text[]))
  cross join lateral (
    select form_id, id from deliveries
    where state = 'pending' and integration_id = wanted.integration_id and next_attempt_at <= now()
      and (leased_until is null or leased_until < now())
    order by next_attempt_at, id
    limit wanted.quota
    for update skip locked
  ) due
)
update deliveries set leased_until = now() + make_interval(secs => ${LEASE_SECONDS})
from picked where deliveries.form_id = picked.form_id and deliveries.id = picked.id
returning deliveries.form_id as "formId", deliveries.id, integration_id as "integrationId",
  webhook_id as "webhookId", body, attempts - attempts_before_replay as "attemptsMade"`;

/**
 * Gives claims back that were not sent, for anybody to take. A lease that ends later than theirs can is of somebody who claimed
 * them since: this process stood still.
 * @param claims with the time since they were asked for
 */
export async function releaseDeliveries(
  db: Db,
  claims: readonly { delivery: Pick<ClaimedDelivery, 'formId' | 'id'>; ageMs: number }[],
): Promise<void> {
  const formIds = claims.map(({ delivery }) => delivery.formId);
  const ids = claims.map(({ delivery }) => delivery.id);
  const ages = claims.map(({ ageMs }) => ageMs / 1000);
  await sql`
    update deliveries set leased_until = null
    from unnest(${formIds}::bigint[], ${ids}::bigint[], ${ages}::float8[]) as claim (form_id, id, age)
    where deliveries.form_id = claim.form_id and deliveries.id = claim.id and state = 'pending'
      and leased_until < now() + make_interval(secs => ${LEASE_SECONDS + CLAIMING_SECONDS} - age)`.execute(
    db,
  );
}

/** Where the deliveries of these integrations go; inactive ones are left out. */
export function findEndpoints(db: Db, integrationIds: readonly number[]): Promise<EndpointRow[]> {
  return db
    .selectFrom('integrations')
    .leftJoin('form_counters', 'form_counters.form_id', 'integrations.form_id')
    .select([
      'integrations.id',
      'integrations.form_id',
      'integration_id',
      'data',
      'secrets_encrypted',
      'failing_since',
      sql<number | null>`extract(epoch from clock_timestamp() - deliveries_removed_at)::float8 * 1000`.as(
        'removed_ms_ago',
      ),
    ])
    .where('integrations.id', 'in', integrationIds)
    .where('status', '=', 'active')
    .execute();
}

/**
 * Records attempts and what becomes of their deliveries, in one statement. Returns the integrations that should
 * be called no more. Recording takes the lease away, and without a lease nothing is recorded: when an answer of the database got
 * lost, the same attempts can be recorded again.
 * @param pool with `OUTBOX_OPTIONS`
 */
export async function recordAttempts(
  pool: pg.Pool,
  attempts: readonly AttemptRecord[],
): Promise<Surrender[]> {
  const { rows } = await pool.query<Surrender>({
    name: 'record-attempts',
    text: RECORD_ATTEMPTS,
    values: [JSON.stringify(attempts)],
  });
  return rows;
}

const IS_SENT_AGAIN = '(deliveries.attempts - attempts_before_replay <> "attemptsMade")';

const RECORD_ATTEMPTS = `
with result as materialized (
  select * from jsonb_to_recordset($1::jsonb) as result (
    "formId" bigint, "deliveryId" bigint, "integrationId" bigint, "attemptsMade" int, "isDelivered" boolean,
    "retryDelayMs" float8, "ageMs" float8, "durationMs" int, "statusCode" int, failure text, "failureDetail" text, "responseExcerpt" text,
    "isExempt" boolean, "sentTo" text)
),
recorded as (
  update deliveries set
    attempts = attempts + 1,
    -- Who asked for all attempts anew gets all of them, and the first at once.
    attempts_before_replay = attempts_before_replay + ${IS_SENT_AGAIN}::int,
    leased_until = null,
    state = case
      when "isDelivered" then 'delivered'
      when state = 'pending' and "retryDelayMs" is null and not ${IS_SENT_AGAIN} then 'exhausted'
      else state end,
    finished_at = case
      when "isDelivered" or (state = 'pending' and "retryDelayMs" is null and not ${IS_SENT_AGAIN}) then now()
      else finished_at end,
    next_attempt_at = case
      when "retryDelayMs" is null or ${IS_SENT_AGAIN} then next_attempt_at
      else now() + make_interval(secs => "retryDelayMs" / 1000) end
  from result
  where deliveries.form_id = "formId" and deliveries.id = "deliveryId" and leased_until is not null
  returning deliveries.attempts, result.*
),
logged as (
  insert into delivery_attempts (form_id, delivery_id, attempt, integration_id, started_at, duration_ms,
    status_code, failure, failure_detail, response_excerpt)
  select "formId", "deliveryId", attempts, "integrationId", now() - make_interval(secs => "ageMs" / 1000), "durationMs",
    "statusCode", failure, "failureDetail", "responseExcerpt"
  from recorded
),
-- What was sent to a former address says nothing of the integration as it is now.
verdict as (
  select "integrationId", "sentTo", bool_or("isDelivered") as works, coalesce(bool_or("statusCode" = 410), false) as gone
  from result where "isExempt" is not true group by "integrationId", "sentTo"
),
marked as (
  update integrations set failing_since = case when works then null else now() end
  from verdict
  where integrations.id = "integrationId" and data ->> 'webhook_url' is not distinct from "sentTo"
    and works = (failing_since is not null)
)
select "integrationId", form_id as "formId", gone as "isGone", updated_at::text as "asOf"
from verdict join integrations on integrations.id = "integrationId"
  and data ->> 'webhook_url' is not distinct from "sentTo"
where status = 'active'
  and (gone or (not works and failing_since < now() - make_interval(days => ${GIVE_UP_AFTER_DAYS})))`;

/** False when it is inactive already, or was changed since it was judged. */
export async function deactivateIntegration(
  trx: Transaction,
  { formId, integrationId, asOf }: Surrender,
  reason: string,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('integrations')
    .set({ status: 'inactive', inactive_reason: reason, updated_at: sql`now()` })
    .where('form_id', '=', formId)
    .where('id', '=', integrationId)
    .where('status', '=', 'active')
    .where('updated_at', '=', sql<Date>`${asOf}::timestamptz`)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
