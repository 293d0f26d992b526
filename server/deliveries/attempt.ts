import type { OutboundResult } from '../outbound/response.ts';
import type { AttemptRecord } from './attempt-queries.ts';
import { isDelivered } from './deliver.ts';
import type { MailFailure } from './deliver-mail.ts';
import type { ClaimedDelivery } from './outbox-queries.ts';
import { retryDelayMs } from './retry-schedule.ts';

/** What came of one attempt, over HTTP or SMTP, whose codes have the same shape; and what it asks for. */
export type AttemptResult = (
  | OutboundResult
  | { ok: false; reason: MailFailure; durationMs: number; detail: string }
) & {
  /** No other attempt would end better. */
  isFinal?: boolean;
  /** It says nothing of the integration, neither that it works nor that it fails. */
  isExempt?: boolean;
  retryAfterSeconds?: number;
};

/** What an attempt came to, in the words of the metrics. */
export type AttemptOutcome = 'delivered' | 'retry' | 'exhausted' | 'blocked';

/**
 * What is recorded of an attempt, and what follows from it.
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
  const retryDelay = isOver ? null : retryDelayMs(delivery.attemptsMade + 1, retryAfter, random, new Date());
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

function outcomeOf(delivered: boolean, retryDelay: number | null, result: AttemptResult): AttemptOutcome {
  if (delivered) return 'delivered';
  if (retryDelay === null) return 'exhausted';
  return !result.ok && result.reason === 'blocked_address' ? 'blocked' : 'retry';
}
