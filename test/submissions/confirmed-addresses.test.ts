import { beforeEach, describe, expect, test } from 'vitest';
import { CONFIRMATION_MAILS_PER_HOUR } from '../../server/submissions/confirmation/mail-confirmation.ts';
import { PDF, upload } from '../files/upload.ts';
import { aMailServer, mailServerPath } from '../mail/mail-server.ts';
import { aVisitor } from '../public-pages/visitor.ts';
import { aField, aTextField, aWorkspace, TEXT_FIELD_ID } from '../setup/factories.ts';
import { expectInvalid, expectRefused, useHome } from '../setup/home.ts';
import { runAllJobs } from '../setup/run-jobs.ts';
import { startService } from '../setup/service.ts';
import { useSmtpServer } from '../setup/smtp-server.ts';

const smtp = useSmtpServer();
const home = useHome(() => ({
  env: { SMTP_URL: smtp.url, MAIL_FROM: 'forms@example.org', ROLES: 'http', OUTBOUND_ALLOW_PRIVATE: 'true' },
}));
beforeEach(() => {
  smtp.mails.length = 0;
  smtp.refusals.clear();
});

const EMAIL = aField('e1', 'email', 'E-mail');
const CONFIRMS = { properties: [aTextField(), EMAIL], settings: { confirms_email: EMAIL.id } };
let addresses = 0;
/** Each test has addresses of its own, as mails are counted. */
const anAddress = () => `ada-${++addresses}@example.org`;

type Form = { id: number; slug: string; uuid?: string };
const path = (form: Form, rest = '') => `/open/forms/${form.id}/submissions${rest}`;
const aFormThatAsks = (overrides: Record<string, unknown> = {}) =>
  home.form({ title: 'Newsletter', ...CONFIRMS, ...overrides });
const visitor = () => aVisitor(home.service);
const send = (form: Form, email: string, more: object = {}, headers = {}) =>
  home.submit(form, { [TEXT_FIELD_ID]: 'Ada', [EMAIL.id]: email, ...more }, headers);
const waiting = async (form: Form, query = '') => {
  const answer = await home.call('GET', path(form, `/set-aside${query}`));
  expect(answer.status, answer.text).toBe(200);
  return answer.body.data;
};
const query = async (text: string, values: unknown[] = []) =>
  (await home.service.context.pool.query(text, values)).rows;
const deliveries = (form: Form) => query('select body::text from deliveries where form_id = $1', [form.id]);
const work = async (job: string) => {
  await query('select graphile_worker.add_job($1)', [job]);
  await runAllJobs(home.service.context);
};

/** Sends the mails that are due. @returns the path of the link in the only one */
async function linkInMail(): Promise<string> {
  await runAllJobs(home.service.context);
  expect(smtp.mails).toHaveLength(1);
  const [, link = ''] = /\n(https?:\/\/\S+\/confirm\?token=\S+)\n/.exec(smtp.mails[0]?.text ?? '') ?? [];
  expect(link).not.toBe('');
  const { pathname, search } = new URL(link);
  return pathname + search;
}
/** A form with one submission that waits, and the path of the link that was mailed. */
async function withOneWaiting(overrides: Record<string, unknown> = {}) {
  const form = await aFormThatAsks(overrides);
  const email = anAddress();
  const sent = await send(form, email);
  expect(sent.status, sent.text).toBe(200);
  return { form, email, sent, link: await linkInMail() };
}
async function confirm(link: string) {
  const { open, send: press } = visitor();
  return press(await open(link));
}

