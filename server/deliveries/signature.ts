import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

/** A secret in the notation of Standard Webhooks: the rest is the key in padded base64. */
const STANDARD_SECRET = /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/;

export interface SigningKeys {
  /** For `X-Webhook-Signature`: the UTF-8 bytes of the secret as configured, even if it is a `whsec_` secret. */
  plain: KeyObject;
  /** For Standard Webhooks. */
  standard: KeyObject;
}

/** The keys of a secret. Make them once for many signatures: in Node.js making a key takes longer than signing with it. */
export function signingKeys(secret: string): SigningKeys {
  return {
    plain: createSecretKey(Buffer.from(secret)),
    standard: createSecretKey(standardWebhookKey(secret)),
  };
}

/**
 * The value of `X-Webhook-Signature`: `sha256=` and the lower-case hex HMAC-SHA256 over the exact body bytes.
 */
export function signBody({ plain }: SigningKeys, body: Buffer | string): string {
  return `sha256=${createHmac('sha256', plain).update(body).digest('hex')}`;
}

/**
 * The headers of Standard Webhooks 1.0 for one attempt. The id is the same at every attempt of a delivery, the
 * timestamp is that of this attempt, in seconds since 1970. The signature covers `id.timestamp.body`.
 */
export function standardWebhookHeaders(
  { standard }: SigningKeys,
  webhookId: string,
  timestampSeconds: number,
  body: Buffer | string,
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const signature = createHmac('sha256', standard)
    .update(`${webhookId}.${timestampSeconds}.`)
    .update(body)
    .digest('base64');
  return {
    'webhook-id': webhookId,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': `v1,${signature}`,
  };
}

/** The decoded bytes of a `whsec_` secret. Of any other its UTF-8 bytes; a receiver gives its library their base64. */
function standardWebhookKey(secret: string): Buffer {
  const key = Buffer.from(STANDARD_SECRET.exec(secret)?.[1] ?? '', 'base64');
  return key.length > 0 ? key : Buffer.from(secret);
}
