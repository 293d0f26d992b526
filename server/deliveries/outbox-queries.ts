import { type Selectable, sql } from 'kysely';
import type pg from 'pg';
import type { Db } from '../db/database.ts';
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

/** Bytes of bodies that one statement claims, and the last of them: the database takes seconds for what is many times as long. */
const MAX_CLAIM_BYTES = 8 * 1024 * 1024;

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

export type EndpointRow = Pick<
  Selectable<Integrations>,
  'id' | 'form_id' | 'integration_id' | 'data' | 'secrets_encrypted' | 'failing_since'
> & {
  /** Milliseconds since deliveries of its form were last removed; null when none ever was. */
  removed_ms_ago: number | null;
};

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
 * Takes up to `quota` due deliveries of each integration, the longest due first. Of more than `MAX_CLAIM_BYTES` the short ones, and the
 * long ones of the integrations that are named first.
 * @param pool with `OUTBOX_OPTIONS`, or the plan that is kept may be one for an empty table
 * @param options.longest bytes of a body; what is longer stays
 */
export async function claimDeliveries(
  pool: pg.Pool,
  quotas: readonly { integrationId: number; quota: number }[],
  { canMail = true, longest = null }: { canMail?: boolean; longest?: number | null } = {},
): Promise<ClaimedDelivery[]> {
  const { rows } = await pool.query<ClaimedDelivery>({
    name: 'claim-deliveries',
    text: CLAIM_DELIVERIES,
    values: [
      quotas.map(({ integrationId }) => integrationId),
      quotas.map(({ quota }) => quota),
      canMail,
      MAIL_KINDS,
      longest,
    ],
  });
  return rows;
}

// What was locked stays where it is, and is found again without an index. How long a body is can be told without reading it.
const CLAIM_DELIVERIES = `
with due as materialized (
  select due.*, turn
  from unnest($1::bigint[], $2::int[]) with ordinality as wanted (integration_id, quota, turn)
  join integrations on integrations.id = wanted.integration_id and integrations.status = 'active'
    and ($3::boolean or integrations.integration_id <> all($4::text[]))
  cross join lateral (
    select ctid as place, octet_length(body) as bytes, next_attempt_at, id from deliveries
    where state = 'pending' and integration_id = wanted.integration_id and next_attempt_at <= now()
      and (leased_until is null or leased_until < now())
    order by next_attempt_at, id
    limit wanted.quota
    for update skip locked
  ) due
),
picked as materialized (
  select place
  from (
    select *, sum(bytes) over (order by bytes, turn rows unbounded preceding exclude current row) as bytes_before from due
  ) due
  where coalesce(bytes_before, 0) < ${MAX_CLAIM_BYTES} and ($5::int is null or bytes <= $5)
  order by next_attempt_at, id
)
update deliveries set leased_until = now() + make_interval(secs => ${LEASE_SECONDS})
from picked where deliveries.ctid = picked.place
returning deliveries.form_id as "formId", deliveries.id, integration_id as "integrationId",
  webhook_id as "webhookId", body, attempts - attempts_before_replay as "attemptsMade"`;

/** Whether others were left that a quota had room for. */
export function isCutShort(claimed: readonly ClaimedDelivery[]): boolean {
  return claimed.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0) >= MAX_CLAIM_BYTES;
}

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