describe('a complete submission', () => {
  test('counts once its sender has opened the mailed link and pressed the button', async () => {
    const form = await aFormThatAsks();
    await home.call('POST', `/open/forms/${form.id}/integrations`, {
      integration_id: 'webhook',
      data: { webhook_url: 'http://127.0.0.1:9/' },
    });
    const email = anAddress();
    const sent = await send(form, email);
    expect(sent.body).toMatchObject({
      type: 'success',
      message: 'Form submission saved. It counts once its sender has confirmed the e-mail address.',
      submission_id: expect.any(String),
      redirect: false,
      confirmation: { email, expires_at: expect.any(String) },
    });
    expect(await home.records(form)).toEqual([]);
    expect(await deliveries(form)).toEqual([]);
    const [held] = await waiting(form);
    expect(held).toMatchObject({
      status: 'set_aside',
      submission_id: sent.body.submission_id,
      reasons: [{ code: 'unconfirmed_email', message: 'Its sender has not confirmed the e-mail address.' }],
      unconfirmed_email: email,
      data: { [EMAIL.id]: email },
      deleted_at: sent.body.confirmation.expires_at,
    });

    const link = await linkInMail();
    const [mail] = smtp.mails;
    expect(mail?.recipients).toEqual([email]);
    expect(mail?.text).toContain('Subject: Please confirm your email address: Newsletter');
    expect(mail?.text).toContain('Auto-Submitted: auto-replied');
    const { open, send: press } = visitor();
    const page = await open(link);
    expect(page.status).toBe(200);
    expect(page.text).toContain(`Is ${email} your address?`);
    expect(await home.records(form)).toEqual([]);

    const thanks = await press(page);
    expect(thanks.text).toContain('Thank you! Your answers have been saved.');
    const [record] = await home.records(form);
    expect(record).toMatchObject({ submission_id: sent.body.submission_id, data: { [EMAIL.id]: email } });
    expect(await waiting(form)).toEqual([]);
    expect(await deliveries(form)).toHaveLength(1);
    // Once more, and a second press of the same button.
    expect((await open(link)).text).toContain('This has been confirmed: your answers are saved.');
    expect((await press(page)).text).toContain('Thank you!');
    expect(await home.records(form)).toHaveLength(1);
  });

  test('is mailed about with the title and the address that the form has when the mail goes out', async () => {
    const form = await aFormThatAsks();
    expect((await send(form, anAddress())).status).toBe(200);
    const other = await startService({
      database: home.service.database,
      dataDir: home.service.dataDir,
      env: { SMTP_URL: smtp.url, MAIL_FROM: 'forms@example.org', ROLES: 'http' },
    });
    try {
      // The other process knows the form as it was.
      await runAllJobs(other.context);
      expect(smtp.mails.splice(0)).toHaveLength(1);
      await home.call('PUT', `/open/forms/${form.id}`, { title: 'Digest', slug: 'digest-by-mail' });
      expect((await send({ ...form, slug: 'digest-by-mail' }, anAddress())).status).toBe(200);
      await runAllJobs(other.context);
      expect(smtp.mails[0]?.text).toContain('Digest');
      expect(smtp.mails[0]?.text).toContain('/forms/digest-by-mail/confirm?token=');
    } finally {
      await other.stop();
    }
  });

  test.each([
    ['a draft', (id: number) => home.call('PUT', `/open/forms/${id}`, { visibility: 'draft' })],
    ['in the trash', (id: number) => home.call('POST', `/open/forms/${id}/trash`)],
  ])('is not mailed about while the form is %s, and the mail waits', async (_where, putAway) => {
    const form = await aFormThatAsks();
    expect((await send(form, anAddress())).status).toBe(200);
    const put = await putAway(form.id);
    expect(put.status, put.text).toBeLessThan(300);
    await runAllJobs(home.service.context);
    expect(smtp.mails).toEqual([]);
    await query(`update forms set visibility = 'public', revision = revision + 1 where id = $1`, [form.id]);
    await query('delete from trashed_forms where form_id = $1', [form.id]);
    await query(`select graphile_worker.reschedule_jobs(array_agg(id), run_at => now())
      from graphile_worker.jobs where task_identifier = 'mail_confirmation'`);
    await confirm(await linkInMail());
    expect(await home.records(form)).toHaveLength(1);
  });

  test('is mailed about also when the address of the form is made anew meanwhile', async () => {
    const form = await aFormThatAsks();
    expect((await send(form, anAddress())).status).toBe(200);
    const renewed = await home.call('PUT', `/open/forms/${form.id}/regenerate-link/uuid`);
    expect(renewed.status, renewed.text).toBe(200);
    await confirm(await linkInMail());
    expect(await home.records(form)).toHaveLength(1);
  });

  test('says nothing in its mail that the sender wrote', async () => {
    const form = await aFormThatAsks();
    await send(form, anAddress(), { [TEXT_FIELD_ID]: 'Buy https://cheap.example' });
    await linkInMail();
    expect(smtp.mails[0]?.text).not.toContain('cheap.example');
  });

  test('is stored at once without an answer to the field, or where the field is gone or another one', async () => {
    const form = await aFormThatAsks();
    const sent = await home.submit(form, { [TEXT_FIELD_ID]: 'Ada' });
    expect(sent.body).not.toHaveProperty('confirmation');
    await home.call('PUT', `/open/forms/${form.id}`, {
      properties: [aTextField(), { ...EMAIL, type: 'text' }],
    });
    expect((await send(form, anAddress())).body.message).toBe('Form submission saved.');
    expect(await home.records(form)).toHaveLength(2);
    expect(await waiting(form)).toEqual([]);
  });

  test('comes by a personal link that was mailed to the same address without a confirmation', async () => {
    const form = await aFormThatAsks();
    const [email, other] = [anAddress(), anAddress()];
    const recipients = [{ email }, { email: other }];
    const { body } = await home.call('POST', `/open/forms/${form.id}/recipients`, { recipients });
    const codes = body.recipients.map(({ link }: any) => new URL(link).searchParams.get('personal'));
    const mails = { kind: 'invitation', subject: 'Hello', text: '{link}' };
    await home.call('POST', `/open/forms/${form.id}/recipients/mails`, mails);
    await runAllJobs(home.service.context);
    smtp.mails.length = 0;
    const by = (code: string, address: string) =>
      home.service.request('POST', `/forms/${form.slug}/answer?personal=${code}`, {
        body: { [EMAIL.id]: address },
      });
    expect((await by(codes[0], email.toUpperCase())).body).not.toHaveProperty('confirmation');
    expect(await home.records(form)).toHaveLength(1);
    const elsewhere = anAddress();
    expect((await by(codes[1], elsewhere)).body).toMatchObject({ confirmation: { email: elsewhere } });
    await confirm(await linkInMail());
    expect(await home.records(form)).toHaveLength(2);
  });

  test('is acknowledged again as it was, under an Idempotency-Key', async () => {
    const form = await aFormThatAsks();
    const email = anAddress();
    const headers = { 'idempotency-key': 'once' };
    const first = await send(form, email, {}, headers);
    const again = await send(form, email, {}, headers);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.body).toEqual(first.body);
    const link = await linkInMail();
    await confirm(link);
    expect((await send(form, email, {}, headers)).body).not.toHaveProperty('confirmation');
    expect(await home.records(form)).toHaveLength(1);
  });

  test('that looks like spam is only set aside, and no mail is sent', async () => {
    const form = await aFormThatAsks({ settings: { ...CONFIRMS.settings, sets_spam_aside: true } });
    const links = 'https://a.example https://b.example https://c.example https://d.example';
    const sent = await send(form, anAddress(), { [TEXT_FIELD_ID]: links });
    expect(sent.body).not.toHaveProperty('confirmation');
    await send(form, anAddress());
    await linkInMail();
    const codes = async (asked: string) =>
      (await waiting(form, `?reason=${asked}`)).map(({ reasons }: any) => reasons[0].code);
    expect(await codes('unconfirmed_email')).toEqual(['unconfirmed_email']);
    expect(await codes('many_links,repeated')).toEqual(['many_links']);
    expect(await codes('')).toHaveLength(2);
    expectInvalid(await home.call('GET', path(form, '/set-aside?reason=many_links,odd')), 'reason');
  });

  test('is deleted after a week, and its link then leads to the form', async () => {
    const { form, link } = await withOneWaiting();
    const age = (days: number) =>
      query(
        `update set_aside_submissions set created_at = now() - make_interval(days => $2) where form_id = $1`,
        [form.id, days],
      );
    await age(6);
    await work('purge_submissions');
    expect(await waiting(form)).toHaveLength(1);
    await age(7);
    await work('purge_submissions');
    expect(await waiting(form)).toEqual([]);
    const page = await visitor().open(link);
    expect(page.status).toBe(404);
    expect(page.text).toContain('This link is no longer valid.');
    expect(page.html).toContain(`href="/forms/${form.slug}"`);
  });

  test('asks for nothing any more when the retention of the field has removed the address', async () => {
    const { form, link, email } = await withOneWaiting({
      properties: [aTextField(), { ...EMAIL, retention_days: 1 }],
    });
    // Though another answer is the same.
    await query(
      `update set_aside_submissions set data = data || jsonb_build_object($2::text, $3::text) where form_id = $1`,
      [form.id, TEXT_FIELD_ID, email],
    );
    await query(
      `update set_aside_submissions set created_at = now() - interval '2 days' where form_id = $1`,
      [form.id],
    );
    await work('purge_submissions');
    const [held] = await waiting(form);
    expect(held.unconfirmed_email).toBeNull();
    expect(held.data[EMAIL.id]).toBeNull();
    expect((await visitor().open(link)).status).toBe(404);
    // It is still no suspected spam, and goes when it had to be confirmed.
    expect(Date.parse(held.deleted_at) - Date.parse(held.created_at)).toBe(7 * 86_400_000);
    const attention = await home.call('GET', `/open/workspaces/${home.workspaceId}/attention`);
    expect(attention.status, attention.text).toBe(200);
    expect(attention.body.data.filter((need: any) => need.form.id === form.id)).toEqual([]);
    await query(
      `update set_aside_submissions set created_at = now() - interval '8 days' where form_id = $1`,
      [form.id],
    );
    await work('purge_submissions');
    expect(await waiting(form)).toEqual([]);
  });

  test('can be kept by a member as it is; the link then says that nothing is left to do', async () => {
    const { form, link } = await withOneWaiting();
    const [held] = await waiting(form);
    const released = await home.call('POST', path(form, `/set-aside/${held.id}/release`));
    expect(released.status, released.text).toBe(200);
    expect(await home.records(form)).toHaveLength(1);
    expect((await visitor().open(link)).text).toContain('your answers are saved');
  });
});

