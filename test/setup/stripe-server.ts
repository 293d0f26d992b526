import { randomBytes } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll } from 'vitest';

/** A Checkout Session, as far as it matters here. */
interface Session {
  id: string;
  account: string;
  status: 'open' | 'complete' | 'expired';
  payment_status: 'unpaid' | 'paid';
  payment_intent: string | null;
  client_reference_id: string;
  url: string;
  form: URLSearchParams;
}

export interface StripeRequest {
  method: string;
  path: string;
  form: URLSearchParams;
  idempotencyKey: string | undefined;
}

type Instead = (response: ServerResponse) => void;
type Answer = [status: number, body: object];
interface Owner {
  account: string;
  name: string;
  isRestricted?: boolean;
}

/** Stands for Stripe: keeps sessions, and lets tests pay them. */
export interface StripeServer {
  url: string;
  requests: StripeRequest[];
  sessions: Session[];
  /** By secret key: id of the account, its name, and whether the key is a restricted one that may not read the account. */
  keys: Map<string, Owner>;
  /** Answers the next requests in place of the usual, one each. */
  instead: Instead[];
  /** What becomes of a session; the latest one by default. */
  pay(session?: Session): string;
  process(session?: Session): void;
  expire(session?: Session): void;
  reset(): void;
  close(): Promise<void>;
}

/** A key that it knows. */
export const KNOWN_KEY = 'sk_test_ada0123456789';
const SESSIONS = '/v1/checkout/sessions';

/** Starts one before the tests of the file and stops it after them. */
export function useStripeServer(): StripeServer {
  const server = {} as StripeServer;
  beforeAll(async () => {
    Object.assign(server, await startStripeServer());
  });
  afterAll(() => server.close?.());
  return server;
}

export async function startStripeServer(): Promise<StripeServer> {
  const idempotent = new Map<string, { form: string; session: Session }>();
  const stripe: StripeServer = {
    url: '',
    requests: [],
    sessions: [],
    keys: new Map(),
    instead: [],
    pay(session = latest()) {
      session.status = 'complete';
      session.payment_status = 'paid';
      session.payment_intent ??= `pi_${randomBytes(12).toString('hex')}`;
      return session.payment_intent;
    },
    process(session = latest()) {
      session.status = 'complete';
      session.payment_intent ??= `pi_${randomBytes(12).toString('hex')}`;
    },
    expire(session = latest()) {
      session.status = 'expired';
    },
    reset() {
      stripe.requests.length = 0;
      stripe.sessions.length = 0;
      stripe.instead.length = 0;
      stripe.keys.clear();
      stripe.keys.set(KNOWN_KEY, { account: 'acct_ada', name: 'Ada’s shop' });
    },
    close: () =>
      new Promise((resolve) => {
        http.closeAllConnections();
        http.close(() => resolve());
      }),
  };
  function latest(): Session {
    const session = stripe.sessions.at(-1);
    if (!session) throw new Error('There is no session yet.');
    return session;
  }

  /** @returns status and body */
  function answerTo(
    { method, path, form, idempotencyKey }: StripeRequest,
    headers: IncomingHttpHeaders,
  ): Answer {
    const owner = stripe.keys.get(/^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1] ?? '');
    if (!owner) return [401, refusal('Invalid API Key provided.')];
    if (!/^\d{4}-\d\d-\d\d/.test(String(headers['stripe-version']))) return [400, refusal('No version.')];
    const { account } = owner;
    if (method === 'POST' && path === SESSIONS)
      return headers['content-type'] === 'application/x-www-form-urlencoded'
        ? create(account, form, idempotencyKey)
        : [400, refusal('The body is not form-encoded.')];
    if (method !== 'GET') return [404, refusal('Unrecognized request URL.')];
    if (path === '/v1/account') return accountOf(owner);
    if (path === SESSIONS) return [200, { object: 'list', data: [], has_more: false, url: SESSIONS }];
    const found = stripe.sessions.find((one) => one.account === account && path === `${SESSIONS}/${one.id}`);
    return found ? [200, shown(found)] : [404, refusal('No such checkout.session', 'resource_missing')];
  }

  function respond(request: IncomingMessage, body: string, response: ServerResponse): void {
    const { method = '', url = '', headers } = request;
    const key = headers['idempotency-key'];
    const asked = {
      method,
      path: url.split('?')[0] ?? '',
      form: new URLSearchParams(body),
      idempotencyKey: typeof key === 'string' ? key : undefined,
    };
    stripe.requests.push(asked);
    const instead = stripe.instead.shift();
    if (instead) instead(response);
    else send(response, ...answerTo(asked, headers));
  }

  function create(account: string, form: URLSearchParams, key: string | undefined): Answer {
    const known = key === undefined ? undefined : idempotent.get(`${account} ${key}`);
    if (known)
      return known.form === form.toString()
        ? [200, shown(known.session)]
        : [400, refusal('Keys for idempotent requests can only be used with the same parameters.')];
    const problem = problemWith(form);
    if (problem) return [400, problem];
    const id = `cs_test_${randomBytes(12).toString('hex')}`;
    const session: Session = {
      id,
      account,
      status: 'open',
      payment_status: 'unpaid',
      payment_intent: null,
      client_reference_id: form.get('client_reference_id') ?? '',
      url: `https://checkout.stripe.com/c/pay/${id}`,
      form,
    };
    stripe.sessions.push(session);
    if (key !== undefined) idempotent.set(`${account} ${key}`, { form: form.toString(), session });
    return [200, shown(session)];
  }

  const http = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => respond(request, Buffer.concat(chunks).toString(), response));
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  stripe.url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  stripe.reset();
  return stripe;
}

