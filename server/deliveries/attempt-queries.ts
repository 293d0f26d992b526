import { sql } from 'kysely';
import type pg from 'pg';
import type { ArrayWriter } from '../db/array-writer.ts';
import type { Transaction } from '../db/database.ts';

/**
 * An integration whose deliveries have all failed for this long is made inactive, but only when a delivery has used up all its
 * attempts: where submissions are rare, the last failure may be weeks old, and one more failed attempt shows little.
 */
const GIVE_UP_AFTER_DAYS = 5;
/** The status by which a receiver asks for no further deliveries. */
const GONE = 410;

/** The result of an attempt, as it is recorded. */
export interface AttemptRecord {
  formId: number;
  deliveryId: number;
  integrationId: number;
  /**
   * Number of earlier attempts when it was claimed. If the number differs now, somebody asked to send the delivery again during the
   * attempt. During a first attempt both are 0; then the next attempt follows as after any first one.
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
  /** It does not show whether the integration works or fails. */
  isExempt?: boolean;
  /** The `webhook_url` it went to; null for a mail. */
  sentTo: string | null;
}

/** An integration that should be made inactive because of its receiver's answers. */
export interface Surrender {
  integrationId: number;
  formId: number;
  isGone: boolean;
  /** When the integration was last changed before this verdict. */
  asOf: string;
}

/**
 * Records attempts, and updates their deliveries, in one statement. Recording ends the lease, and only deliveries with a lease are
 * recorded: so when an answer of the database is lost, the same attempts can safely be recorded again.
 * @param pool with `OUTBOX_SETTINGS`
 * @param write must not be shared by calls at the same time
 * @returns integrations that should be made inactive
 */
export async function recordAttempts(
  pool: pg.Pool,
  unsorted: readonly AttemptRecord[],
  write: ArrayWriter,
): Promise<Surrender[]> {
  // Locked in the order of whoever sends many again, or records other attempts, so that neither stops the other.
  const attempts = unsorted.toSorted((one, other) => one.deliveryId - other.deliveryId);
  const verdicts = verdictsOf(attempts).toSorted((one, other) => one.integrationId - other.integrationId);
  write.reset();
  const { rows } = await pool.query<Surrender>({
    name: 'record-attempts',
    text: RECORD_ATTEMPTS,
    values: [
      write.int8(attempts.map(({ formId }) => formId)),
      write.int8(attempts.map(({ deliveryId }) => deliveryId)),
      write.int8(attempts.map(({ integrationId }) => integrationId)),
      write.int4(attempts.map(({ attemptsMade }) => attemptsMade)),
      write.bool(attempts.map(({ isDelivered }) => isDelivered)),
      write.float8(attempts.map(({ retryDelayMs }) => retryDelayMs)),
      write.float8(attempts.map(({ ageMs }) => ageMs)),
      write.int4(attempts.map(({ durationMs }) => durationMs)),
      write.int4(attempts.map(({ statusCode }) => statusCode)),
      write.text(attempts.map(({ failure }) => failure)),
      write.text(attempts.map(({ failureDetail }) => failureDetail)),
      write.text(attempts.map(({ responseExcerpt }) => responseExcerpt)),
      write.int8(verdicts.map(({ integrationId }) => integrationId)),
      write.text(verdicts.map(({ sentTo }) => sentTo)),
      write.bool(verdicts.map(({ works }) => works)),
      write.bool(verdicts.map(({ isGone }) => isGone)),
      write.bool(verdicts.map(({ isExhausted }) => isExhausted)),
    ],
  });
  return rows;
}

/** What the attempts of a batch show about an integration, by the address they were sent to. */
interface Verdict {
  integrationId: number;
  sentTo: string | null;
  /** One of the attempts succeeded. */
  works: boolean;
  isGone: boolean;
  /** One of the attempts failed and was the last of its delivery. */
  isExhausted: boolean;
}