describe('the proof', () => {
  async function withOneConfirmed(email = anAddress()) {
    const form = await aFormThatAsks();
    await home.call('POST', `/open/forms/${form.id}/integrations`, {
      integration_id: 'webhook',
      data: { webhook_url: 'http://127.0.0.1:9/' },
    });
    await send(form, email);
    await confirm(await linkInMail());
    const [record] = await home.records(form);
    return { form, email, record };
  }
  const read = async (form: Form, id: number) => (await home.call('GET', path(form, `/${id}`))).body;
  const proofs = (form: Form) => query('select * from confirmed_addresses where form_id = $1', [form.id]);

  test('is told of by the description of the answers', async () => {
    const form = await aFormThatAsks();
    const { body } = await home.call('GET', `/open/forms/${form.id}/answer-schema`);
    for (const name of ['CompleteSubmission', 'WebhookBody']) {
      const { properties, required } = body.$defs[name];
      expect(Object.keys(properties.confirmed_email.properties)).toEqual(['email', 'confirmed_at']);
      expect(required).not.toContain('confirmed_email');
    }
  });

  test('begins no formula in a spreadsheet', async () => {
    const { form, email } = await withOneConfirmed("=cmd|'/C'!A0@example.org");
    const exported = await home.call('POST', path(form, '/export'), { columns: { confirmed_email: true } });
    expect(exported.text).toContain(`\n'${email}`);
  });

  test('is with the submission, in its webhooks and in exports', async () => {
    const { form, email, record } = await withOneConfirmed();
    const proof = { email, confirmed_at: expect.stringMatching(/^20.*Z$/) };
    expect(record.confirmed_email).toEqual(proof);
    expect((await read(form, record.id)).confirmed_email).toEqual(proof);
    const byCursor = await home.call('GET', path(form, '?order=desc'));
    expect(byCursor.body.data[0].confirmed_email).toEqual(proof);
    const [delivery] = await deliveries(form);
    expect(JSON.parse(delivery.body).confirmed_email).toEqual(record.confirmed_email);
    const shown = await home.call('GET', path(form, `/${record.id}/webhook-body`));
    expect(shown.body.body).toBe(delivery.body);
    const columns = { [EMAIL.id]: true, confirmed_email: true, confirmed_at: true };
    const exported = await home.call('POST', path(form, '/export'), { columns });
    const { confirmed_at } = record.confirmed_email;
    expect(
      exported.text
        .replace(/^\uFEFF/, '')
        .trim()
        .split(/\r?\n/),
    ).toEqual(['E-mail,confirmed_email,confirmed_at', `${email},${email},${confirmed_at}`]);
  });

  test('is in what is exported of a person', async () => {
    const { email, record } = await withOneConfirmed();
    const people = `/open/workspaces/${home.workspaceId}/people`;
    const { body } = await home.call('POST', `${people}/export`, { value: email });
    expect(body.submissions).toMatchObject([{ confirmed_email: record.confirmed_email }]);
  });

  test('stays in the trash and back, and goes with the submission', async () => {
    const { form, record } = await withOneConfirmed();
    await home.call('POST', path(form, '/trash'), { submissionIds: [record.id] });
    const [trashed] = (await home.call('GET', path(form, '/trash'))).body.data;
    expect(trashed.confirmed_email).toEqual(record.confirmed_email);
    await home.call('POST', path(form, '/trash/restore'), { submissionIds: [record.id] });
    const [restored] = await home.records(form);
    expect(restored.confirmed_email).toEqual(record.confirmed_email);
    await home.call('DELETE', path(form, `/${restored.id}`));
    expect(await proofs(form)).toEqual([]);
  });

  test('is gone when the address is changed, and stays when another answer is', async () => {
    const { form, email, record } = await withOneConfirmed();
    const change = (answers: object) => home.call('PUT', path(form, `/${record.id}`), answers);
    const changed = await change({ [TEXT_FIELD_ID]: 'Ada Lovelace', [EMAIL.id]: email });
    expect(changed.body.data.confirmed_email).toEqual(record.confirmed_email);
    await change({ [TEXT_FIELD_ID]: 'Ada Lovelace', [EMAIL.id]: anAddress() });
    expect(await read(form, record.id)).not.toHaveProperty('confirmed_email');
    expect(await proofs(form)).toEqual([]);
  });

  test('is gone when the address is changed to one that only looks like it', async () => {
    const { form, record } = await withOneConfirmed('boss@İbm.example');
    const change = (email: string) => home.call('PUT', path(form, `/${record.id}`), { [EMAIL.id]: email });
    const same = await change('Boss@İBM.example');
    expect(same.body.data.confirmed_email).toEqual(record.confirmed_email);
    expect((await change('boss@ibm.example')).body.data).not.toHaveProperty('confirmed_email');
  });

  test('is gone when the address is moved to another question, also when that had it before', async () => {
    const { form, email, record } = await withOneConfirmed();
    const change = (answers: object) => home.call('PUT', path(form, `/${record.id}`), answers);
    const both = await change({ [TEXT_FIELD_ID]: email });
    expect(both.body.data.confirmed_email).toEqual(record.confirmed_email);
    const moved = await change({ [EMAIL.id]: 'victim@bank.example', [TEXT_FIELD_ID]: email });
    expect(moved.status, moved.text).toBe(200);
    expect(moved.body.data).not.toHaveProperty('confirmed_email');
  });

  test('stays about the field that was confirmed when the form has another one confirmed by now', async () => {
    const other = aField('e2', 'email', 'Another address');
    const { form, email, record } = await withOneConfirmed();
    const change = (answers: object) => home.call('PUT', path(form, `/${record.id}`), answers);
    await home.call('PUT', `/open/forms/${form.id}`, {
      properties: [aTextField(), EMAIL, other],
      settings: { confirms_email: other.id },
    });
    const changed = await change({ [TEXT_FIELD_ID]: 'Ada Lovelace', [other.id]: 'x@example.org' });
    expect(changed.body.data.confirmed_email).toEqual(record.confirmed_email);
    await home.call('POST', path(form, '/trash'), { submissionIds: [record.id] });
    await home.call('POST', path(form, '/trash/restore'), { submissionIds: [record.id] });
    const [{ id, confirmed_email }] = await home.records(form);
    expect(confirmed_email).toEqual(record.confirmed_email);
    await home.call('PUT', path(form, `/${id}`), { [other.id]: email, [EMAIL.id]: anAddress() });
    expect(await read(form, id)).not.toHaveProperty('confirmed_email');
  });

  test('of what was stored before fields were kept is about the field that the form names', async () => {
    const { form, email, record } = await withOneConfirmed();
    const change = (answers: object) => home.call('PUT', path(form, `/${record.id}`), answers);
    await query('update confirmed_addresses set field_id = null where form_id = $1', [form.id]);
    expect((await change({ [TEXT_FIELD_ID]: email })).body.data.confirmed_email).toMatchObject({ email });
    expect((await change({ [EMAIL.id]: anAddress() })).body.data).not.toHaveProperty('confirmed_email');
  });

  test('goes with its form', async () => {
    const { form } = await withOneConfirmed();
    await home.call('DELETE', `/open/forms/${form.id}`);
    await runAllJobs(home.service.context);
    expect(await proofs(form)).toEqual([]);
  });
});

