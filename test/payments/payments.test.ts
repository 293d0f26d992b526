import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { download } from '../exports/download.ts';
import { readParquet } from '../exports/parquet-reader.ts';
import { aVisitor } from '../public-pages/visitor.ts';
import { aField, aTextField, aWorkspace, TEXT_FIELD_ID } from '../setup/factories.ts';
import { expectInvalid, expectRefused, useHome } from '../setup/home.ts';
import { runAllJobs } from '../setup/run-jobs.ts';
import { KNOWN_KEY as KEY, useStripeServer } from '../setup/stripe-server.ts';

const stripe = useStripeServer();
const home = useHome(() => ({
  env: {
    ROLES: 'http',
    OUTBOUND_ALLOW_PRIVATE: 'true',
    STRIPE_API_URL: stripe.url,
    TRUST_PROXY: '127.0.0.1/32',
  },
}));
const accountPath = (workspaceId = home.workspaceId) => `/open/workspaces/${workspaceId}/payments`;
const connect = (key = KEY, workspaceId = home.workspaceId) =>
  home.call('PUT', accountPath(workspaceId), { stripe_secret_key: key });
beforeEach(async () => {
  stripe.reset();
  expect((await connect()).status).toBe(200);
  stripe.requests.length = 0;
});

const PAYMENT = { ...aField('p1', 'payment', 'Fee'), amount: 12.5, currency: 'EUR' };
const EMAIL = aField('e1', 'email', 'E-mail');
const NUMBER = aField('n1', 'number', 'Tickets');
const CHILDREN = aField('n2', 'number', 'Children');
const mention = (id: string) => `<span mention mention-field-id="${id}">it</span>`;
const CHARGES = { title: 'Course', properties: [aTextField(), EMAIL, PAYMENT] };

type Form = { id: number; slug: string; uuid?: string };
const path = (form: Form, rest = '') => `/open/forms/${form.id}/submissions${rest}`;
const aCharge = (overrides: Record<string, unknown> = {}) => home.form({ ...CHARGES, ...overrides });
const send = (form: Form, more: object = {}, headers = {}) =>
  home.submit(form, { [TEXT_FIELD_ID]: 'Ada', ...more }, headers);
const visitor = () => aVisitor(home.service);
const pathIn = (url: string) => new URL(url).pathname + new URL(url).search;
const waiting = async (form: Form, query = '') => {
  const answer = await home.call('GET', path(form, `/set-aside${query}`));
  expect(answer.status, answer.text).toBe(200);
  return answer.body.data;
};
const query = async (text: string, values: unknown[] = []) =>
  (await home.service.context.pool.query(text, values)).rows;
const deliveries = (form: Form) => query('select body::text from deliveries where form_id = $1', [form.id]);
const HTML = { accept: 'text/html' };
const get = (address: string, headers = HTML) => home.service.request('GET', address, { headers });
const post = (address: string, headers = HTML) => home.service.request('POST', address, { headers });
const refusedAt = (answer: { status: number; text: string; body: any }, key: string) => {
  expect(answer.status, answer.text).toBe(422);
  expect(Object.keys(answer.body.errors)).toContain(key);
};
/** Turns the clock of what waits to the moment when Stripe is to be asked, and asks. */
const askStripe = async () => {
  await query(
    `update set_aside_submissions set checkout = jsonb_set(checkout, '{askAt}', '1') where checkout is not null`,
  );
  await query(`select graphile_worker.add_job('settle_payments')`);
  await runAllJobs(home.service.context);
};
/** A form with one submission that waits to be paid, and the address where that is done. */
async function withOneUnpaid(overrides: Record<string, unknown> = {}, answers: object = {}) {
  const form = await aCharge(overrides);
  const sent = await send(form, answers);
  expect(sent.status, sent.text).toBe(200);
  return { form, sent, pay: pathIn(sent.body.payment.url) };
}
/** The same, with its sender on Stripe's page. */
async function withOneAtStripe(overrides: Record<string, unknown> = {}, answers: object = {}) {
  const one = await withOneUnpaid(overrides, answers);
  const pressed = await post(one.pay);
  expect(pressed.status, pressed.text).toBe(303);
  return { ...one, stripeUrl: pressed.headers.get('location') };
}
/** A form that costs as much as its number says, and lets senders change their answers. */
const anEditableCharge = (overrides: Record<string, unknown> = {}) =>
  aCharge({
    editable_submissions: true,
    properties: [aTextField(), NUMBER, { ...PAYMENT, amount: mention(NUMBER.id) }],
    ...overrides,
  });
/** @returns the id of the submission */
async function sendAndPay(form: Form, answers: object = {}): Promise<string> {
  const { submission_id, payment } = (await send(form, answers)).body;
  await post(pathIn(payment.url));
  stripe.pay();
  await get(pathIn(payment.url));
  return submission_id;
}
const hiddenIfSentBefore = (id: string) => ({
  conditions: {
    operatorIdentifier: 'and',
    children: [
      {
        identifier: id,
        value: { operator: 'exists_in_submissions', property_meta: { id, type: 'text' }, value: {} },
      },
    ],
  },
  actions: ['hide-block'],
});

