import { VERSION } from '../version.ts';
import { type SigningKeys, signBody, standardWebhookHeaders } from './signature.ts';

const NAMES = ['content-type', 'webhook-id', 'webhook-timestamp'];
const NAMES_OF_SIGNATURES = ['x-webhook-signature', 'webhook-signature'];

/**
 * Headers that are the same at every attempt: the owner's custom ones, `Content-Type` and `User-Agent`. Custom headers may replace
 * `User-Agent`, but no other that the service sets.
 */
export function fixedHeaders(custom: Record<string, string>, isSigned: boolean): Record<string, string> {
  const ours = new Set(isSigned ? [...NAMES, ...NAMES_OF_SIGNATURES] : NAMES);
  const theirs = Object.entries(custom).filter(([name]) => !ours.has(name.toLowerCase()));
  const namesAgent = theirs.some(([name]) => name.toLowerCase() === 'user-agent');
  return {
    ...Object.fromEntries(theirs),
    'Content-Type': 'application/json',
    ...(!namesAgent && { 'User-Agent': `Formstead/${VERSION}` }),
  };
}

/** Headers that differ from attempt to attempt. Without keys it is not signed. */
export function attemptHeaders(
  keys: SigningKeys | null,
  webhookId: string,
  body: Buffer,
): Record<string, string> {
  const timestampSeconds = Math.floor(Date.now() / 1000);
  if (keys === null) return { 'webhook-id': webhookId, 'webhook-timestamp': String(timestampSeconds) };
  return {
    'X-Webhook-Signature': signBody(keys, body),
    ...standardWebhookHeaders(keys, webhookId, timestampSeconds, body),
  };
}