describe('a partial submission that is completed', () => {
  const withPartials = { enable_partial_submissions: true };
  async function begin(form: Form) {
    const begun = await home.submit(form, { [TEXT_FIELD_ID]: 'Ada', is_partial: true });
    return begun.body.submission_hash as string;
  }
  const counts = async (form: Form) => {
    const all = (await home.call('GET', path(form, '?status=all'))).body.data;
    return all.map(({ status }: any) => status);
  };

  test('stays partial until the address is confirmed', async () => {
    const form = await aFormThatAsks(withPartials);
    const submission_hash = await begin(form);
    const email = anAddress();
    const sent = await send(form, email, { submission_hash });
    expect(sent.body).toMatchObject({ confirmation: { email } });
    expect(await counts(form)).toEqual(['partial']);
    await confirm(await linkInMail());
    expect(await counts(form)).toEqual(['completed']);
    expect((await home.records(form))[0]).toMatchObject({
      submission_id: sent.body.submission_id,
      data: { [EMAIL.id]: email, [TEXT_FIELD_ID]: 'Ada' },
    });
    expect(await waiting(form)).toEqual([]);
  });

  test('may be sent again with another address, and only the later link works', async () => {
    const form = await aFormThatAsks(withPartials);
    const submission_hash = await begin(form);
    const [wrong, right] = [anAddress(), anAddress()];
    await send(form, wrong, { submission_hash });
    const first = await linkInMail();
    smtp.mails.length = 0;
    await send(form, right, { submission_hash });
    expect(await waiting(form)).toHaveLength(1);
    const second = await linkInMail();
    expect((await visitor().open(first)).status).toBe(404);
    await confirm(second);
    expect((await home.records(form))[0].data).toMatchObject({ [EMAIL.id]: right });
    expect((await visitor().open(first)).status).toBe(404);
  });

  test('counts at once, and nothing waits any more, when it is sent again without an address', async () => {
    const form = await aFormThatAsks(withPartials);
    const submission_hash = await begin(form);
    await send(form, anAddress(), { submission_hash });
    const link = await linkInMail();
    const sent = await home.submit(form, { [TEXT_FIELD_ID]: 'Ada', submission_hash });
    expect(sent.body.message).toBe('Form submission saved.');
    expect(sent.body).not.toHaveProperty('confirmation');
    expect(await counts(form)).toEqual(['completed']);
    expect(await waiting(form)).toEqual([]);
    expect((await visitor().open(link)).status).toBe(404);
  });

  test('counts at once when the form asks for nothing any more', async () => {
    const form = await aFormThatAsks(withPartials);
    const submission_hash = await begin(form);
    await send(form, anAddress(), { submission_hash });
    const link = await linkInMail();
    await home.call('PUT', `/open/forms/${form.id}`, { settings: { confirms_email: null } });
    await send(form, anAddress(), { submission_hash });
    expect(await counts(form)).toEqual(['completed']);
    expect(await waiting(form)).toEqual([]);
    expect((await visitor().open(link)).status).toBe(404);
  });

  test('is not stored twice when a member has completed it meanwhile', async () => {
    const form = await aFormThatAsks(withPartials);
    const submission_hash = await begin(form);
    const email = anAddress();
    await send(form, email, { submission_hash });
    const link = await linkInMail();
    const [{ id }] = (await home.call('GET', path(form, '?status=all'))).body.data;
    await home.call('PUT', path(form, `/${id}`), { [TEXT_FIELD_ID]: 'Ada Lovelace', [EMAIL.id]: email });
    expect((await home.records(form))[0]).not.toHaveProperty('confirmed_email');
    expect((await confirm(link)).text).toContain('Thank you!');
    const records = await home.records(form);
    expect(records).toMatchObject([
      { data: { [TEXT_FIELD_ID]: 'Ada Lovelace' }, confirmed_email: { email } },
    ]);
    expect(await waiting(form)).toEqual([]);
  });

  test('is proven no other address, which a member has entered, because the confirmed one is another answer', async () => {
    const form = await aFormThatAsks(withPartials);
    const submission_hash = await begin(form);
    const email = anAddress();
    await send(form, email, { submission_hash });
    const link = await linkInMail();
    const [{ id }] = (await home.call('GET', path(form, '?status=all'))).body.data;
    await home.call('PUT', path(form, `/${id}`), { [TEXT_FIELD_ID]: email, [EMAIL.id]: anAddress() });
    await confirm(link);
    expect((await home.records(form))[0]).not.toHaveProperty('confirmed_email');
  });

  test('keeps the files of what waits when its sender goes on with it', async () => {
    const cv = aField('cv', 'files', 'CV');
    const form = await aFormThatAsks({ ...withPartials, properties: [aTextField(), EMAIL, cv] });
    const submission_hash = await begin(form);
    const { reference } = (await upload(home.service, form, cv.id, PDF, 'cv.pdf')).body;
    await send(form, anAddress(), { submission_hash, [cv.id]: [reference] });
    const link = await linkInMail();
    await home.submit(form, { [TEXT_FIELD_ID]: 'Ada', [cv.id]: [], submission_hash, is_partial: true });
    await runAllJobs(home.service.context);
    expect((await confirm(link)).text).toContain('Thank you!');
    const [record] = await home.records(form);
    expect((await fetch(record.files[cv.id][0].file_url)).status).toBe(200);
  });

  test('gives up the files that only the answers named which waited', async () => {
    const cv = aField('cv', 'files', 'CV');
    const form = await aFormThatAsks({ ...withPartials, properties: [aTextField(), EMAIL, cv] });
    const uploads = async () =>
      (await query('select name from uploads where form_id = $1 order by name', [form.id])).map(
        ({ name }) => name,
      );
    /** One file of answers that wait, in capitals, and another of the partial submission, which goes on. */
    const withTwoFiles = async (names: [string, string]) => {
      const submission_hash = await begin(form);
      const [first, second] = await Promise.all(
        names.map(async (name) => (await upload(home.service, form, cv.id, PDF, name)).body.reference),
      );
      await send(form, anAddress(), {
        submission_hash,
        [cv.id]: [first.replace(/[0-9a-f-]{36}/, (id: string) => id.toUpperCase())],
      });
      await home.submit(form, { [cv.id]: [second], submission_hash, is_partial: true });
      await runAllJobs(home.service.context);
    };
    await withTwoFiles(['a.pdf', 'b.pdf']);
    expect(await uploads()).toHaveLength(2);
    await query(
      `update set_aside_submissions set created_at = now() - interval '8 days' where form_id = $1`,
      [form.id],
    );
    await work('purge_submissions');
    expect(await waiting(form)).toEqual([]);
    expect(await uploads()).toEqual([expect.stringContaining('b')]);

    smtp.mails.length = 0;
    await withTwoFiles(['c.pdf', 'd.pdf']);
    const link = await linkInMail();
    const [{ id, data }] = (await home.call('GET', path(form, '?status=all'))).body.data;
    await home.call('PUT', path(form, `/${id}`), data);
    await confirm(link);
    await runAllJobs(home.service.context);
    expect(await uploads()).toEqual([expect.stringContaining('b'), expect.stringContaining('d')]);
  });
});

