import { sql } from 'kysely';
import type { Db, Transaction } from '../db/database.ts';

/** Deliveries per statement of a replay, so that none holds its locks for long. */
const REPLAY_CHUNK = 5000;

/** Nothing is sent, and so no next attempt known, before somebody activates an inactive integration. */
const IS_ACTIVE = sql`exists (
  select from integrations
  where integrations.id = deliveries.integration_id and integrations.form_id = deliveries.form_id and status = 'active')`;

type DeliveryState = 'pending' | 'delivered' | 'exhausted' | 'cancelled';

/** Names one delivery together with everything it must belong to. */
export interface DeliveryKey {
  formId: number;
  integrationId: number;
  id: number;
}

/** The latest attempts first; a page starts after the attempt `before`. */
export async function listAttempts(
  db: Db,
  { formId, integrationId }: { formId: number; integrationId: number },
  page: { limit: number; before: { deliveryId: number; attempt: number } | null },
) {
  return db
    .selectFrom('delivery_attempts as attempts')
    .innerJoin('deliveries', (join) =>
      join
        .onRef('deliveries.form_id', '=', 'attempts.form_id')
        .onRef('deliveries.id', '=', 'attempts.delivery_id'),
    )
    .selectAll('attempts')
    .select(['deliveries.submission_id', 'deliveries.webhook_id'])
    .select(
      sql<Date | null>`case when deliveries.state = 'pending' and deliveries.attempts = attempts.attempt
        and ${IS_ACTIVE} then deliveries.next_attempt_at end`.as('next_attempt_at'),
    )
    .where('attempts.form_id', '=', formId)
    .where('attempts.integration_id', '=', integrationId)
    .$if(page.before !== null, (query) =>
      query.where(
        sql<boolean>`(attempts.started_at, attempts.delivery_id, attempts.attempt) < (
          select started_at, delivery_id, attempt from delivery_attempts
          where form_id = ${formId} and integration_id = ${integrationId}
            and delivery_id = ${page.before?.deliveryId ?? 0} and attempt = ${page.before?.attempt ?? 0})`,
      ),
    )
    .orderBy('attempts.started_at', 'desc')
    .orderBy('attempts.delivery_id', 'desc')
    .orderBy('attempts.attempt', 'desc')
    .limit(page.limit)
    .execute();
}

/** Which deliveries a list shows; a page starts after the id `before`. */
interface DeliveriesPage {
  limit: number;
  before: number | null;
  state: DeliveryState | null;
  since: Date | null;
  until: Date | null;
}

/** The latest deliveries first. */
export function listDeliveries(
  db: Db,
  { formId, integrationId }: { formId: number; integrationId: number },
  { limit, before, state, since, until }: DeliveriesPage,
) {
  return deliveries(db, formId, integrationId)
    .$if(state !== null, (query) => query.where('state', '=', state))
    .$if(before !== null, (query) => query.where('deliveries.id', '<', before))
    .$if(since !== null, (query) => query.where('created_at', '>=', since))
    .$if(until !== null, (query) => query.where('created_at', '<', until))
    .orderBy('deliveries.id', 'desc')
    .limit(limit)
    .execute();
}

/** How many deliveries of an integration are in each state; states without any are left out. */
export function countDeliveries(
  db: Db,
  { formId, integrationId }: { formId: number; integrationId: number },
  { since, until }: { since: Date | null; until: Date | null },
) {
  return db
    .selectFrom('deliveries')
    .select(['state', sql<number>`count(*)`.as('count')])
    .where('form_id', '=', formId)
    .where('integration_id', '=', integrationId)
    .$if(since !== null, (query) => query.where('created_at', '>=', since))
    .$if(until !== null, (query) => query.where('created_at', '<', until))
    .groupBy('state')
    .execute();
}

/** One delivery with its body, or null. */
export async function findDelivery(db: Db, { formId, integrationId, id }: DeliveryKey) {
  const query = deliveries(db, formId, integrationId).select('body').where('deliveries.id', '=', id);
  return (await query.executeTakeFirst()) ?? null;
}

/** The attempts of one delivery, the oldest first. */
export function attemptsOf(db: Db, { formId, integrationId, id }: DeliveryKey) {
  return db
    .selectFrom('delivery_attempts')
    .selectAll()
    .where('form_id', '=', formId)
    .where('integration_id', '=', integrationId)
    .where('delivery_id', '=', id)
    .orderBy('attempt')
    .execute();
}

/**
 * Makes a delivery due now, with the full number of attempts. The caller holds the form, so its integrations stay.
 * @returns false when there is no such delivery, or its integration is gone
 */
export async function replayDelivery(db: Db, { formId, integrationId, id }: DeliveryKey): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('deliveries')
    .set(DUE_AGAIN)
    .where('form_id', '=', formId)
    .where('integration_id', '=', integrationId)
    .where('id', '=', id)
    .where(({ exists, selectFrom }) => exists(selectFrom('integrations').where('id', '=', integrationId)))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Makes all deliveries of an integration due now that were created from `since` on and before `until` (now if absent), in one
 * state or any. Ends when the integration is deleted: nobody would send or cancel the rest. @returns how many
 */
