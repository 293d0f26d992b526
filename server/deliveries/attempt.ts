import type { OutboundResult } from '../outbound/response.ts';
import type { AttemptRecord } from './attempt-queries.ts';
import type { MailFailure } from './deliver-mail.ts';
import type { ClaimedDelivery } from './outbox-queries.ts';
import { RETRY_STEPS_MS, retryDelayMs } from './retry-schedule.ts';

/** The result of an attempt, over HTTP or SMTP, whose status codes have the same shape; and what follows from it. */
export type AttemptResult = (
  | OutboundResult
  | { ok: false; reason: MailFailure; durationMs: number; detail: string }
) & {
  /** Another attempt would fail, too. */
  isFinal?: boolean;
  /** It does not show whether the integration works or fails. */
  isExempt?: boolean;
  retryAfterSeconds?: number;
};

/** Only 2xx counts as delivered. A redirect does not, as it is not followed. */
export function isDelivered(result: AttemptResult): boolean {
  return result.ok && result.status >= 200 && result.status < 300;
}

/** The result as the metrics label it. */
type AttemptOutcome = 'delivered' | 'retry' | 'exhausted' | 'blocked';

/**
 * What is recorded of an attempt, and its label in the metrics.
 * @param sentTo the `webhook_url` it went to; null for a mail
 */
export function describeAttempt(
  delivery: ClaimedDelivery,
  result: AttemptResult,
  sentTo: string | null,
  random: () => number,
): { record: Omit<AttemptRecord, 'ageMs'>; outcome: AttemptOutcome } {
  const delivered = isDelivered(result);
  const retryAfter = result.ok ? result.headers['retry-after'] : result.retryAfterSeconds?.toString();
  const isOver = delivered || result.isFinal === true;
  const retryDelay = isOver
    ? null
    : retryDelayMs(attemptsThatCount(delivery, result), retryAfter, random, new Date());
  const record = {
    formId: delivery.formId,
    deliveryId: delivery.id,
    integrationId: delivery.integrationId,
    attemptsMade: delivery.attemptsMade,
    isDelivered: delivered,
    retryDelayMs: retryDelay,
    durationMs: result.durationMs,
    statusCode: result.ok ? result.status : null,
    failure: result.ok ? null : result.reason,
    failureDetail: result.ok ? null : result.detail,
    responseExcerpt: result.ok && result.bodyExcerpt !== '' ? result.bodyExcerpt : null,
    isExempt: result.isExempt === true,
    sentTo,
  };
  return { record, outcome: outcomeOf(delivered, retryDelay, result) };
}

/** It is no fault of the receiver when secrets cannot be read: such a delivery is tried for as long as it takes to set them again. */
function attemptsThatCount({ attemptsMade }: ClaimedDelivery, result: AttemptResult): number {
  const made = attemptsMade + 1;
  return !result.ok && result.reason === 'unreadable_secret'
    ? Math.min(made, RETRY_STEPS_MS.length - 1)
    : made;
}

function outcomeOf(delivered: boolean, retryDelay: number | null, result: AttemptResult): AttemptOutcome {
  if (delivered) return 'delivered';
  if (retryDelay === null) return 'exhausted';
  return !result.ok && result.reason === 'blocked_address' ? 'blocked' : 'retry';
}