describe('what a form does not take in any more stays, and the page says why', () => {
  test.each([
    ['closed', { visibility: 'closed' }, 'This form is closed'],
    ['full', { max_submissions_count: 1 }, 'This form is full'],
    [
      'changed',
      {
        properties: [aTextField({ required: true }), EMAIL, aField('e2', 'text', 'More', { required: true })],
      },
      'they do not fit it any more',
    ],
  ])('%s', async (_state, change, words) => {
    const { form, link } = await withOneWaiting();
    const { open, send: press } = visitor();
    const page = await open(link);
    await home.submit(form, { [TEXT_FIELD_ID]: 'The last one' });
    await home.call('PUT', `/open/forms/${form.id}`, change);
    const refused = await press(page);
    expect(refused.text).toContain(words);
    expect(refused.text).toContain('Your answers are kept.');
    expect(await waiting(form)).toHaveLength(1);
    expect(await home.records(form)).toHaveLength(1);
  });
});

describe('on its page', () => {
  test('a form without a script says where the link went, and sends it again', async () => {
    const form = await aFormThatAsks({ redirect_url: 'https://elsewhere.example/thanks' });
    const email = anAddress();
    const { open, send: press } = visitor();
    const page = await press(await open(`/forms/${form.slug}`), { [EMAIL.id]: email });
    expect(page.text).toContain(`We have sent a link to ${email}.`);
    expect(page.text).toContain('spam folder');
    const link = await linkInMail();
    smtp.mails.length = 0;
    const again = await press(page);
    expect(again.text).toContain('The mail is on its way again.');
    expect(await linkInMail()).toBe(link);
    await press(page);
    expect((await press(page)).text).toContain('No more mails can be sent for now.');
    // Only what is confirmed leads on.
    expect((await press(await open(link))).path).toBe('https://elsewhere.example/thanks');
    expect((await open(page.path)).text).toContain('Thank you!');
  });

  test('a form with a script is led to the same page', async () => {
    const form = await aFormThatAsks({ redirect_url: 'https://elsewhere.example/thanks' });
    const answer = await fetch(
      `${home.service.url}/forms/${form.slug}?visit=${'v'.repeat(22)}&at=${Math.floor(Date.now() / 1_000)}`,
      {
        method: 'POST',
        body: new URLSearchParams({ [EMAIL.id]: anAddress() }),
        headers: { accept: 'application/json' },
      },
    );
    const body = await answer.json();
    expect(body).toMatchObject({ type: 'success', next: expect.stringContaining('/thank-you?receipt=') });
    await linkInMail();
  });

  test('speaks its language, as the mail and the page of the link do', async () => {
    const translations = { de: { title: 'Rundbrief' } };
    const form = await aFormThatAsks({ translations });
    const { open, send: press } = visitor();
    const page = await press(await open(`/forms/${form.slug}?lang=de`), { [EMAIL.id]: anAddress() });
    expect(page.text).toContain('Wir haben einen Link an');
    const link = await linkInMail();
    expect(smtp.mails[0]?.text).toMatch(/hat das Formular .+Rundbrief/);
    expect(link).toContain('&lang=de');
    const asked = await open(link);
    expect(asked.text).toContain('Adresse bestätigen');
    expect((await press(asked)).text).toContain('Vielen Dank!');
  });

  test('a form with a password asks for none when the address is confirmed', async () => {
    const form = await aFormThatAsks({ password: 'open sesame' });
    await send(form, anAddress(), {}, { 'form-password': 'open sesame' });
    expect((await confirm(await linkInMail())).text).toContain('Thank you!');
  });

  test('no other token confirms anything', async () => {
    const { form, link } = await withOneWaiting();
    const other = await aFormThatAsks();
    const token = new URLSearchParams(link.split('?')[1]).get('token') ?? '';
    for (const wrong of [
      '',
      'x',
      token.slice(0, -1) + (token.endsWith('0') ? '1' : '0'),
      token.toUpperCase(),
    ]) {
      const page = await visitor().open(`/forms/${form.slug}/confirm?token=${wrong}`, { method: 'POST' });
      expect(page.status).toBe(404);
    }
    const page = await visitor().open(`/forms/${other.slug}/confirm?token=${token}`, { method: 'POST' });
    expect(page.status).toBe(404);
    expect(await home.records(form)).toEqual([]);
  });
});

