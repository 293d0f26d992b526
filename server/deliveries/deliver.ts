import { OutboundError } from '../outbound/failure.ts';
import type { Outbound } from '../outbound/request.ts';
import type { OutboundResult } from '../outbound/response.ts';
import type { AttemptResult } from './attempt.ts';
import { attemptHeaders } from './delivery-headers.ts';
import type { WebEndpoint } from './endpoints.ts';

/** The receiver has this long to answer. */
const RESPONSE_TIMEOUT_MS = 15_000;

export interface Delivery {
  webhookId: string;
  /** The frozen text; every attempt sends the same bytes. */
  body: string;
}

/** The request of one attempt, signed with the secret of this moment. */
export interface DeliveryRequest {
  url: string;
  headers: Record<string, string>;
  body: Buffer;
}

/** Makes the request of one attempt. */
export function prepareRequest(endpoint: WebEndpoint, { webhookId, body }: Delivery): DeliveryRequest {
  const bytes = Buffer.from(body);
  const headers = { ...endpoint.fixedHeaders, ...attemptHeaders(endpoint.keys, webhookId, bytes) };
  return { url: endpoint.url, headers, body: bytes };
}

/** Sends it, unless its secrets cannot be read; `poolKey` keeps the connection for later requests of the same key. Never throws. */
export function send(
  outbound: Outbound,
  { url, headers, body }: DeliveryRequest,
  poolKey?: string,
): Promise<OutboundResult> {
  if (url === '') {
    const { reason, detail } = new OutboundError('unreadable_secret');
    return Promise.resolve({ ok: false, reason, detail, durationMs: 0 });
  }
  return outbound.request({ url, headers, body, poolKey, timeoutMs: RESPONSE_TIMEOUT_MS });
}

/** Success is 2xx; a redirect is none, since it is not followed. */
export function isDelivered(result: AttemptResult): boolean {
  return result.ok && result.status >= 200 && result.status < 300;
}