describe('the account of a workspace', () => {
  test('is connected by a key that Stripe knows, and never shown', async () => {
    const account = {
      provider: 'stripe',
      mode: 'test',
      account: 'Ada’s shop',
      stripe_secret_key: '********',
    };
    expect((await home.call('GET', accountPath())).body).toEqual({ payments: account });
    const [row] = await query('select * from workspace_payment_accounts where workspace_id = $1', [
      home.workspaceId,
    ]);
    expect(JSON.stringify(row)).not.toContain(KEY);
    const log = await home.call('GET', `/open/workspaces/${home.workspaceId}/audit-log`);
    expect(log.text).toContain('payments.connected');
    expect(log.text).not.toContain(KEY);
    expect((await home.call('DELETE', accountPath())).status).toBe(200);
    expect((await home.call('GET', accountPath())).body).toEqual({ payments: null });
    expectRefused(await home.call('DELETE', accountPath()), 404);
  });

  test('is refused with a key that is none, or that Stripe does not know', async () => {
    for (const key of ['pk_test_12345678', 'whatever', 'sk_live_unknown0123'])
      expectInvalid(await connect(key), 'stripe_secret_key');
    expect((await home.call('GET', accountPath())).body.payments.mode).toBe('test');
  });

  test('may be one that a restricted key does not name', async () => {
    stripe.keys.set('rk_live_0123456789', { account: 'acct_rk', name: 'x', isRestricted: true });
    const { body } = await connect('rk_live_0123456789');
    expect(body.payments).toMatchObject({ mode: 'live', account: null });
  });

  test('stays as it is while Stripe cannot be asked', async () => {
    for (const status of [500, 429, 200]) {
      stripe.instead.push((response) => response.writeHead(status).end('<html>'));
      const answer = await connect();
      expect(answer.status).toBe(503);
      expect(answer.body.error).toBe('payment_provider_unavailable');
      expect(answer.headers.get('retry-after')).toBe('5');
    }
    expect((await home.call('GET', accountPath())).body.payments.mode).toBe('test');
  });

  test('is for admins only', async () => {
    for (const role of ['user', 'readonly'] as const) {
      const { token } = await home.member(role);
      expect((await home.call('GET', accountPath(), undefined, token)).status).toBe(403);
    }
  });
});

describe('a payment block', () => {
  const save = (properties: unknown[], more: object = {}) =>
    home.call('POST', '/open/forms', { workspace_id: home.workspaceId, title: 'Shop', properties, ...more });

  test('needs an amount and a currency that fit', async () => {
    for (const [amount, currency, key] of [
      [0.99, 'EUR', 'amount'],
      [1.234, 'EUR', 'amount'],
      [10.5, 'JPY', 'amount'],
      [1_000_000, 'EUR', 'amount'],
      [14.99, 'CZK', 'amount'],
      [49, 'JPY', 'amount'],
      ['12', 'EUR', 'amount'],
      [12, 'eur', 'currency'],
      [12, undefined, 'currency'],
      [mention('n2'), 'EUR', 'amount'],
      [mention(TEXT_FIELD_ID), 'EUR', 'amount'],
      [`${mention(NUMBER.id)} or so`, 'EUR', 'amount'],
    ])
      refusedAt(await save([{ ...PAYMENT, amount, currency }, NUMBER, aTextField()]), `properties.0.${key}`);
    expect((await save([{ ...PAYMENT, amount: mention(NUMBER.id) }, NUMBER])).status).toBe(201);
    expect((await save([aField('p1', 'payment', 'From elsewhere')])).status).toBe(201);
  });

  test('is alone, and not in a form that has an address confirmed', async () => {
    refusedAt(await save([PAYMENT, { ...PAYMENT, id: 'p2' }]), 'properties.1.amount');
    const { body } = await save([PAYMENT, EMAIL]);
    const settings = { confirms_email: EMAIL.id };
    const answer = await home.call('PUT', `/open/forms/${body.id}`, { settings });
    refusedAt(answer, 'properties.0.amount');
  });

  test('is neither saved, copied nor moved where no account is connected', async () => {
    const workspace_id = await aWorkspace(home.service, home.ada);
    refusedAt(await save([PAYMENT], { workspace_id }), 'properties.0.amount');
    const form = await aCharge();
    const at = (rest: string) => `/open/forms/${form.id}${rest}`;
    refusedAt(await home.call('POST', at('/move'), { workspace_id }), 'workspace_id');
    await home.call('DELETE', accountPath());
    refusedAt(await home.call('POST', at('/duplicate'), {}), 'properties.2.amount');
    // What asks for money already can still be changed.
    expect((await home.call('PUT', at(''), { properties: [aTextField(), PAYMENT] })).status).toBe(200);
  });

  test('shows its amount, takes no answer, and is never required', async () => {
    const form = await aCharge({
      properties: [aTextField(), { ...PAYMENT, required: true, amount: mention(NUMBER.id) }, NUMBER],
    });
    const page = await get(`/forms/${form.slug}`);
    expect(page.text).toContain('You pay after sending, on a page of Stripe.');
    expect(page.text).toContain(`data-due="${NUMBER.id}" data-currency="EUR">€0.00<`);
    const sent = await send(form, { [PAYMENT.id]: 'pi_forged' });
    expect(sent.body).not.toHaveProperty('payment');
    const [record] = await home.records(form);
    expect(record.data).not.toHaveProperty(PAYMENT.id);
    const fixed = await get(`/forms/${(await aCharge()).slug}`);
    expect(fixed.text).toContain('€12.50');
  });
});

