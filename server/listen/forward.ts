import { createHash } from 'node:crypto';
import { isDelivered } from '../deliveries/attempt.ts';
import { prepareRequest, send } from '../deliveries/deliver.ts';
import { fixedHeaders } from '../deliveries/delivery-headers.ts';
import { signingKeys } from '../deliveries/signature.ts';
import { parseAllowedNetworks } from '../outbound/address.ts';
import { createOutbound } from '../outbound/request.ts';
import type { Told } from './follow-submissions.ts';

/** What became of one request to the receiver. */
export interface Forwarded {
  time: string;
  event: Told['event'];
  submission_id: number;
  /** Number of the change; null for a new submission. */
  change_id: number | null;
  webhook_id: string;
  /** Whether the receiver answered 2xx in time. */
  is_delivered: boolean;
  /** null when the receiver did not answer. */
  status: number | null;
  failure: string | null;
  /** What went wrong, or the beginning of an answer other than 2xx. */
  detail: string | null;
  duration_ms: number;
}

/** Whoever runs the command chooses the receiver, so every address may be reached. */
const EVERY_ADDRESS = parseAllowedNetworks('0.0.0.0/0 ::/0');

/** Sends to the receiver what a webhook would send, once. @param service address that the submissions come from */
export function createForwarder(service: string, url: string, secret: string) {
  const outbound = createOutbound({ allowedNetworks: EVERY_ADDRESS });
  const keys = signingKeys(secret);
  const endpoint = {
    kind: 'web',
    url,
    storedUrl: url,
    keys,
    headers: {},
    fixedHeaders: fixedHeaders({}, true),
    isFailing: false,
  } as const;

  return async function forward(told: Told): Promise<Forwarded> {
    const webhookId = webhookIdOf(service, told);
    const time = new Date().toISOString();
    const result = await send(outbound, prepareRequest(endpoint, { webhookId, body: told.body }));
    const isOk = isDelivered(result);
    return {
      time,
      event: told.event,
      submission_id: told.id,
      change_id: told.change,
      webhook_id: webhookId,
      is_delivered: isOk,
      status: result.ok ? result.status : null,
      failure: result.ok ? null : result.reason,
      detail: isOk ? null : result.ok ? result.bodyExcerpt || null : result.detail,
      duration_ms: result.durationMs,
    };
  };
}

/** The same UUID whenever the same submission or change is sent, so that a receiver knows a repetition. */
function webhookIdOf(service: string, { formId, id, change }: Told): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([service, formId, id, change]))
    .digest('hex');
  // Version 8 of RFC 9562: bits of one's own making.
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `8${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ].join('-');
}
