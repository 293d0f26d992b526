import { beforeEach, describe, expect, test } from 'vitest';
import { aVisitor } from '../public-pages/visitor.ts';
import { aField, aTextField, TEXT_FIELD_ID } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { runAllJobs } from '../setup/run-jobs.ts';
import { useSmtpServer } from '../setup/smtp-server.ts';
import { KNOWN_KEY, useStripeServer } from '../setup/stripe-server.ts';

/** Personal links whose submission waits until its sender confirms an address or pays: it does not count yet, so the link is not spent. */
const smtp = useSmtpServer();
const stripe = useStripeServer();
const home = useHome(() => ({
  env: {
    SMTP_URL: smtp.url,
    MAIL_FROM: 'forms@example.org',
    ROLES: 'http',
    OUTBOUND_ALLOW_PRIVATE: 'true',
    STRIPE_API_URL: stripe.url,
  },
}));
beforeEach(() => {
  smtp.mails.length = 0;
  stripe.reset();
});

const EMAIL = aField('e1', 'email', 'E-mail');
const PAYMENT = { ...aField('p1', 'payment', 'Fee'), amount: 12.5, currency: 'EUR' };
const CONFIRMS = { properties: [aTextField(), EMAIL], settings: { confirms_email: EMAIL.id } };
const CHARGES = { properties: [aTextField(), PAYMENT] };

type Form = { id: number; slug: string };
let addresses = 0;
const anAddress = () => `grace-${++addresses}@example.org`;
const query = async (text: string, values: unknown[] = []) =>
  (await home.service.context.pool.query(text, values)).rows;
const recipient = async (form: Form) =>
  (await home.call('GET', `/open/forms/${form.id}/recipients`)).body.data[0];
const waiting = async (form: Form) =>
  (await home.call('GET', `/open/forms/${form.id}/submissions/set-aside`)).body.data;

/** A form with one recipient. */
async function withLink(overrides: Record<string, unknown>, settings: object = { required: true }) {
  if (overrides.properties === CHARGES.properties)
    await home.call('PUT', `/open/workspaces/${home.workspaceId}/payments`, { stripe_secret_key: KNOWN_KEY });
  const form: Form = await home.form(overrides);
  await home.call('PUT', `/open/forms/${form.id}/personal-links`, settings);
  const { body } = await home.call('POST', `/open/forms/${form.id}/recipients`, {
    recipients: [{ name: 'Grace' }],
  });
  const { pathname, search } = new URL(body.recipients[0].link);
  const link = pathname + search;
  const answer = (answers: object) =>
    home.service.request('POST', `/forms/${form.slug}/answer${search}`, { body: answers });
  return { form, link, answer };
}

/** Opens the link in the last mail, and presses its button. */
async function confirmLast() {
  await runAllJobs(home.service.context);
  const [, link = ''] = /\n(https?:\/\/\S+\/confirm\?token=\S+)\n/.exec(smtp.mails.at(-1)?.text ?? '') ?? [];
  const { pathname, search } = new URL(link);
  const { open, send } = aVisitor(home.service);
  const page = await open(pathname + search);
  return page.status === 200 ? send(page) : page;
}

async function letLapse(form: Form) {
  await query(`update set_aside_submissions set created_at = now() - interval '7 days' where form_id = $1`, [
    form.id,
  ]);
  await query(`select graphile_worker.add_job('purge_submissions')`);
  await runAllJobs(home.service.context);
  expect(await waiting(form)).toEqual([]);
}