describe('a complete submission', () => {
  test('counts once it is paid on the page of Stripe', async () => {
    const form = await aCharge();
    await home.call('POST', `/open/forms/${form.id}/integrations`, {
      integration_id: 'webhook',
      data: { webhook_url: 'http://127.0.0.1:9/' },
    });
    const sent = await send(form, { [EMAIL.id]: 'ada@example.org', [PAYMENT.id]: 'pi_forged' });
    expect(sent.body).toMatchObject({
      message: 'Form submission saved. It counts once it is paid.',
      payment: {
        url: expect.stringContaining(`/forms/${form.slug}/pay?token=`),
        amount: 12.5,
        currency: 'EUR',
      },
    });
    expect(await home.records(form)).toEqual([]);
    const [held] = await waiting(form, '?reason=unpaid');
    expect(held).toMatchObject({
      reasons: [{ code: 'unpaid', message: 'Its sender has not paid.' }],
      due: { amount: 12.5, currency: 'EUR' },
      payment_state: 'not_begun',
      refusal: null,
      deleted_at: expect.any(String),
    });
    expect(held).not.toHaveProperty('payment');

    const pay = pathIn(sent.body.payment.url);
    const page = await visitor().open(pay);
    expect(page.text).toContain('Please pay €12.50. Your answers count once it is paid.');
    expect(page.text).toContain('This is a test: no money is charged.');
    expect(page.html).toContain('target="_top"');
    expect(page.headers.get('content-security-policy')).toContain(
      "form-action 'self' https://checkout.stripe.com;",
    );
    expect(stripe.requests).toEqual([]);
    const pressed = await post(pay);
    expect(pressed.status).toBe(303);
    expect(pressed.headers.get('location')).toBe(stripe.sessions[0]?.url);
    const [{ form: asked, idempotencyKey } = {} as any] = stripe.requests;
    expect(idempotencyKey).toMatch(/^formstead-[0-9a-f]{64}$/);
    expect(Object.fromEntries(asked)).toMatchObject({
      'line_items[0][price_data][unit_amount]': '1250',
      'line_items[0][price_data][currency]': 'eur',
      'line_items[0][price_data][product_data][name]': 'Course',
      client_reference_id: sent.body.submission_id,
      'payment_intent_data[metadata][submission]': sent.body.submission_id,
      customer_email: 'ada@example.org',
      success_url: sent.body.payment.url,
      cancel_url: sent.body.payment.url,
    });
    expect((await waiting(form))[0]).toMatchObject({ payment_state: 'open', deleted_at: null });
    // Back without having paid: the same page can be used again.
    expect((await visitor().open(pay)).text).toContain('Please pay');
    expect((await post(pay)).headers.get('location')).toBe(stripe.sessions[0]?.url);
    expect(stripe.sessions).toHaveLength(1);

    const reference = stripe.pay();
    const thanks = await visitor().open(pay);
    expect(thanks.text).toContain('Thank you! Your answers have been saved.');
    const [record] = await home.records(form);
    const payment = { amount: 12.5, currency: 'EUR', reference, mode: 'test', paid_at: expect.any(String) };
    expect(record).toMatchObject({ submission_id: sent.body.submission_id, payment });
    expect(record.data[PAYMENT.id]).toBe(reference);
    expect(await waiting(form)).toEqual([]);
    const [delivery, ...more] = await deliveries(form);
    expect(more).toEqual([]);
    expect(delivery.body).toContain(`"payment":{"amount":12.5,"currency":"EUR","reference":"${reference}"`);
    // Once more, and the button of an old tab.
    expect((await visitor().open(pay)).text).toContain('Thank you!');
    expect((await post(pay)).headers.get('location')).toContain('/thank-you');
    expect(await home.records(form)).toHaveLength(1);
    expect(stripe.sessions).toHaveLength(1);
  });

  test('goes from the page of the form to the page where it is paid', async () => {
    const form = await aCharge();
    const { open, send: press } = visitor();
    const page = await press(await open(`/forms/${form.slug}`), { [TEXT_FIELD_ID]: 'Ada' });
    expect(page.path).toContain(`/forms/${form.slug}/pay?token=`);
    expect(page.text).toContain('Pay €12.50');
  });

  test('costs what a calculation or an answer says, and nothing where that is nothing', async () => {
    const computed = { id: 'cv_sum', name: 'Sum', formula: `{${NUMBER.id}} * 1.005`, result_type: 'number' };
    const charge = { ...PAYMENT, amount: mention('cv_sum') };
    const form = await aCharge({
      properties: [aTextField(), NUMBER, charge],
      computed_variables: [computed],
    });
    for (const [tickets, amount] of [
      [1, 1.01],
      [3, 3.02],
    ])
      expect((await send(form, { [NUMBER.id]: tickets })).body.payment).toMatchObject({ amount });
    // Less than half a cent below zero is nothing.
    for (const tickets of [0, -0.004, null])
      expect((await send(form, { [NUMBER.id]: tickets })).body, String(tickets)).not.toHaveProperty(
        'payment',
      );
    expectInvalid(await send(form, { [NUMBER.id]: 1_000_000 }), PAYMENT.id);
    expect(await home.records(form)).toHaveLength(3);
  });

  test('costs what its sender completes it with, rounded as its currency is', async () => {
    const form = await anEditableCharge({
      enable_partial_submissions: true,
      properties: [aTextField(), NUMBER, { ...PAYMENT, amount: mention(NUMBER.id), currency: 'JPY' }],
    });
    const { submission_hash } = (await send(form, { is_partial: true, [NUMBER.id]: 60 })).body;
    refusedAt(await send(form, { submission_hash, [NUMBER.id]: 49.4 }), PAYMENT.id);
    const sent = await send(form, { submission_hash, [NUMBER.id]: 100.5 });
    expect(sent.body.payment).toMatchObject({ amount: 101, currency: 'JPY' });
    await post(pathIn(sent.body.payment.url));
    expect(stripe.sessions[0]?.form.get('line_items[0][price_data][unit_amount]')).toBe('101');
  });

  test('is not taken when it costs less than Stripe charges', async () => {
    const charge = { ...PAYMENT, amount: mention(NUMBER.id) };
    const form = await aCharge({ properties: [aTextField(), NUMBER, charge] });
    const tooLittle = await send(form, { [NUMBER.id]: 0.49 });
    expectInvalid(tooLittle, PAYMENT.id);
    expect(tooLittle.body.errors[PAYMENT.id][0]).toContain('0.5');
    expect((await send(form, { [NUMBER.id]: 0.5 })).body.payment).toMatchObject({ amount: 0.5 });
    expect(await waiting(form)).toHaveLength(1);
  });

  test('waits only as long as its network has not left a thousand unpaid, nor all together ten thousand', async () => {
    const form = await aCharge();
    const from = (address: string) => send(form, {}, { 'x-forwarded-for': address });
    const fill = (count: number, ofSame: boolean) =>
      query(
        `insert into set_aside_submissions (form_id, public_id, data, reasons, amount_due, due_currency, sender)
        select form_id, gen_random_uuid(), data, reasons, amount_due, due_currency, case when $3 then sender end
        from set_aside_submissions cross join generate_series(1, $2::int) where form_id = $1`,
        [form.id, count, ofSame],
      );
    expect((await from('203.0.113.1')).status).toBe(200);
    await fill(999, true);
    const refused = await from('203.0.113.200');
    expectRefused(refused, 429);
    expect(refused.body.error).toBe('too_many_unpaid');
    expect(refused.headers.get('retry-after')).toBe('3600');
    expect((await from('198.51.100.7')).status).toBe(200);
    // A thousand and one times nine.
    await fill(9, false);
    expectRefused(await from('192.0.2.1'), 429);
    const [{ id, sender }] = await query(
      'select id, sender from set_aside_submissions where form_id = $1 order by id limit 1',
      [form.id],
    );
    expect(sender).toHaveLength(16);
    await query('delete from set_aside_submissions where form_id = $1 and id <> $2', [form.id, id]);
    expect((await from('203.0.113.200')).status).toBe(200);
  });

  test('costs nothing where logic hides the block', async () => {
    const conditions = {
      operatorIdentifier: 'and',
      children: [
        {
          identifier: TEXT_FIELD_ID,
          value: { operator: 'equals', property_meta: { id: TEXT_FIELD_ID, type: 'text' }, value: 'Ada' },
        },
      ],
    };
    const logic = { conditions, actions: ['hide-block'] };
    const form = await aCharge({ properties: [aTextField(), { ...PAYMENT, logic }] });
    expect((await send(form)).body).not.toHaveProperty('payment');
    expect((await send(form, { [TEXT_FIELD_ID]: 'Bob' })).body.payment.amount).toBe(12.5);
  });

  test('is acknowledged the same when it is sent again with its key', async () => {
    const form = await aCharge();
    const key = { 'idempotency-key': 'once' };
    const [first, second] = [await send(form, {}, key), await send(form, {}, key)];
    expect(second.body.payment).toEqual(first.body.payment);
    expect(await waiting(form)).toHaveLength(1);
  });

  test('is taken in although its sender closed the window, by one of several who ask at once', async () => {
    const { form, pay } = await withOneAtStripe();
    await askStripe();
    expect(await home.records(form)).toEqual([]);
    stripe.pay();
    await Promise.all([askStripe(), get(pay), get(pay)]);
    expect(await home.records(form)).toHaveLength(1);
    expect(await query('select * from payments where form_id = $1', [form.id])).toHaveLength(1);
  });

  test('waits while the money is on its way', async () => {
    const { form, pay } = await withOneAtStripe();
    stripe.process();
    expect((await visitor().open(pay)).text).toContain('Your payment is being processed.');
    expect((await post(pay)).text).toContain('Your payment is being processed.');
    expect(stripe.sessions).toHaveLength(1);
    const [{ id, payment_state }] = await waiting(form);
    expect(payment_state).toBe('processing');
    const released = await home.call('POST', path(form, `/set-aside/${id}/release`));
    expect(released.status).toBe(409);
    expect(released.body.error).toBe('payment_open');
    const deleted = await home.call('POST', path(form, '/multi'), { submissionIds: [id] });
    expect(deleted.status, deleted.text).toBe(409);
    expect(deleted.body.error).toBe('payment_open');
    stripe.pay();
    await askStripe();
    expect(await home.records(form)).toHaveLength(1);
  });

  test('gets a new page when the first has expired', async () => {
    const { form, pay, stripeUrl } = await withOneAtStripe();
    stripe.expire();
    await askStripe();
    expect((await waiting(form))[0]).toMatchObject({
      payment_state: 'not_begun',
      deleted_at: expect.any(String),
    });
    const again = await post(pay);
    expect(again.status).toBe(303);
    expect(again.headers.get('location')).not.toBe(stripeUrl);
    stripe.pay();
    expect((await visitor().open(pay)).text).toContain('Thank you!');
  });

  test('has one page when the button is pressed twice at once', async () => {
    const { pay } = await withOneUnpaid();
    const [one, other] = await Promise.all([post(pay), post(pay)]);
    expect(one.headers.get('location')).toBe(other.headers.get('location'));
    expect(stripe.sessions).toHaveLength(1);
  });

  test('is deleted a week later if nobody pays, but not while somebody may', async () => {
    const { form, pay } = await withOneAtStripe();
    const old = () =>
      query(`update set_aside_submissions set created_at = now() - interval '8 days' where form_id = $1`, [
        form.id,
      ]);
    const purge = async () => {
      await query(`select graphile_worker.add_job('purge_submissions')`);
      await runAllJobs(home.service.context);
    };
    await old();
    await purge();
    expect(await waiting(form)).toHaveLength(1);
    stripe.expire();
    await askStripe();
    await purge();
    expect(await waiting(form)).toEqual([]);
    expect((await get(pay)).status).toBe(404);
  });

  test('keeps the reference when it is changed, and its payment in the trash and back', async () => {
    const { form, pay } = await withOneAtStripe();
    const reference = stripe.pay();
    await get(pay);
    const [{ id }] = await home.records(form);
    const changed = await home.call('PUT', path(form, `/${id}`), {
      [TEXT_FIELD_ID]: 'Bob',
      [PAYMENT.id]: 'x',
    });
    expect(changed.status, changed.text).toBe(200);
    const changedTo = (await home.records(form))[0];
    expect(changedTo.data).toMatchObject({ [TEXT_FIELD_ID]: 'Bob', [PAYMENT.id]: reference });
    const paid = { amount: 12.5, currency: 'EUR', reference };
    const ids = { submissionIds: [id] };
    await home.call('POST', path(form, '/trash'), ids);
    const [trashed] = (await home.call('GET', path(form, '/trash'))).body.data;
    expect(trashed.payment).toMatchObject(paid);
    await home.call('POST', path(form, '/trash/restore'), { submissionIds: [trashed.id] });
    const [restored] = await home.records(form);
    expect(restored.payment).toMatchObject(paid);
    await home.call('DELETE', path(form, `/${restored.id}`));
    expect(await query('select * from payments where form_id = $1', [form.id])).toEqual([]);
  });

  test('is exported with what was paid, also of a person', async () => {
    const email = 'grace@example.org';
    const { form, pay } = await withOneAtStripe({}, { [EMAIL.id]: email });
    const reference = stripe.pay();
    await get(pay);
    const [record] = await home.records(form);
    const columns = {
      [PAYMENT.id]: true,
      payment_amount: true,
      payment_currency: true,
      payment_mode: true,
      paid_at: true,
    };
    const csv = await home.call('POST', path(form, '/export'), { columns });
    expect(csv.text).toContain(`${reference},12.5,EUR,test,${record.payment.paid_at}`);
    const parquet = await download(home, form, 'parquet', ['id', ...Object.keys(columns)]);
    const { rows } = await readParquet(Buffer.from(await parquet.arrayBuffer()));
    expect(rows).toMatchObject([{ id: record.id, payment_amount: 12.5, payment_currency: 'EUR' }]);
    const people = `/open/workspaces/${home.workspaceId}/people`;
    const { body } = await home.call('POST', `${people}/export`, { value: email });
    expect(body.submissions).toMatchObject([{ payment: record.payment }]);
    const shown = await home.call('GET', path(form, `/${record.id}/webhook-body`));
    expect(JSON.parse(shown.body.body).payment).toEqual(record.payment);
  });
});