function accountOf({ account, name, isRestricted }: Owner): Answer {
  if (isRestricted) return [403, refusal('The key does not have the permission.')];
  const settings = { dashboard: { display_name: name } };
  return [200, { id: account, object: 'account', settings, business_profile: { name: null } }];
}

/** What Stripe would say of a request for a session. */
function problemWith(form: URLSearchParams): object | null {
  const price = 'line_items[0][price_data]';
  const expected = {
    mode: /^payment$/,
    'line_items[0][quantity]': /^1$/,
    [`${price}[currency]`]: /^[a-z]{3}$/,
    [`${price}[unit_amount]`]: /^[1-9]\d*$/,
    [`${price}[product_data][name]`]: /^.+$/,
    success_url: /^https?:\/\//,
    cancel_url: /^https?:\/\//,
    expires_at: /^\d+$/,
  };
  for (const [param, pattern] of Object.entries(expected))
    if (!pattern.test(form.get(param) ?? '')) return refusal(`Invalid ${param}`, 'parameter_invalid', param);
  const seconds = Number(form.get('expires_at')) - Date.now() / 1_000;
  if (seconds < 1_800 || seconds > 86_400)
    return refusal('It must expire in 30 minutes to 24 hours.', 'parameter_invalid', 'expires_at');
  const email = form.get('customer_email');
  if (email?.endsWith('.invalid')) return refusal('Invalid email', 'email_invalid', 'customer_email');
  if (Number(form.get(`${price}[unit_amount]`)) < 50) return refusal('Too small', 'amount_too_small');
  return null;
}

function shown({ form, account: _, ...session }: Session): object {
  return {
    object: 'checkout.session',
    amount_total: Number(form.get('line_items[0][price_data][unit_amount]')),
    currency: form.get('line_items[0][price_data][currency]'),
    livemode: false,
    ...session,
    url: session.status === 'open' ? session.url : null,
    // As long as an answer of Stripe is.
    custom_text: { submit: null, after_submit: 'x'.repeat(4_000) },
  };
}

function refusal(message: string, code?: string, param?: string): object {
  return { error: { type: 'invalid_request_error', message, code, param } };
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
