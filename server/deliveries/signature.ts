import { createHmac } from 'node:crypto';

/** A secret in the notation of Standard Webhooks: the rest is the key in padded base64. */
const STANDARD_SECRET = /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/;

/**
 * The value of `X-Webhook-Signature`: `sha256=` and the lower-case hex HMAC-SHA256 over the exact body bytes.
 * The key is the UTF-8 bytes of the secret as configured, whatever it looks like.
 */
export function signBody(secret: string, body: Buffer | string): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

/**
 * The headers of Standard Webhooks 1.0 for one attempt. The id is the same at every attempt of a delivery, the
 * timestamp is that of this attempt, in seconds since 1970. The signature covers `id.timestamp.body`.
 */
export function standardWebhookHeaders(
  secret: string,
  webhookId: string,
  timestampSeconds: number,
  body: Buffer | string,
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const signature = createHmac('sha256', standardWebhookKey(secret))
    .update(`${webhookId}.${timestampSeconds}.`)
    .update(body)
    .digest('base64');
  return {
    'webhook-id': webhookId,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': `v1,${signature}`,
  };
}

/**
 * The decoded bytes of a `whsec_` secret; any other as it is, its UTF-8 bytes, whose base64 the receiver hands to its
 * library. A string, because Node makes a key of it five times faster than of a buffer.
 */
function standardWebhookKey(secret: string): Buffer | string {
  const key = Buffer.from(STANDARD_SECRET.exec(secret)?.[1] ?? '', 'base64');
  return key.length > 0 ? key : secret;
}