describe('nobody is spared a payment', () => {
  const OFF = { id: 'cv_off', name: 'Off', formula: `IF({${TEXT_FIELD_ID}}="SAVE10", 90, 100)` };

  test('by an answer that makes the formula of the amount fail', async () => {
    const form = await aCharge({
      computed_variables: [OFF],
      properties: [aTextField(), { ...PAYMENT, amount: mention(OFF.id) }],
    });
    for (const [code, amount] of [
      ['SAVE10', 90],
      ['save10', 90],
      [' SAVE10 ', 100],
    ])
      expect((await send(form, { [TEXT_FIELD_ID]: code })).body.payment.amount, String(code)).toBe(amount);
    refusedAt(await send(form, { [TEXT_FIELD_ID]: 'x'.repeat(5_001) }), PAYMENT.id);
    expect(await home.records(form)).toEqual([]);
  });

  test('by an amount that comes out below zero', async () => {
    const total = { id: 'cv_total', name: 'Total', formula: `{${NUMBER.id}} * 20 + {${CHILDREN.id}} * 10` };
    const form = await aCharge({
      computed_variables: [total],
      properties: [NUMBER, CHILDREN, { ...PAYMENT, amount: mention(total.id) }],
    });
    const refused = await home.submit(form, { [NUMBER.id]: 2, [CHILDREN.id]: -5 });
    expectInvalid(refused, PAYMENT.id);
    expect(refused.body.errors[PAYMENT.id]).toEqual(['“Fee” must be at least 0.']);
    const free = await home.submit(form, { [NUMBER.id]: 2, [CHILDREN.id]: -4 });
    expect(free.body).not.toHaveProperty('payment');
  });

  test('by sending what costs nothing, and changing it afterwards', async () => {
    const form = await anEditableCharge();
    const { submission_id } = (await send(form, { [NUMBER.id]: 0 })).body;
    expect((await send(form, { submission_id, [NUMBER.id]: 0, [TEXT_FIELD_ID]: 'Ada L' })).status).toBe(200);
    refusedAt(await send(form, { submission_id, [NUMBER.id]: 10 }), PAYMENT.id);
    // What is kept without a payment may be changed, unless it would cost more.
    const kept = (await send(form, { [NUMBER.id]: 5 })).body;
    const [held] = await waiting(form);
    expect((await home.call('POST', path(form, `/set-aside/${held.id}/release`))).status).toBe(200);
    const change = (tickets: number) =>
      send(form, { submission_id: kept.submission_id, [NUMBER.id]: tickets, [TEXT_FIELD_ID]: 'Grace' });
    expect((await change(5)).status).toBe(200);
    refusedAt(await change(6), PAYMENT.id);
    expectRefused(await send(form, { submission_id: randomUUID(), [NUMBER.id]: 6 }), 404);
  });

  test('by paying for less, and changing it afterwards', async () => {
    const form = await anEditableCharge();
    const submission_id = await sendAndPay(form, { [NUMBER.id]: 5 });
    const change = (tickets: number) => send(form, { submission_id, [NUMBER.id]: tickets });
    const refused = await change(500);
    refusedAt(refused, PAYMENT.id);
    expect(refused.body.errors[PAYMENT.id]).toEqual([
      'Your answers would then cost more than was paid, and a change cannot be paid for.',
    ]);
    for (const tickets of [3, 5, 0]) expect((await change(tickets)).status, String(tickets)).toBe(200);
    refusedAt(await change(6), PAYMENT.id);
    expect((await change(5)).status).toBe(200);
    // A member may.
    const [record] = await home.records(form);
    const answer = await home.call('PUT', path(form, `/${record.id}`), { [NUMBER.id]: 500 });
    expect(answer.status, answer.text).toBe(200);
    expect((await home.records(form))[0]).toMatchObject({
      data: { [NUMBER.id]: 500 },
      payment: { amount: 5 },
    });
  });

  test.each([
    ['more', { amount: mention('cv_double') }],
    ['another currency', { currency: 'USD' }],
  ])('nor kept from correcting what was paid before the form asked for %s', async (_what, now) => {
    const double = { id: 'cv_double', name: 'Double', formula: `{${NUMBER.id}} * 2` };
    const form = await anEditableCharge({ computed_variables: [double] });
    const submission_id = await sendAndPay(form, { [NUMBER.id]: 5 });
    const properties = [aTextField(), NUMBER, { ...PAYMENT, amount: mention(NUMBER.id), ...now }];
    expect((await home.call('PUT', `/open/forms/${form.id}`, { properties })).status).toBe(200);
    const change = (tickets: number) =>
      send(form, { submission_id, [NUMBER.id]: tickets, [TEXT_FIELD_ID]: 'Grace' });
    expect((await change(5)).status).toBe(200);
    refusedAt(await change(6), PAYMENT.id);
  });

  test('by naming somebody who has paid, and somebody else afterwards', async () => {
    const form = await anEditableCharge({
      properties: [aTextField(), NUMBER, { ...PAYMENT, logic: hiddenIfSentBefore(TEXT_FIELD_ID) }],
    });
    const first = await sendAndPay(form);
    const second = (await send(form)).body;
    expect(second).not.toHaveProperty('payment');
    const change = (submission_id: string, name: string, more: object = {}) =>
      send(form, { submission_id, [TEXT_FIELD_ID]: name, ...more });
    refusedAt(await change(second.submission_id, 'Grace'), PAYMENT.id);
    // The first one has paid, and may be anybody; the second is the only Ada then, and stays what it is.
    expect((await change(first, 'Edsger')).status).toBe(200);
    refusedAt(await change(second.submission_id, 'Grace'), PAYMENT.id);
    expect((await change(second.submission_id, 'Ada', { [NUMBER.id]: 1 })).status).toBe(200);
  });

  test('nor charged, by a condition about earlier submissions that only the service can look up', async () => {
    const first = await aCharge({ properties: [aTextField(), PAYMENT] });
    expect((await send(first)).body).toHaveProperty('payment');
    const logic = hiddenIfSentBefore(TEXT_FIELD_ID);
    const form = await aCharge({ properties: [aTextField(), { ...PAYMENT, logic }] });
    await sendAndPay(form);
    expect(await home.records(form)).toHaveLength(1);
    expect((await send(form)).body).not.toHaveProperty('payment');
    expect((await send(form, { [TEXT_FIELD_ID]: 'Grace' })).body).toHaveProperty('payment');
  });

  test('a version that asks for money is not restored where no account is connected', async () => {
    const form = await aCharge();
    await home.call('PUT', `/open/forms/${form.id}`, { properties: [aTextField()] });
    await home.call('DELETE', accountPath());
    const versions = await home.call('GET', `/open/forms/${form.id}/versions`);
    const { version } = versions.body.at(-1);
    refusedAt(
      await home.call('POST', `/open/forms/${form.id}/versions/${version}/restore`),
      'properties.2.amount',
    );
  });
});