describe('limits', () => {
  test('an address gets three mails of a form in an hour; the next sender is told to wait', async () => {
    const form = await aFormThatAsks();
    const email = anAddress();
    for (let n = 1; n <= 3; n++) expect((await send(form, email)).status).toBe(200);
    const refused = await send(form, email.toUpperCase());
    expectRefused(refused, 429);
    expect(refused.body.error).toBe('too_many_confirmations');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await waiting(form)).toHaveLength(3);
    expect((await send(form, anAddress())).status).toBe(200);
    const page = await visitor().open(`/forms/${form.slug}`);
    const told = await visitor().send(page, { [TEXT_FIELD_ID]: 'Kept words', [EMAIL.id]: email });
    expect(told.text).toContain('Too many attempts.');
    expect(told.html).toContain('Kept words');
    await runAllJobs(home.service.context);
  });

  test('no more than ten thousand wait', async () => {
    const form = await aFormThatAsks();
    await query(
      `insert into set_aside_submissions (form_id, public_id, data, reasons, unconfirmed_address)
       select $1, gen_random_uuid(), '{}', array['unconfirmed_email'], 'x@example.org' from generate_series(1, 10000)`,
      [form.id],
    );
    const refused = await send(form, anAddress());
    expectRefused(refused, 429);
    expect(refused.body.error).toBe('too_many_unconfirmed');
    expect((await home.submit(form, { [TEXT_FIELD_ID]: 'Without an address' })).status).toBe(200);
    await query('delete from set_aside_submissions where form_id = $1', [form.id]);
  });

  test('a form that sends as many mails as it may in an hour sends the next ones later', async () => {
    const form = await aFormThatAsks();
    await query(
      `insert into mail_counts (form_id, counted, since, count) values ($1, 'unconfirmed', date_trunc('hour', now(), 'UTC'), $2)`,
      [form.id, CONFIRMATION_MAILS_PER_HOUR],
    );
    await send(form, anAddress());
    await runAllJobs(home.service.context);
    expect(smtp.mails).toEqual([]);
    await query('delete from mail_counts where form_id = $1', [form.id]);
    await query('update graphile_worker._private_jobs set run_at = now()');
    await linkInMail();
  });

  test('an address that the mail server refuses is given up; one it puts off is tried again', async () => {
    const form = await aFormThatAsks();
    const [gone, busy] = [anAddress(), anAddress()];
    smtp.refusals.set(gone, '550 nobody here');
    await send(form, gone);
    await runAllJobs(home.service.context);
    smtp.refusals.set(busy, '450 later');
    await send(form, busy);
    await expect(runAllJobs(home.service.context)).rejects.toThrow('did not take a mail');
    smtp.refusals.clear();
    await query('update graphile_worker._private_jobs set run_at = now(), last_error = null');
    await runAllJobs(home.service.context);
    expect(smtp.mails.map(({ recipients }) => recipients[0])).toEqual([busy]);
    expect(await waiting(form)).toHaveLength(2);
  });
});

