import { beforeEach, expect, test } from 'vitest';
import { aVisitor } from '../public-pages/visitor.ts';
import { aField, aTextField, TEXT_FIELD_ID } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { KNOWN_KEY, useStripeServer } from '../setup/stripe-server.ts';

const stripe = useStripeServer();
const home = useHome(() => ({ env: { ROLES: 'http', STRIPE_API_URL: stripe.url } }));

beforeEach(async () => {
  stripe.reset();
  const connected = { stripe_secret_key: KNOWN_KEY };
  expect((await home.call('PUT', `/open/workspaces/${home.workspaceId}/payments`, connected)).status).toBe(
    200,
  );
});

const FEE = { ...aField('p1', 'payment', 'Fee'), amount: 12.5, currency: 'EUR' };
const EMAIL = aField('e1', 'email', 'E-mail');
const HTML = { accept: 'text/html' };
const mention = (id: string) => `<span mention mention-field-id="${id}">it</span>`;
const TEST_MODE = 'Dies ist ein Test: Es wird kein Geld abgebucht.';

type Form = { id: number; slug: string };
const aCharge = (overrides: Record<string, unknown> = {}): Promise<Form> =>
  home.form({ title: 'Course', properties: [aTextField(), EMAIL, FEE], ...overrides });
const integrate = async (form: Form, integration_id: string, data: object) => {
  const made = await home.call('POST', `/open/forms/${form.id}/integrations`, { integration_id, data });
  expect(made.status, made.text).toBeLessThan(300);
  return made.body.form_integration ?? made.body;
};
const bodies = async (form: Form): Promise<string[]> =>
  (
    await home.service.context.pool.query(
      'select body::text from deliveries where form_id = $1 order by id',
      [form.id],
    )
  ).rows.map(({ body }) => body);

/** Sends the form and goes to Stripe's page. @returns the address to come back to */
async function begin(form: Form, answers: object = {}): Promise<string> {
  const sent = await home.submit(form, {
    [TEXT_FIELD_ID]: 'Ada',
    [EMAIL.id]: 'grace@example.org',
    ...answers,
  });
  expect(sent.status, sent.text).toBe(200);
  const { pathname, search } = new URL(sent.body.payment.url);
  const pressed = await home.service.request('POST', pathname + search, { headers: HTML });
  expect(pressed.status).toBe(303);
  return pathname + search;
}

/** The same, paid. @returns the reference, and the page that the sender sees then */
async function paid(form: Form, answers: object = {}) {
  const path = await begin(form, answers);
  const reference = stripe.pay();
  return { reference, thanks: await aVisitor(home.service).open(path) };
}

test('mails, messages in chats and receipts say how much was paid, in the language of the form', async () => {
  const form = await aCharge({ language: 'de', settings: { gives_receipts: true } });
  await integrate(form, 'email', { recipients: ['team@example.org'] });
  await integrate(form, 'email_confirmation', {
    recipient_field: EMAIL.id,
    text: `Bezahlt: ${mention(FEE.id)}`,
    include_answers: true,
  });
  await integrate(form, 'webhook', { webhook_url: 'https://hooks.example.org/x', format: 'slack' });
  const { reference, thanks } = await paid(form);
  const told = await bodies(form);
  expect(told).toHaveLength(3);
  const line = `12,50 € (${reference})`;
  for (const body of told) {
    expect(body.replaceAll('\u00a0', ' ')).toContain(line);
    expect(body).toContain(TEST_MODE);
  }
  const confirmation = told.map((body) => JSON.parse(body)).find(({ to }) => to === 'grace@example.org');
  expect(confirmation.text.replaceAll('\u00a0', ' ')).toContain(`Bezahlt: ${line}`);

  const link = /href="([^"]*\/receipt\?[^"]*)"/.exec(thanks.html)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const receipt = await aVisitor(home.service).open(link);
  expect(receipt.text.replaceAll('\u00a0', ' ')).toContain(line);
  expect(receipt.text).toContain(TEST_MODE);
});