describe('what is paid, but the form does not take in', () => {
  test('stays for the members, who see why', async () => {
    const { form, pay, sent } = await withOneAtStripe({ max_submissions_count: 1 });
    const { pay: other } = await (async () => {
      const more = await send(form);
      return { pay: pathIn(more.body.payment.url) };
    })();
    await post(other);
    const [first, second] = stripe.sessions;
    const reference = stripe.pay(first);
    stripe.pay(second);
    expect((await visitor().open(other)).text).toContain('Thank you!');
    expect((await visitor().open(pay)).text).toContain(
      'You have paid, but this form could not take in your answers.',
    );
    const { body: attention } = await home.call('GET', `/open/workspaces/${home.workspaceId}/attention`);
    const item = { kind: 'paid_not_taken', form: { id: form.id, title: 'Course' }, count: 1 };
    expect(attention.data).toContainEqual(item);
    const [held] = await waiting(form, '?reason=paid_but_refused');
    expect(held).toMatchObject({
      submission_id: sent.body.submission_id,
      payment_state: 'paid',
      refusal: expect.stringContaining('has received all the submissions'),
      payment: { amount: 12.5, currency: 'EUR', reference, mode: 'test' },
      deleted_at: null,
    });
    await query(
      `update set_aside_submissions set created_at = now() - interval '90 days' where form_id = $1`,
      [form.id],
    );
    await query(`select graphile_worker.add_job('purge_submissions')`);
    await runAllJobs(home.service.context);
    const release = () => home.call('POST', path(form, `/set-aside/${held.id}/release`));
    expectRefused(await release(), 409);
    await home.call('PUT', `/open/forms/${form.id}`, { max_submissions_count: 5 });
    expect((await release()).status).toBe(200);
    const [record] = await home.records(form);
    expect(record).toMatchObject({ data: { [PAYMENT.id]: reference }, payment: { reference } });
  });

  test('is refused before it is paid where that is known', async () => {
    const { form, pay } = await withOneUnpaid();
    await home.call('PUT', `/open/forms/${form.id}`, { visibility: 'closed' });
    for (const page of [await get(pay), await post(pay)]) {
      expect(page.status).toBe(403);
      expect(page.text).toContain('You need not pay anything.');
    }
    expectRefused(await post(pay, { accept: 'application/json' }), 403);
    await home.call('PUT', `/open/forms/${form.id}`, {
      visibility: 'public',
      properties: [...CHARGES.properties, { ...aTextField(), id: 'new', required: true }],
    });
    expect((await post(pay)).text).toContain('The form was changed after you had sent your answers');
    expect(stripe.requests).toEqual([]);
  });

  test('stays when its answers no longer fit the form', async () => {
    const { form, pay } = await withOneAtStripe();
    await home.call('PUT', `/open/forms/${form.id}`, {
      properties: [...CHARGES.properties, { ...aTextField(), id: 'new', required: true }],
    });
    stripe.pay();
    expect((await visitor().open(pay)).text).toContain('You have paid');
    expect((await waiting(form))[0].refusal).toContain('required');
  });
});