describe('the setting', () => {
  test('names an e-mail field of the form', async () => {
    const form = await home.form({ properties: [aTextField(), EMAIL] });
    const set = (field: unknown) =>
      home.call('PUT', `/open/forms/${form.id}`, { settings: { confirms_email: field } });
    for (const wrong of ['nothing', TEXT_FIELD_ID, 3])
      expectInvalid(await set(wrong), 'settings.confirms_email');
    expect((await set(EMAIL.id)).body.form.settings).toEqual({ confirms_email: EMAIL.id });
    // As it was read, even if the field is gone.
    await home.call('PUT', `/open/forms/${form.id}`, { properties: [aTextField()] });
    expect((await set(EMAIL.id)).status).toBe(200);
    expect((await set(null)).body.form.settings).toEqual({ confirms_email: null });
  });
});

describe('without a mail server', () => {
  const silent = useHome({ env: { ROLES: 'http' } });

  test('the setting is refused, for a draft when it is published', async () => {
    const form = await silent.form({ properties: CONFIRMS.properties });
    const body = { settings: CONFIRMS.settings };
    const refused = await silent.call('PUT', `/open/forms/${form.id}`, body);
    expect(expectInvalid(refused, 'settings.confirms_email')).toEqual({
      'settings.confirms_email': ['Neither this workspace nor this service has a mail server.'],
    });
    const created = { workspace_id: silent.workspaceId, title: 'New', ...CONFIRMS };
    expectInvalid(await silent.call('POST', '/open/forms', created), 'settings.confirms_email');
    await silent.call('PUT', `/open/forms/${form.id}/draft`, body);
    expectInvalid(
      await silent.call('POST', `/open/forms/${form.id}/draft/publish`),
      'settings.confirms_email',
    );
  });

  test('a form that asks is neither moved nor copied to where no mail can be sent', async () => {
    const own = await aWorkspace(silent.service, silent.ada);
    await silent.call('PUT', mailServerPath(own), aMailServer(smtp));
    const form = await silent.form({ workspace_id: own, ...CONFIRMS });
    const at = (rest: string) => `/open/forms/${form.id}${rest}`;
    const move = (workspace_id: number) => silent.call('POST', at('/move'), { workspace_id });
    expect(expectInvalid(await move(silent.workspaceId), 'workspace_id')).toEqual({
      workspace_id: [
        'The form has senders confirm their address, but neither that workspace nor this service has a mail server.',
      ],
    });
    expect((await silent.call('POST', at('/duplicate'))).status).toBe(200);

    await silent.call('DELETE', mailServerPath(own));
    expectInvalid(await silent.call('POST', at('/duplicate')), 'settings.confirms_email');
    // What is set already can be sent back.
    expect((await silent.call('PUT', at(''), { settings: CONFIRMS.settings })).status).toBe(200);
    await silent.call('PUT', at(''), { settings: { confirms_email: null } });
    await silent.call('PUT', at(''), { title: 'Another' });
    // Versions hold no settings.
    expect((await silent.call('POST', at('/versions/1/restore'))).body.form.settings).toEqual({
      confirms_email: null,
    });
    expect((await silent.call('POST', at('/duplicate'))).status).toBe(200);
    expect((await move(silent.workspaceId)).status).toBe(200);
  });
});
