import { isDelivered } from './deliver.ts';
import type { OutboundResult } from './outbound-request.ts';
import type { AttemptRecord, ClaimedDelivery } from './outbox-queries.ts';
import { retryDelayMs } from './retry-schedule.ts';

/** What an attempt came to, in the words of the metrics. */
export type AttemptOutcome = 'delivered' | 'retry' | 'exhausted' | 'blocked';

/** What is recorded of an attempt, and what follows from it. */
export function describeAttempt(
  delivery: ClaimedDelivery,
  result: OutboundResult,
  random: () => number,
): { record: Omit<AttemptRecord, 'ageMs'>; outcome: AttemptOutcome } {
  const delivered = isDelivered(result);
  const retryAfter = result.ok ? result.headers['retry-after'] : undefined;
  const retryDelay = delivered
    ? null
    : retryDelayMs(delivery.attemptsMade + 1, retryAfter, random, new Date());
  const record = {
    formId: delivery.formId,
    deliveryId: delivery.id,
    integrationId: delivery.integrationId,
    isDelivered: delivered,
    retryDelayMs: retryDelay,
    durationMs: result.durationMs,
    statusCode: result.ok ? result.status : null,
    failure: result.ok ? null : result.reason,
    failureDetail: result.ok ? null : result.detail,
    responseExcerpt: result.ok && result.bodyExcerpt !== '' ? result.bodyExcerpt : null,
  };
  return { record, outcome: outcomeOf(delivered, retryDelay, result) };
}

function outcomeOf(delivered: boolean, retryDelay: number | null, result: OutboundResult): AttemptOutcome {
  if (delivered) return 'delivered';
  if (retryDelay === null) return 'exhausted';
  return !result.ok && result.reason === 'blocked_address' ? 'blocked' : 'retry';
}
