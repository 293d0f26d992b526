import { type Selectable, sql } from 'kysely';
import type pg from 'pg';
import { type Db, ROW_BY_ROW, type SessionSettings } from '../db/database.ts';
import type { Integrations } from '../db/schema.ts';
import { MAIL_KINDS } from '../mail/mail-kinds.ts';
import type { MailServer } from '../mail/mail-servers.ts';
import { HAS_OWN_SERVER, mailServerOf } from '../mail/queries.ts';

/**
 * Settings of the dispatcher's sessions. Its claims and records need no fsync: those that a crash of the database loses only lead to
 * sending again, which is allowed.
 */
export const OUTBOX_SETTINGS: SessionSettings = { ...ROW_BY_ROW, synchronous_commit: 'off' };

/** For this long only the process that claimed a delivery may send it; if that process dies, another one then takes over. */
export const LEASE_SECONDS = 60;
/** Longest time between asking for a claim and the start of its lease; statements that take longer fail. */
const CLAIMING_SECONDS = LEASE_SECONDS / 2;

/** Bytes of bodies at which a claim takes no further one: for many times as much the database would take seconds. */
const MAX_CLAIM_BYTES = 8 * 1024 * 1024;

/** A delivery that only this process may send while its lease lasts. */
export interface ClaimedDelivery {
  formId: number;
  id: number;
  integrationId: number;
  webhookId: string;
  body: string;
  /** Attempts since it was scheduled, or since somebody asked to send it again. */
  attemptsMade: number;
}

export type EndpointRow = Pick<
  Selectable<Integrations>,
  'id' | 'form_id' | 'integration_id' | 'data' | 'secrets_encrypted' | 'failing_since'
> & {
  /** Milliseconds since waiting deliveries of its form were last deleted; null if none ever were. */
  removed_ms_ago: number | null;
  /** The mail server of its workspace; null where it uses the installation's. */
  mail_server: MailServer | null;
};

/**
 * The integrations after `afterId`, sorted, that have a due delivery which nobody has claimed. The query jumps from integration to
 * integration in the index of pending deliveries and reads one entry of each, however many a dead receiver has piled up. It names the
 * index's whole order, so that no other index can serve it. Without `canMail` integrations that send mail are left out, unless their
 * workspace has a mail server.
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
      and (${canMail}::boolean or integrations.integration_id <> all(${MAIL_KINDS}::text[]) or ${sql.raw(HAS_OWN_SERVER)})
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
 * Claims up to `quota` due deliveries of each integration, those due longest first. If they exceed `MAX_CLAIM_BYTES`, the shortest
 * bodies are claimed and, among equally long ones, those of the integrations listed first.
 * @param pool with `OUTBOX_SETTINGS`; otherwise the plan may be one for an empty table
 * @param options.longest bytes; deliveries with longer bodies are left
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

// A locked row keeps its ctid, which finds it again without an index. `octet_length` does not read the body.
const CLAIM_DELIVERIES = `
with due as materialized (
  select due.*, turn
  from unnest($1::bigint[], $2::int[]) with ordinality as wanted (integration_id, quota, turn)
  join integrations on integrations.id = wanted.integration_id and integrations.status = 'active'
    and ($3::boolean or integrations.integration_id <> all($4::text[]) or ${HAS_OWN_SERVER})
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

/** Whether `MAX_CLAIM_BYTES` ended a claim, so that deliveries may be left for which a quota had room. */
export function isCutShort(claimed: readonly ClaimedDelivery[]): boolean {
  return claimed.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0) >= MAX_CLAIM_BYTES;
}

/**
 * Gives back claims that were not sent, for any process to claim. A lease that ends later than this process's can belongs to another
 * process, which claimed the delivery while this one stood still; it is left alone.
 * @param unsorted `ageMs` is the time since the claim was asked for
 */
export async function releaseDeliveries(
  db: Db,
  unsorted: readonly { delivery: Pick<ClaimedDelivery, 'formId' | 'id'>; ageMs: number }[],
): Promise<void> {
  // Locked in the order of whoever sends many again, so that neither stops the other.
  const claims = unsorted.toSorted((one, other) => one.delivery.id - other.delivery.id);
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

/** Where deliveries of these integrations go; inactive integrations are left out. */
export function findEndpoints(db: Db, integrationIds: readonly number[]): Promise<EndpointRow[]> {
  return db
    .selectFrom('integrations')
    .innerJoin('forms', 'forms.id', 'integrations.form_id')
    .leftJoin('form_counters', 'form_counters.form_id', 'integrations.form_id')
    .select(mailServerOf('forms.workspace_id').as('mail_server'))
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
