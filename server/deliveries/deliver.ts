import { OutboundError } from '../outbound/failure.ts';
import type { Outbound, OutboundResult } from '../outbound/request.ts';
import { VERSION } from '../version.ts';
import type { AttemptResult } from './attempt.ts';
import type { WebEndpoint } from './endpoints.ts';
import { signBody, standardWebhookHeaders } from './signature.ts';

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

/** Makes the request of one attempt. Our own headers win over custom ones of the same name, but for `User-Agent`. */
export function prepareRequest(endpoint: WebEndpoint, { webhookId, body }: Delivery): DeliveryRequest {
  const bytes = Buffer.from(body);
  const timestampSeconds = Math.floor(Date.now() / 1000);
  const own: Record<string, string> = { 'Content-Type': 'application/json' };
  if (endpoint.secret === null) {
    own['webhook-id'] = webhookId;
    own['webhook-timestamp'] = String(timestampSeconds);
  } else {
    own['X-Webhook-Signature'] = signBody(endpoint.secret, bytes);
    Object.assign(own, standardWebhookHeaders(endpoint.secret, webhookId, timestampSeconds, bytes));
  }
  const headers = withoutNames(endpoint.headers, Object.keys(own));
  const namesAgent = Object.keys(headers).some((name) => name.toLowerCase() === 'user-agent');
  if (!namesAgent) own['User-Agent'] = `Formstead/${VERSION}`;
  return { url: endpoint.url, headers: { ...headers, ...own }, body: bytes };
}

/** Sends it, unless its secrets cannot be read; `poolKey` keeps the connection for later requests of the same key. Never throws. */
export async function send(
  outbound: Outbound,
  request: DeliveryRequest,
  poolKey?: string,
): Promise<OutboundResult & { sentTo: string }> {
  if (request.url === '') {
    const { reason, detail } = new OutboundError('unreadable_secret');
    return { ok: false, reason, detail, durationMs: 0, sentTo: '' };
  }
  const pool = poolKey === undefined ? {} : { poolKey };
  const result = await outbound.request({ ...request, ...pool, timeoutMs: RESPONSE_TIMEOUT_MS });
  return { ...result, sentTo: request.url };
}

/** Success is 2xx; a redirect is none, since it is not followed. */
export function isDelivered(result: AttemptResult): boolean {
  return result.ok && result.status >= 200 && result.status < 300;
}

function withoutNames(headers: Record<string, string>, names: string[]): Record<string, string> {
  const entries = Object.entries(headers);
  if (entries.length === 0) return {};
  const taken = new Set(names.map((name) => name.toLowerCase()));
  return Object.fromEntries(entries.filter(([name]) => !taken.has(name.toLowerCase())));
}