export async function replayDeliveries(
  db: Db,
  { formId, integrationId }: { formId: number; integrationId: number },
  range: { since: Date; until: Date | null; state: DeliveryState | null },
): Promise<number> {
  const { since, state } = range;
  // One moment for all chunks: deliveries created meanwhile are sent anyway.
  const until = range.until ?? (await now(db));
  for (let count = 0, afterId = 0; ; ) {
    const rows = await db
      .with(
        (cte) => cte('held').materialized(),
        (query) =>
          query.selectFrom('integrations').select('id').where('id', '=', integrationId).forKeyShare(),
      )
      .with(
        (cte) => cte('chosen').materialized(),
        (query) =>
          query
            .selectFrom('deliveries')
            .select('id')
            .where('form_id', '=', formId)
            .where('integration_id', '=', integrationId)
            .where('id', '>', afterId)
            .where(({ exists, selectFrom }) => exists(selectFrom('held')))
            .where('created_at', '>=', since)
            .where('created_at', '<', sql<Date>`${until}::timestamptz`)
            .$if(state !== null, (some) => some.where('state', '=', state))
            .orderBy('id')
            .limit(REPLAY_CHUNK)
            .forUpdate(),
      )
      .updateTable('deliveries')
      .from('chosen')
      .set(DUE_AGAIN)
      .where('deliveries.form_id', '=', formId)
      .whereRef('deliveries.id', '=', 'chosen.id')
      .returning('deliveries.id')
      .execute();
    count += rows.length;
    if (rows.length < REPLAY_CHUNK) return count;
    afterId = rows.reduce((largest, { id }) => Math.max(largest, id), afterId);
  }
}

/** Now, by the clock that dates deliveries, to the microsecond. */
async function now(db: Db): Promise<string> {
  const { rows } = await sql<{ now: string }>`select now()::text as now`.execute(db);
  return rows[0]?.now ?? '';
}

/**
 * Cancels up to `limit` waiting deliveries of an integration, those due first.
 * @param onLocked whether to wait for deliveries whose attempt is being recorded at this moment, or to leave them out
 * @returns how many
 */
export async function cancelDeliveries(
  db: Db,
  integrationId: number,
  limit: number,
  onLocked: 'wait' | 'skip',
): Promise<number> {
  const { numUpdatedRows } = await db
    .with(
      (cte) => cte('chosen').materialized(),
      (query) =>
        query
          .selectFrom('deliveries')
          .select(['form_id', 'id'])
          .where('integration_id', '=', integrationId)
          .where('state', '=', 'pending')
          .orderBy('next_attempt_at')
          .orderBy('id')
          .limit(limit),
    )
    .with(
      (cte) => cte('locked').materialized(),
      (query) =>
        // Locked in the order of whoever records attempts, so that neither stops the other.
        query
          .selectFrom('deliveries')
          .innerJoin('chosen', (join) =>
            join.onRef('chosen.form_id', '=', 'deliveries.form_id').onRef('chosen.id', '=', 'deliveries.id'),
          )
          .select(['deliveries.form_id', 'deliveries.id'])
          .where('state', '=', 'pending')
          .orderBy('deliveries.id')
          .forUpdate('deliveries')
          .$if(onLocked === 'skip', (some) => some.skipLocked()),
    )
    .updateTable('deliveries')
    .from('locked')
    .set({ state: 'cancelled', finished_at: sql`now()` })
    .whereRef('deliveries.form_id', '=', 'locked.form_id')
    .whereRef('deliveries.id', '=', 'locked.id')
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Makes all waiting deliveries of an integration due now. */
export async function bringForward(
  trx: Transaction,
  { form_id: formId, id }: { form_id: number; id: number },
): Promise<void> {
  await trx
    .updateTable('deliveries')
    .set({ next_attempt_at: sql`now()` })
    .where('form_id', '=', formId)
    .where('integration_id', '=', id)
    .where('state', '=', 'pending')
    .where('next_attempt_at', '>', sql<Date>`now()`)
    .execute();
}

const DUE_AGAIN = {
  state: 'pending',
  next_attempt_at: sql<Date>`now()`,
  finished_at: null,
  attempts_before_replay: sql<number>`attempts`,
};

/** Deliveries, each with its last attempt. */
function deliveries(db: Db, formId: number, integrationId: number) {
  return db
    .selectFrom('deliveries')
    .leftJoin('delivery_attempts as last', (join) =>
      join
        .onRef('last.form_id', '=', 'deliveries.form_id')
        .onRef('last.delivery_id', '=', 'deliveries.id')
        .onRef('last.attempt', '=', 'deliveries.attempts'),
    )
    .select([
      'deliveries.id',
      'deliveries.integration_id',
      'submission_id',
      'webhook_id',
      'state',
      'attempts',
      'created_at',
      'finished_at',
      'last.started_at',
      'last.status_code',
      'last.failure',
      'last.duration_ms',
    ])
    .select(
      sql<Date | null>`case when state = 'pending' and ${IS_ACTIVE} then next_attempt_at end`.as(
        'next_attempt_at',
      ),
    )
    .where('deliveries.form_id', '=', formId)
    .where('deliveries.integration_id', '=', integrationId)
    .$narrowType<{ state: DeliveryState }>();
}
