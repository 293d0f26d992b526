import { isJsonObject, type JsonObject } from '../../fields/property.ts';
import type { Context } from '../context.ts';
import { HttpError } from '../http/errors.ts';

/** The version of Stripe's interface whose answers are read here, whatever an account has set. */
const STRIPE_VERSION = '2024-06-20';
const TIMEOUT_MS = 10_000;
/** Bytes of an answer: sessions take some 5,000. */
const MAX_ANSWER = 60 * 1024;

/** What Stripe said: the status and the members, or no answer at all, which may come if it is asked again. */
export type StripeAnswer = { isReached: true; status: number; body: JsonObject } | { isReached: false };

export interface StripeRequest {
  method: 'GET' | 'POST';
  /** Begins with `/v1/`. */
  path: string;
  /** Sent form-encoded. */
  form?: Record<string, string>;
  /** Makes repeating a POST safe for 24 hours. */
  idempotencyKey?: string;
}

type Parts = Pick<Context, 'config' | 'log' | 'outbound'>;

/**
 * Asks Stripe. Answers that say nothing (no connection, too late, 409, 429, 5xx, no JSON) are all `isReached: false`: whoever asks tries again.
 * The key goes into the header alone, and nothing of the answer into the log.
 */
export async function askStripe(
  { config, log, outbound }: Parts,
  secretKey: string,
  { method, path, form, idempotencyKey }: StripeRequest,
): Promise<StripeAnswer> {
  const result = await outbound.request({
    url: config.stripeApiUrl + path,
    method,
    headers: {
      authorization: `Bearer ${secretKey}`,
      'stripe-version': STRIPE_VERSION,
      accept: 'application/json',
      ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    },
    ...(form && { body: new URLSearchParams(form).toString() }),
    timeoutMs: TIMEOUT_MS,
    keptBytes: MAX_ANSWER,
  });
  const body = result.ok ? readObject(result.bodyExcerpt) : null;
  if (result.ok && body !== null && !saysLater(result.status))
    return { isReached: true, status: result.status, body };
  const reason = result.ok ? result.status : result.reason;
  log.warn({ reason }, 'the payment provider could not be asked');
  return { isReached: false };
}

/** Told to whoever has to try again. */
export function stripeUnavailable(): HttpError {
  return new HttpError(
    503,
    'Stripe cannot be asked right now. Please try again.',
    { error: 'payment_provider_unavailable' },
    { 'retry-after': '5' },
  );
}

function saysLater(status: number): boolean {
  return status === 409 || status === 429 || status >= 500 || status < 200;
}

function readObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}