describe('while Stripe', () => {
  test.each([
    ['is down', (response: any) => response.destroy()],
    ['refuses', (response: any) => response.writeHead(402).end('{"error":{"code":"amount_too_small"}}')],
    ['says nonsense', (response: any) => response.writeHead(200).end('{"id":7}')],
    [
      'leads elsewhere',
      (response: any) => response.writeHead(200).end('{"id":"cs_1","url":"javascript:alert(1)"}'),
    ],
    ['is too busy', (response: any) => response.writeHead(503).end('{}')],
  ])('%s, the page says so and can be used again', async (_, instead) => {
    const { form, pay } = await withOneUnpaid();
    stripe.instead.push(instead, instead);
    const page = await post(pay);
    expect(page.status).toBe(503);
    expect(page.headers.get('retry-after')).toBe('5');
    expect(page.text).toContain('The payment page cannot be opened right now.');
    expect(page.text).not.toContain(KEY);
    const program = await post(pay, { accept: 'application/json' });
    expectRefused(program, 503);
    expect((await post(pay)).status).toBe(303);
    stripe.pay();
    expect((await visitor().open(pay)).text).toContain('Thank you!');
    expect(await home.records(form)).toHaveLength(1);
  });

  test('cannot be asked about a page, what may be paid waits', async () => {
    const { form, pay } = await withOneAtStripe();
    stripe.pay();
    stripe.instead.push((response) => response.destroy());
    expect((await get(pay)).status).toBe(200);
    expect(await waiting(form)).toHaveLength(1);
    expect((await visitor().open(pay)).text).toContain('Thank you!');
  });

  test('does not take an address, it is asked for there', async () => {
    const { pay } = await withOneAtStripe({}, { [EMAIL.id]: 'ada@nowhere.invalid' });
    expect(pay).toContain('token');
    expect(stripe.sessions[0]?.form.has('customer_email')).toBe(false);
  });

  test('is another account, what was begun with the first waits, and is told as such', async () => {
    const { form, pay } = await withOneAtStripe();
    const { form: empty, pay: unbegun } = await withOneUnpaid();
    stripe.pay();
    await home.call('DELETE', accountPath());
    expect((await visitor().open(pay)).text).toContain(
      'It cannot be found out right now whether this has been paid.',
    );
    expect((await waiting(form))[0].payment_state).toBe('unknown');
    expect((await post(unbegun)).status).toBe(503);
    expect(await waiting(empty)).toHaveLength(1);
    stripe.keys.set('sk_test_other0123456', { account: 'acct_other', name: 'Other' });
    await connect('sk_test_other0123456');
    expect((await waiting(form))[0].payment_state).toBe('unknown');
    await connect();
    expect((await visitor().open(pay)).text).toContain('Thank you!');
  });
});