describe('an address to confirm', () => {
  test('that was mistyped can be sent anew by the same link; only the last one counts, once', async () => {
    const { form, link, answer } = await withLink(CONFIRMS);
    await answer({ [TEXT_FIELD_ID]: 'first', [EMAIL.id]: anAddress() });
    expect(await recipient(form)).toMatchObject({ status: 'started', answered_at: null });
    await runAllJobs(home.service.context);
    const old = smtp.mails.splice(0);
    const right = anAddress();
    const { open, send } = aVisitor(home.service);
    const page = await send(await open(link), { [TEXT_FIELD_ID]: 'second', [EMAIL.id]: right });
    expect(page.text).toContain(right);
    expect(await waiting(form)).toHaveLength(1);
    await confirmLast();
    const [record] = await home.records(form);
    expect(record.data[TEXT_FIELD_ID]).toBe('second');
    expect(await recipient(form)).toMatchObject({ status: 'answered', submission_id: record.id });
    smtp.mails.push(...old);
    expect((await confirmLast()).status).toBe(404);
    expect((await answer({ [TEXT_FIELD_ID]: 'third', [EMAIL.id]: anAddress() })).body.error).toBe(
      'already_answered',
    );
    expect(await home.records(form)).toHaveLength(1);
  });

  test('that nobody confirms leaves the link as it was', async () => {
    const { form, link, answer } = await withLink(CONFIRMS);
    await answer({ [TEXT_FIELD_ID]: 'first', [EMAIL.id]: anAddress() });
    await letLapse(form);
    expect((await aVisitor(home.service).open(link)).status).toBe(200);
    await answer({ [TEXT_FIELD_ID]: 'again', [EMAIL.id]: anAddress() });
    await confirmLast();
    expect(await home.records(form)).toHaveLength(1);
  });

  test('counts once, also if another submission was begun by the link meanwhile', async () => {
    const { form, answer } = await withLink({ ...CONFIRMS, enable_partial_submissions: true });
    await answer({ [TEXT_FIELD_ID]: 'first', [EMAIL.id]: anAddress() });
    const { body } = await answer({ [TEXT_FIELD_ID]: 'half', is_partial: true });
    await confirmLast();
    const complete = (await home.records(form)).find(({ status }: any) => status === 'completed');
    expect(await recipient(form)).toMatchObject({ status: 'answered', submission_id: complete.id });
    const { submission_hash } = body;
    const late = await answer({ [TEXT_FIELD_ID]: 'whole', [EMAIL.id]: anAddress(), submission_hash });
    expect(late.body.error).toBe('already_answered');
  });

  test('of a submission that was begun by the link spends it when it is confirmed', async () => {
    const { form, answer } = await withLink({ ...CONFIRMS, enable_partial_submissions: true });
    const { body } = await answer({ [TEXT_FIELD_ID]: 'half', is_partial: true });
    const whole = { [TEXT_FIELD_ID]: 'whole', submission_hash: body.submission_hash };
    await answer({ ...whole, [EMAIL.id]: anAddress() });
    await answer({ ...whole, [EMAIL.id]: anAddress() });
    expect(await recipient(form)).toMatchObject({ status: 'started' });
    await confirmLast();
    expect(await recipient(form)).toMatchObject({ status: 'answered' });
    expect(await home.records(form)).toHaveLength(1);
  });

  test('goes with the person whose link it is, whatever the address', async () => {
    const { form, answer } = await withLink(CONFIRMS);
    await answer({ [TEXT_FIELD_ID]: 'first', [EMAIL.id]: anAddress() });
    const people = (act: string) =>
      home.call('POST', `/open/workspaces/${home.workspaceId}/people/${act}`, { value: 'Grace' });
    const { recipients } = (await people('export')).body;
    const { earlier } = recipients.find(({ form_id }: any) => form_id === form.id);
    expect(earlier).toMatchObject([{ answers: { [TEXT_FIELD_ID]: 'first' } }]);
    await people('erase');
    expect(await waiting(form)).toEqual([]);
    expect(await recipient(form)).toBeUndefined();
  });

  test('spends the link of an anonymous form at once, as nobody knows later whose it was', async () => {
    const { form, answer } = await withLink(CONFIRMS, { required: true, anonymous: true });
    await answer({ [TEXT_FIELD_ID]: 'first', [EMAIL.id]: anAddress() });
    expect(await recipient(form)).toMatchObject({ status: 'answered' });
    const again = await answer({ [TEXT_FIELD_ID]: 'second', [EMAIL.id]: anAddress() });
    expect(again.body.error).toBe('already_answered');
  });

  test('counts as answered when the form becomes anonymous before', async () => {
    const { form, answer } = await withLink(CONFIRMS);
    await answer({ [TEXT_FIELD_ID]: 'first', [EMAIL.id]: anAddress() });
    await home.call('PUT', `/open/forms/${form.id}/personal-links`, { required: true, anonymous: true });
    expect(await recipient(form)).toMatchObject({ status: 'answered' });
    await confirmLast();
    expect(await home.records(form)).toHaveLength(1);
  });
});

describe('something to pay', () => {
  test('that nobody has begun to pay can be sent anew by the link', async () => {
    const { form, answer } = await withLink(CHARGES);
    await answer({ [TEXT_FIELD_ID]: 'first' });
    expect((await answer({ [TEXT_FIELD_ID]: 'second' })).status).toBe(200);
    const [only, ...others] = await waiting(form);
    expect(others).toEqual([]);
    expect(only.data[TEXT_FIELD_ID]).toBe('second');
  });

  test('is led to by the link while it may be being paid, and nothing else is taken', async () => {
    const { form, link, answer } = await withLink(CHARGES);
    const { body } = await answer({ [TEXT_FIELD_ID]: 'first' });
    const pay = new URL(body.payment.url);
    const headers = { accept: 'text/html' };
    const at = (method: string, path: string) => home.service.request(method, path, { headers });
    expect((await at('POST', pay.pathname + pay.search)).status).toBe(303);
    expect((await answer({ [TEXT_FIELD_ID]: 'second' })).body.error).toBe('already_answered');
    const back = await at('GET', link);
    expect(back.status).toBe(303);
    expect(back.headers.get('location')).toBe(body.payment.url);
    stripe.pay();
    await at('GET', pay.pathname + pay.search);
    const [record] = await home.records(form);
    expect(await recipient(form)).toMatchObject({ status: 'answered', submission_id: record.id });
    expect((await at('GET', link)).status).toBe(403);
  });
});