test('what is sent to try an integration has a payment, as real deliveries have', async () => {
  const tickets = aField('n1', 'number', 'Tickets');
  const form = await aCharge({
    properties: [aTextField(), tickets, { ...FEE, amount: mention(tickets.id) }],
  });
  const { id } = await integrate(form, 'webhook', { webhook_url: 'http://127.0.0.1:9/' });
  const tried = await home.call('POST', `/open/forms/${form.id}/integrations/${id}/test`);
  expect(tried.status, tried.text).toBe(200);
  const body = JSON.parse(tried.body.request.body);
  const reference = expect.stringMatching(/^pi_/);
  expect(body.data[FEE.id].value).toEqual(reference);
  // The made-up answer is 3 tickets.
  expect(body.payment).toEqual({
    amount: 3,
    currency: 'EUR',
    reference: body.data[FEE.id].value,
    mode: 'test',
    paid_at: expect.any(String),
  });
  const free = await home.form({ title: 'Free', properties: [aTextField()] });
  const hook = await integrate(free, 'webhook', { webhook_url: 'http://127.0.0.1:9/' });
  const without = await home.call('POST', `/open/forms/${free.id}/integrations/${hook.id}/test`);
  expect(JSON.parse(without.body.request.body)).not.toHaveProperty('payment');
});

test('answer statistics have the sum that was paid, of the days and submissions that are asked for', async () => {
  const form = await aCharge();
  const paymentsIn = async (query = '') => {
    const { body } = await home.call('GET', `/open/forms/${form.id}/statistics/fields${query}`);
    return body.fields.find(({ id }: { id: string }) => id === FEE.id).payments;
  };
  expect(await paymentsIn()).toEqual([]);
  for (let count = 0; count < 3; count++) await paid(form);
  const [first, second] = await home.records(form);
  const real = "update payments set mode = 'live', amount_minor = 99 where form_id = $1 and public_id = $2";
  await home.service.context.pool.query(real, [form.id, first.submission_id]);
  const live = { amount: 0.99, currency: 'EUR', mode: 'live', count: 1 };
  expect(await paymentsIn()).toEqual([live, { amount: 25, currency: 'EUR', mode: 'test', count: 2 }]);
  expect(await paymentsIn('?status=all')).toHaveLength(2);
  expect(await paymentsIn('?status=partial')).toEqual([]);
  expect(await paymentsIn('?from=2020-01-01&to=2020-01-31')).toEqual([]);
  await home.call('POST', `/open/forms/${form.id}/submissions/trash`, { submissionIds: [second.id] });
  expect(await paymentsIn()).toEqual([live, { amount: 12.5, currency: 'EUR', mode: 'test', count: 1 }]);
});

test('who looks for a person finds what they paid, what waits for a payment, and what is owed back', async () => {
  const form = await aCharge({ max_submissions_count: 1 });
  const late = await begin(form, { [TEXT_FIELD_ID]: 'late' });
  const session = stripe.sessions.at(-1);
  const waits = await begin(form, { [TEXT_FIELD_ID]: 'waits' });
  expect(waits).toBeTruthy();
  const { reference } = await paid(form, { [TEXT_FIELD_ID]: 'in' });
  const owed = stripe.pay(session);
  await home.service.request('GET', late, { headers: HTML });
  const people = `/open/workspaces/${home.workspaceId}/people`;
  const value = { value: 'grace@example.org' };
  const due = { amount: 12.5, currency: 'EUR' };
  for (const way of ['find', 'export']) {
    const { body } = await home.call('POST', `${people}/${way}`, value);
    const named = (name: string) =>
      body.submissions.find(({ answers }: any) => answers.some((one: any) => one.value === name));
    expect(named('in'), way).toMatchObject({ status: 'completed', payment: { ...due, reference } });
    expect(named('in')).not.toHaveProperty('due');
    expect(named('waits'), way).toMatchObject({ status: 'set_aside', due, payment_state: 'open' });
    expect(named('waits')).not.toHaveProperty('payment');
    expect(named('late'), way).toMatchObject({
      due,
      payment_state: 'paid',
      refusal: expect.any(String),
      payment: { ...due, reference: owed },
    });
  }
});