describe('while somebody pays', () => {
  const remove = (form: Form) => home.call('DELETE', `/open/forms/${form.id}`);

  test('neither the form nor its workspace is deleted; once that is over, or nobody can tell any more, they are', async () => {
    const { form, pay } = await withOneAtStripe();
    const refused = await remove(form);
    expectRefused(refused, 409);
    expect(refused.body.error).toBe('payment_open');
    expectRefused(await home.call('DELETE', `/open/workspaces/${home.workspaceId}`), 409);
    stripe.pay();
    expect((await visitor().open(pay)).text).toContain('Thank you!');
    expect((await remove(form)).status).toBe(204);
    const { form: other } = await withOneAtStripe();
    await home.call('DELETE', accountPath());
    expect((await remove(other)).status).toBe(204);
  });

  test('a form in the trash is not deleted by itself, nor while it has what is paid and not taken in', async () => {
    const { form } = await withOneAtStripe();
    expect((await home.call('POST', `/open/forms/${form.id}/trash`)).status).toBe(200);
    await query(`update trashed_forms set trashed_at = now() - interval '31 days' where form_id = $1`, [
      form.id,
    ]);
    const emptyTrash = async () => {
      await query(`select graphile_worker.add_job('empty_trash')`);
      await runAllJobs(home.service.context);
      return (await query('select from forms where id = $1', [form.id])).length;
    };
    expect(await emptyTrash()).toBe(1);
    stripe.pay();
    await query('update forms set properties = $2, revision = revision + 1 where id = $1', [
      form.id,
      JSON.stringify([aTextField({ type: 'number' }), PAYMENT]),
    ]);
    await askStripe();
    expect((await waiting(form))[0].payment_state).toBe('paid');
    const { body: attention } = await home.call('GET', `/open/workspaces/${home.workspaceId}/attention`);
    expect(attention.data).toContainEqual({
      kind: 'paid_not_taken',
      form: { id: form.id, title: 'Course' },
      count: 1,
    });
    expect(await emptyTrash()).toBe(1);
    await query('delete from set_aside_submissions where form_id = $1', [form.id]);
    expect(await emptyTrash()).toBe(0);
  });
});

