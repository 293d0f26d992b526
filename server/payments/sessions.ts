import { createHash } from 'node:crypto';
import type { AmountDue } from '../../fields/payment.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../fields/property.ts';
import { cut } from '../../fields/texts/cut.ts';
import type { Context } from '../context.ts';
import { askStripe, type StripeAnswer } from './stripe.ts';

const PATH = '/v1/checkout/sessions';
/** Characters of the line that says what is paid. */
const MAX_NAME = 250;
/** Characters of an address and of an id at Stripe. */
const MAX_URL = 4_096;
const ID = /^[A-Za-z0-9_]{1,255}$/;

/** A page at Stripe where one amount can be paid. */
interface SessionRequest {
  due: AmountDue;
  title: string;
  /** UUID. */
  formId: string;
  publicId: string;
  /** Where people come back to. */
  url: string;
  /** Filled in there; null for none. */
  email: string | null;
  /** In seconds since 1970; from 30 minutes to 24 hours from now. */
  expiresAt: number;
  /** Tells it from earlier ones for the same submission. */
  attempt: number;
}

/** What became of a page at Stripe. */
type SessionStanding =
  | { kind: 'open' | 'processing' | 'expired' }
  | { kind: 'paid'; reference: string }
  /** The account does not know it, or the key may not ask. */
  | { kind: 'unknown' }
  /** Stripe did not answer: ask again. */
  | { kind: 'unasked' };

/**
 * Makes a page at Stripe. The same request, made again within a day, makes no second page.
 * @returns null when Stripe made none
 */
export async function createSession(
  context: Pick<Context, 'config' | 'log' | 'outbound'>,
  secretKey: string,
  asked: SessionRequest,
): Promise<{ id: string; url: string } | null> {
  const form = formOf(asked);
  const hash = createHash('sha256')
    .update(JSON.stringify([form, asked.attempt]))
    .digest('hex');
  const answer = await askStripe(context, secretKey, {
    method: 'POST',
    path: PATH,
    form,
    idempotencyKey: `formstead-${hash}`,
  });
  if (!answer.isReached) return null;
  const session = answer.status === 200 ? sessionIn(answer.body, context.config.stripeApiUrl) : null;
  if (session) return session;
  const { code, param } = errorIn(answer.body);
  // An address that people may have, but that Stripe does not take, is asked for there.
  if (param === 'customer_email' && asked.email !== null)
    return createSession(context, secretKey, { ...asked, email: null });
  context.log.warn({ status: answer.status, code, param }, 'the payment provider made no page');
  return null;
}

function formOf(asked: SessionRequest): Record<string, string> {
  const { due, title, formId, publicId, url, email, expiresAt } = asked;
  const line = 'line_items[0]';
  const intent = 'payment_intent_data[metadata]';
  return {
    mode: 'payment',
    [`${line}[quantity]`]: '1',
    [`${line}[price_data][currency]`]: due.currency.toLowerCase(),
    [`${line}[price_data][unit_amount]`]: String(due.minor),
    [`${line}[price_data][product_data][name]`]: cut(title, MAX_NAME),
    client_reference_id: publicId,
    'metadata[form]': formId,
    'metadata[submission]': publicId,
    [`${intent}[form]`]: formId,
    [`${intent}[submission]`]: publicId,
    success_url: url,
    cancel_url: url,
    expires_at: String(expiresAt),
    ...(email !== null && { customer_email: email }),
  };
}

/** Asks what became of a page. @param publicId of the submission it has to be about */
export async function askSession(
  context: Pick<Context, 'config' | 'log' | 'outbound'>,
  secretKey: string,
  { id, publicId }: { id: string; publicId: string },
): Promise<SessionStanding> {
  const answer = await askStripe(context, secretKey, { method: 'GET', path: `${PATH}/${id}` });
  if (!answer.isReached) return { kind: 'unasked' };
  return standingIn(answer, { id, publicId });
}

function standingIn(
  { status, body }: Extract<StripeAnswer, { isReached: true }>,
  { id, publicId }: { id: string; publicId: string },
): SessionStanding {
  if (status !== 200) return { kind: 'unknown' };
  if (body.id !== id || body.client_reference_id !== publicId) return { kind: 'unasked' };
  const { status: state, payment_status: paid } = body;
  if (state === 'open') return { kind: 'open' };
  if (state === 'expired') return { kind: 'expired' };
  if (state !== 'complete') return { kind: 'unasked' };
  if (paid === 'unpaid') return { kind: 'processing' };
  return { kind: 'paid', reference: referenceIn(body.payment_intent) ?? id };
}

/** An id, or the object itself. */
function referenceIn(intent: JsonValue | undefined): string | null {
  const id = isJsonObject(intent) ? intent.id : intent;
  return typeof id === 'string' && ID.test(id) ? id : null;
}

/** Its page is on Stripe's own host or a domain of the account; never unencrypted, unless Stripe itself is asked so. */
function sessionIn({ id, url }: JsonObject, apiUrl: string): { id: string; url: string } | null {
  if (typeof id !== 'string' || !ID.test(id) || typeof url !== 'string' || url.length > MAX_URL) return null;
  if (!URL.canParse(url)) return null;
  const { protocol } = new URL(url);
  return protocol === 'https:' || protocol === new URL(apiUrl).protocol ? { id, url } : null;
}

/** Words of Stripe's own, never what was sent. */
function errorIn({ error }: JsonObject) {
  const { code, param } = isJsonObject(error) ? error : {};
  return { code: typeof code === 'string' ? code : null, param: typeof param === 'string' ? param : null };
}
