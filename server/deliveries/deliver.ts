import { OutboundError } from '../outbound/failure.ts';
import type { Outbound } from '../outbound/request.ts';
import type { OutboundResult } from '../outbound/response.ts';
import { attemptHeaders } from './delivery-headers.ts';
import type { WebEndpoint } from './endpoints.ts';

/** Time for a receiver to answer. */
const RESPONSE_TIMEOUT_MS = 15_000;

export interface Delivery {
  webhookId: string;
  /** Never changes: every attempt sends the same bytes. */
  body: string;
}

/** The request of one attempt, signed with the present secret. */
interface DeliveryRequest {
  url: string;
  headers: Record<string, string>;
  body: Buffer;
}

export function prepareRequest(endpoint: WebEndpoint, { webhookId, body }: Delivery): DeliveryRequest {
  const bytes = Buffer.from(body);
  const headers = { ...endpoint.fixedHeaders, ...attemptHeaders(endpoint.keys, webhookId, bytes) };
  return { url: endpoint.url, headers, body: bytes };
}

/**
 * Sends a request; one without a URL, as its secrets cannot be read, fails. Never throws.
 * @param poolKey keeps the connection open for later requests with the same key
 */
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