describe('whoever comes back from Stripe to a form that was taken offline meanwhile', () => {
  test.each([
    ['made a draft', (form: Form) => home.call('PUT', `/open/forms/${form.id}`, { visibility: 'draft' })],
    ['put into the trash', (form: Form) => home.call('POST', `/open/forms/${form.id}/trash`)],
  ])('learns that it is paid: %s', async (_what, hide) => {
    const { form, pay } = await withOneAtStripe();
    expect((await hide(form)).status).toBe(200);
    stripe.pay();
    for (let visit = 0; visit < 2; visit++) {
      const back = await visitor().open(pay);
      expect([back.status, back.text]).toEqual([200, expect.stringContaining('Thank you!')]);
      expect(back.text).toContain('€12.50');
    }
    expect(await home.records(form)).toHaveLength(1);
    // Who has no link to pay does not hear that the form exists.
    expect((await get(`/forms/${form.slug}/pay?token=x`)).status).toBe(404);
    expect((await visitor().open(`/forms/${form.slug}/pay?token=x`)).text).not.toContain('Course');
  });

  test('begins no payment there', async () => {
    const { form, pay } = await withOneUnpaid();
    await home.call('PUT', `/open/forms/${form.id}`, { visibility: 'draft' });
    expect((await post(pay)).status).toBe(403);
    expect(stripe.sessions).toEqual([]);
  });
});

test('a payment that cannot be settled keeps no other from being asked about', async () => {
  const { form } = await withOneAtStripe();
  stripe.pay();
  const [{ id, public_id: publicId }] = await query(
    'select id, public_id from set_aside_submissions where form_id = $1',
    [form.id],
  );
  const values = [form.id, publicId, 'stripe', 'pi_before', 1250, 'EUR', 'test', '2026-01-01'];
  await query('insert into payments values ($1, $2, $3, $4, $5, $6, $7, $8)', values);
  await askStripe();
  const [held] = await waiting(form, '?reason=paid_but_refused');
  expect(held).toMatchObject({ id: Number(id), payment_state: 'paid' });
  expect(held.refusal).toContain('before');
});

test('without an account nobody sends what could not be paid, and its team is told', async () => {
  const form = await aCharge({ properties: [aTextField(), EMAIL, { ...PAYMENT, logic: null }] });
  const quiet = await home.form({ properties: [aTextField(), aField('p1', 'payment', 'From elsewhere')] });
  const attention = async () => {
    const { body } = await home.call('GET', `/open/workspaces/${home.workspaceId}/attention`);
    return body.data.filter(({ kind }: any) => kind === 'payments_disconnected');
  };
  const item = { kind: 'payments_disconnected', form: { id: form.id, title: 'Course' } };
  expect(await attention()).toEqual([]);
  await home.call('DELETE', accountPath());
  const refused = await send(form);
  expectRefused(refused, 503);
  expect(refused.body.error).toBe('payments_disconnected');
  expect(refused.headers.get('retry-after')).toBe('300');
  expect(await waiting(form)).toEqual([]);
  const told = await attention();
  expect(told).toContainEqual(item);
  expect(told.map((one: any) => one.form.id)).not.toContain(quiet.id);
  await home.call('PUT', `/open/forms/${form.id}`, { visibility: 'closed' });
  expect(await attention()).not.toContainEqual(item);
  await connect();
  await home.call('PUT', `/open/forms/${form.id}`, { visibility: 'public' });
  expect(await attention()).toEqual([]);
  expect((await send(form)).body).toHaveProperty('payment');
});

test('an account whose key cannot be read takes nothing that could not be paid', async () => {
  const form = await aCharge();
  await query(`update workspace_payment_accounts set secret_key_encrypted = '\\x01020304'`);
  const refused = await send(form);
  expectRefused(refused, 503);
  expect(refused.body.error).toBe('payments_disconnected');
  expect(await waiting(form)).toEqual([]);
});

test('a link that nobody was given leads nowhere', async () => {
  const { form, pay } = await withOneUnpaid();
  const bad = `${pay.slice(0, -1)}${pay.endsWith('0') ? '1' : '0'}`;
  for (const address of [bad, `/forms/${form.slug}/pay?token=x`, `/forms/${form.slug}/pay`]) {
    expect((await get(address)).status).toBe(404);
    expectRefused(await post(address, { accept: 'application/json' }), 404);
  }
});