function verdictsOf(attempts: readonly AttemptRecord[]): Verdict[] {
  const verdicts = new Map<string, Verdict>();
  for (const { integrationId, sentTo, isDelivered, retryDelayMs, statusCode, isExempt } of attempts) {
    if (isExempt === true) continue;
    const key = `${integrationId} ${sentTo ?? ''}`;
    const unjudged = { integrationId, sentTo, works: false, isGone: false, isExhausted: false };
    const verdict = verdicts.get(key) ?? unjudged;
    verdict.works ||= isDelivered;
    verdict.isGone ||= statusCode === GONE;
    verdict.isExhausted ||= !isDelivered && retryDelayMs === null;
    verdicts.set(key, verdict);
  }
  return [...verdicts.values()];
}

const IS_SENT_AGAIN = '(deliveries.attempts - attempts_before_replay <> attempts_made)';

// `select unnest(…), unnest(…)` yields rows one by one; unnested in `from`, they would all be collected first.
const RECORD_ATTEMPTS = `
with recorded as (
  update deliveries set
    attempts = attempts + 1,
    -- who asked to send it again during this attempt gets all attempts from now on, and the first at once
    attempts_before_replay = attempts_before_replay + ${IS_SENT_AGAIN}::int,
    leased_until = null,
    state = case
      when is_delivered then 'delivered'
      when state = 'pending' and retry_delay_ms is null and not ${IS_SENT_AGAIN} then 'exhausted'
      else state end,
    finished_at = case
      when is_delivered or (state = 'pending' and retry_delay_ms is null and not ${IS_SENT_AGAIN}) then now()
      else finished_at end,
    next_attempt_at = case
      when retry_delay_ms is null or ${IS_SENT_AGAIN} then next_attempt_at
      else now() + make_interval(secs => retry_delay_ms / 1000) end
  from (
    select unnest($1::int8[]) as form, unnest($2::int8[]) as delivery, unnest($3::int8[]) as integration,
      unnest($4::int4[]) as attempts_made, unnest($5::bool[]) as is_delivered, unnest($6::float8[]) as retry_delay_ms,
      unnest($7::float8[]) as age_ms, unnest($8::int4[]) as duration_ms, unnest($9::int4[]) as status_code,
      unnest($10::text[]) as failure, unnest($11::text[]) as failure_detail, unnest($12::text[]) as response_excerpt
  ) attempt
  where deliveries.form_id = form and deliveries.id = delivery and leased_until is not null
    -- redundant, but only the primary key can serve it: while the table is empty, any index that begins with the form looks as good
    and (deliveries.form_id, deliveries.id) >= (form, delivery)
  returning form, delivery, deliveries.attempts, integration, age_ms, duration_ms, status_code, failure, failure_detail,
    response_excerpt
),
logged as (
  insert into delivery_attempts (form_id, delivery_id, attempt, integration_id, started_at, duration_ms,
    status_code, failure, failure_detail, response_excerpt)
  select form, delivery, attempts, integration, now() - make_interval(secs => age_ms / 1000), duration_ms,
    status_code, failure, failure_detail, response_excerpt
  from recorded
),
-- attempts that went to a former address show nothing about the integration as it is now
verdict as (
  select unnest($13::int8[]) as integration, unnest($14::text[]) as sent_to, unnest($15::bool[]) as works,
    unnest($16::bool[]) as gone, unnest($17::bool[]) as exhausted
),
marked as (
  update integrations set failing_since = case when works then null else now() end
  from verdict
  where integrations.id = integration and data ->> 'webhook_url' is not distinct from sent_to
    and works = (failing_since is not null)
)
select integrations.id as "integrationId", form_id as "formId", gone as "isGone", updated_at::text as "asOf"
from verdict join integrations on integrations.id = integration
  and data ->> 'webhook_url' is not distinct from sent_to
where status = 'active'
  and (gone or (exhausted and not works and failing_since < now() - make_interval(days => ${GIVE_UP_AFTER_DAYS})))`;

/** @returns false when it is inactive already, or was changed since the verdict */
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
