import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { CONFIRMATIONS_PER_DAY, MAILS_PER_HOUR } from '../../server/mail/mail-limits.ts';
import { PNG, upload } from '../files/upload.ts';
import { aField, aTextField, TEXT_FIELD_ID } from '../setup/factories.ts';
import { expectInvalid, useHome } from '../setup/home.ts';
import { type ReceivedMail, useSmtpServer } from '../setup/smtp-server.ts';
import { until } from '../setup/until.ts';

const EMAIL = aField('01', 'email', 'E-mail');
const AGREED = aField('02', 'checkbox', 'Agreed');
const NAME_MENTION = `<span mention="true" mention-field-id="${TEXT_FIELD_ID}" mention-fallback="you">Name</span>`;
const OWNER = 'owner@example.org';

const smtp = useSmtpServer();
const home = useHome(() => ({ env: { SMTP_URL: smtp.url, MAIL_FROM: 'forms@example.org' } }));

let form: any;
beforeEach(async () => {
  smtp.mails.length = 0;
  smtp.refusals.clear();
  form = await home.form({
    title: 'Registration',
    language: 'de',
    properties: [aTextField({ multi_lines: true }), EMAIL, AGREED],
  });
});

function integrations(method: string, body?: unknown, rest = '') {
  return home.call(method, `/open/forms/${form.id}/integrations${rest}`, body);
}

async function add(integration_id: string, data: object, more: object = {}): Promise<any> {
  const answer = await integrations('POST', { integration_id, data, ...more });
  expect(answer.status, answer.text).toBe(200);
  return answer.body.form_integration;
}

const notification = (data: object = {}) => add('email', { recipients: [OWNER], ...data });
const confirmation = (data: object = {}) =>
  add('email_confirmation', { recipient_field: EMAIL.id, text: '<p>Thank you.</p>', ...data });

async function submit(name: string, email?: string, more: object = {}): Promise<void> {
  const answer = await home.submit(form, {
    [TEXT_FIELD_ID]: name,
    ...(email && { [EMAIL.id]: email }),
    ...more,
  });
  expect(answer.status, answer.text).toBe(200);
}

async function mails(count: number): Promise<ReceivedMail[]> {
  await until(() => smtp.mails.length >= count, { what: `${count} mails` });
  return smtp.mails;
}

/** The only delivery of an integration, once it has had this many attempts. */
function delivery({ id }: any, attempts = 1): Promise<any> {
  return until(async () => {
    const { body } = await integrations('GET', undefined, `/${id}/deliveries`);
    return body[0]?.attempts >= attempts && body[0];
  });
}

/** Makes all waiting deliveries of an integration due now. */
async function makeDue({ id }: any): Promise<void> {
  const { db } = home.service.context;
  await sql`update deliveries set next_attempt_at = now() where integration_id = ${id}`.execute(db);
}

describe('a notification', () => {
  test('goes to all recipients, with subject, answers and an address to answer to', async () => {
    const integration = await notification({
      recipients: [OWNER, 'second@example.org', OWNER],
      subject: `New: ${NAME_MENTION}`,
      reply_to_field: EMAIL.id,
    });
    await submit('Ada <b>', 'ada@example.net', { [AGREED.id]: true });
    const [mail] = await mails(1);
    expect(mail!.recipients).toEqual([OWNER, 'second@example.org']);
    expect(mail!.text).toContain('Subject: New: Ada <b>\n');
    expect(mail!.text).toContain('Reply-To: ada@example.net\n');
    expect(mail!.text).toContain('From: forms@example.org\n');
    expect(mail!.text).toContain('Auto-Submitted: auto-generated\n');
    expect(mail!.text).toContain('Name: Ada <b>\n');
    expect(mail!.text).toContain('<strong>Name</strong><br>Ada &lt;b&gt;</p>');
    expect(mail!.text).toContain('Agreed: Ja');
    expect(mail!.text).toContain('<html lang="de" dir="ltr">');
    const sent = await delivery(integration);
    expect(sent).toMatchObject({ state: 'delivered', attempts: 1, last_attempt: { status_code: 250 } });
    expect(mail!.text).toContain(`Message-ID: <${sent.webhook_id}@`);
    const one = await integrations('GET', undefined, `/${integration.id}/deliveries/${sent.id}`);
    expect(JSON.parse(one.body.body)).toMatchObject({
      subject: 'New: Ada <b>',
      submission_id: sent.submission_id,
    });
  });

  test('names the form, and leads to the response in the dashboard', async () => {
    const integration = await notification({ subject: 'New' });
    await submit('Ada </body></html>');
    const [mail] = await mails(1);
    const { submission_id: number } = await delivery(integration);
    const { baseUrl } = home.service.context;
    const link = `${baseUrl()}/workspaces/${form.workspace_id}/forms/${form.id}/responses/${number}`;
    expect(mail!.text).toMatch(/\n\nRegistration\n\nName: Ada/);
    expect(mail!.text).toContain(`ffnen: ${link}\n`);
    expect(mail!.text).toMatch(new RegExp(`<a href="${link}">Antwort .+ffnen</a></p>\n</body></html>`));
    expect(mail!.text.match(/responses/g)).toHaveLength(2);
  });

  test('shows the chosen fields only, and only where its condition holds', async () => {
    const value = { operator: 'equals', property_meta: { id: TEXT_FIELD_ID, type: 'text' }, value: 'Ada' };
    const logic = { operatorIdentifier: 'and', children: [{ identifier: TEXT_FIELD_ID, value }] };
    await add('email', { recipients: [OWNER], fields: [EMAIL.id, 'gone'] }, { logic });
    await submit('Grace', 'grace@example.net');
    await submit('Ada', 'ada@example.net');
    const [mail] = await mails(1);
    expect(mail!.text).toContain('Subject: Registration\n');
    expect(mail!.text).toContain('E-mail: ada@example.net');
    expect(mail!.text).not.toContain('Name');
  });

  test('shows no answers where none is chosen', async () => {
    await add('email', { recipients: [OWNER], fields: [] });
    await submit('Ada', 'ada@example.net');
    const [mail] = await mails(1);
    expect(mail!.text).toContain('Subject: Registration\n');
    expect(mail!.text).not.toContain('Ada');
  });

  test('goes to the recipients of the moment, also when it is sent again', async () => {
    const integration = await notification();
    await submit('Ada');
    const { id } = await delivery(integration);
    await integrations(
      'PUT',
      { integration_id: 'email', data: { recipients: ['new@example.org'] } },
      `/${integration.id}`,
    );
    await integrations('POST', undefined, `/${integration.id}/deliveries/${id}/replay`);
    const [first, second] = await mails(2);
    expect(second!.recipients).toEqual(['new@example.org']);
    const idOf = (text: string) => /^Message-ID: .*$/m.exec(text)?.[0];
    expect(idOf(second!.text)).toBe(idOf(first!.text));
    expect(idOf(second!.text)).toBeDefined();
  });
});

test('answers read as people write them, in the language of the form', async () => {
  const born = aField('03', 'date', 'Geboren');
  const stay = aField('04', 'date', 'Wann bist du da?', { date_range: true });
  const call = aField('05', 'date', 'Anruf', { with_time: true });
  const size = aField('06', 'number', 'Größe');
  form = await home.form({
    title: 'R',
    language: 'de',
    properties: [aTextField(), EMAIL, born, stay, call, size],
    computed_variables: [{ id: 'cv_half', name: 'Hälfte', formula: `{${size.id}} / 2` }],
  });
  const mention = (id: string) => `<span mention-field-id="${id}">it</span>`;
  const integration = await notification({
    subject: `Am ${mention(born.id)}: ${mention(size.id)} m, ${mention('cv_half')} m`,
  });
  await submit('Ada', undefined, {
    [born.id]: '2016-03-04',
    [stay.id]: ['2026-01-31', '2026-02-01'],
    [call.id]: '2026-12-24T15:30:00+02:00',
    [size.id]: 1.5,
  });
  const { id } = await delivery(integration);
  const { body } = await integrations('GET', undefined, `/${integration.id}/deliveries/${id}`);
  const { subject, text } = JSON.parse(body.body);
  expect(subject).toBe('Am 4. März 2016: 1,5 m, 0,75 m');
  expect(text).toContain('Geboren: 4. März 2016\n');
  expect(text).toContain('Wann bist du da? 31. Januar 2026 – 1. Februar 2026\n');
  expect(text).toContain('Größe: 1,5');
  expect(text).toContain('Anruf: 24. Dezember 2026 um 15:30 UTC+02:00');
});

test('entries of repeated questions are lines, each answer as people write it', async () => {
  const guests = aField('03', 'repeat', 'Gäste', {
    questions: [
      { id: 'name', type: 'text', name: 'Name' },
      { id: 'born', type: 'date', name: 'Geboren' },
      { id: 'vegan', type: 'checkbox', name: 'Vegan' },
    ],
  });
  form = await home.form({ title: 'R', language: 'de', properties: [aTextField(), EMAIL, guests] });
  const integration = await notification({ subject: `<span mention-field-id="${guests.id}">Gäste</span>` });
  const people = [{ name: 'Ann', born: '2016-03-04', vegan: true }, { name: 'Ben <b>' }];
  await submit('Ada', undefined, { [guests.id]: people });
  const { id } = await delivery(integration);
  const { body } = await integrations('GET', undefined, `/${integration.id}/deliveries/${id}`);
  const { subject, text } = JSON.parse(body.body);
  const lines = ['Name: Ann; Geboren: 4. März 2016; Vegan: Ja', 'Name: Ben <b>'];
  expect(subject).toBe(lines.join(' '));
  expect(text).toContain(`Gäste:\n${lines.join('\n')}`);
});

test('files have the names they were sent with', async () => {
  const card = aField('06', 'files', 'Card');
  form = await home.form({ title: 'R', properties: [aTextField(), EMAIL, card] });
  const { body } = await upload(home.service, form, card.id, PNG, 'my card.png');
  await notification();
  await confirmation({ include_answers: true });
  await submit('Ada', 'ada@example.net', { [card.id]: [body.reference] });
  const sent = await mails(2);
  const to = (address: string) => sent.find(({ recipients }) => recipients.includes(address))!.text;
  expect(to(OWNER)).toMatch(/Card:\nmy-card\.png\nhttp:\S+\.png\?expires=/);
  expect(to('ada@example.net')).toContain('Card: my-card.png');
});

describe('a confirmation', () => {
  test('goes to the address in the answers, with the owner’s words and what was answered', async () => {
    await confirmation({
      text: `<p>Hello ${NAME_MENTION}!</p><p onclick="x()">See <a href="https://example.org/a">here</a>.</p>`,
      reply_to: OWNER,
    });
    await submit('Ada <i>', 'ada@example.net');
    const [mail] = await mails(1);
    expect(mail!.recipients).toEqual(['ada@example.net']);
    expect(mail!.text).toContain(`Reply-To: ${OWNER}\n`);
    expect(mail!.text).toContain('Auto-Submitted: auto-replied\n');
    expect(mail!.text).toContain('Hello Ada <i>!\n\nSee here (https://example.org/a).');
    expect(mail!.text).toContain('<p>Hello Ada &lt;i&gt;!</p>');
    expect(mail!.text).not.toContain('onclick');
    expect(mail!.text).not.toContain('E-mail');
  });

  test('has a copy of the answers only when it should', async () => {
    await confirmation({ include_answers: true });
    await submit('Ada', 'ada@example.net');
    expect((await mails(1))[0]!.text).toContain('Name: Ada\n\nE-mail: ada@example.net');
  });

  test('has no answers that the page did not show, unless they are chosen', async () => {
    const when = (text: string, action: string) => {
      const value = { operator: 'equals', property_meta: { id: TEXT_FIELD_ID, type: 'text' }, value: text };
      const children = [{ identifier: TEXT_FIELD_ID, value }];
      return { logic: { conditions: { operatorIdentifier: 'and', children }, actions: [action] } };
    };
    const campaign = aField('10', 'text', 'Campaign', { hidden: true });
    const score = aField('11', 'number', 'Score', { hidden: true, prefill: 7 });
    const pet = aField('12', 'text', 'Pet', { hidden: true, ...when('Ada', 'show-block') });
    const page = aField('13', 'nf-page-break', 'Next', when('Grace', 'hide-block'));
    const shoe = aField('14', 'text', 'Shoe');
    form = await home.form({
      title: 'R',
      properties: [aTextField(), EMAIL, campaign, score, pet, page, shoe],
    });
    const answers = { [campaign.id]: 'spring-7', [pet.id]: 'cat', [shoe.id]: 'boot' };
    const copy = await confirmation({ include_answers: true });
    await notification();
    await submit('Ada', 'ada@example.net', answers);
    await submit('Grace', 'grace@example.net', answers);
    await mails(4);
    const answersTo = (address: string) =>
      smtp.mails
        .filter(({ recipients }) => recipients.includes(address))
        .map(({ text }) => text.match(/^(Name|E-mail|Campaign|Score|Pet|Shoe): .*$/gm));
    expect(answersTo('ada@example.net')).toEqual([
      ['Name: Ada', 'E-mail: ada@example.net', 'Pet: cat', 'Shoe: boot'],
    ]);
    expect(answersTo('grace@example.net')).toEqual([['Name: Grace', 'E-mail: grace@example.net']]);
    const hidden = ['Campaign: spring-7', 'Score: 7', 'Pet: cat', 'Shoe: boot'];
    expect(answersTo(OWNER)).toEqual(
      expect.arrayContaining([['Name: Grace', 'E-mail: grace@example.net', ...hidden]]),
    );

    smtp.mails.length = 0;
    const data = { fields: [campaign.id] };
    await integrations('PUT', { integration_id: 'email_confirmation', data }, `/${copy.id}`);
    await submit('Ada', 'ada@example.net', answers);
    await mails(2);
    expect(answersTo('ada@example.net')).toEqual([['Campaign: spring-7']]);
  });

  test('has the link to change the answers where it should, and the form lets people do so', async () => {
    form = await home.form({
      title: 'Registration',
      language: 'de',
      editable_submissions: true,
      properties: [aTextField(), EMAIL],
    });
    await confirmation({ edit_link: true });
    await notification();
    await submit('Ada', 'ada@example.net');
    const sent = await mails(2);
    const { body } = await home.call('GET', `/open/forms/${form.id}/submissions`);
    const link = `${home.service.url}/forms/${form.slug}?submission_id=${body.data[0].submission_id}`;
    const to = (address: string) => sent.find(({ recipients }) => recipients.includes(address))!.text;
    expect(to('ada@example.net')).toContain(`Antworten bearbeiten: ${link}`);
    expect(to('ada@example.net')).toContain(`<a href="${link}">`);
    expect(to(OWNER)).not.toContain('submission_id');

    smtp.mails.length = 0;
    await home.call('PUT', `/open/forms/${form.id}`, { editable_submissions: false });
    await submit('Ada', 'ada@example.net');
    for (const { text } of await mails(2)) expect(text).not.toContain('submission_id');
  });

  test('says nothing of the link unless it is told to', async () => {
    form = await home.form({ editable_submissions: true, properties: [aTextField(), EMAIL] });
    await confirmation();
    await submit('Ada', 'ada@example.net');
    expect((await mails(1))[0]!.text).not.toContain('submission_id');
  });

  test('is one per submission, and none without an address', async () => {
    const [first, second] = [
      await confirmation({ subject: 'First' }),
      await confirmation({ subject: 'Second' }),
    ];
    await submit('Nobody');
    await submit('Ada', 'ada@example.net');
    await delivery(first);
    expect((await integrations('GET', undefined, `/${first.id}/deliveries`)).body).toHaveLength(1);
    expect((await integrations('GET', undefined, `/${second.id}/deliveries`)).body).toEqual([]);
    expect(smtp.mails.map(({ recipients }) => recipients)).toEqual([['ada@example.net']]);
  });

  test('cannot be turned to somebody else by what is answered', async () => {
    await confirmation({ subject: `For ${NAME_MENTION}`, include_answers: true });
    for (const address of ['ada@example.net,eve@example.com', 'ada@example.net\r\nBcc: eve@example.com'])
      expectInvalid(await home.submit(form, { [EMAIL.id]: address }), EMAIL.id);
    await submit('Ada\r\nBcc: eve@example.com\r\n\r\nhello', 'ada@example.net');
    const [mail] = await mails(1);
    expect(mail!.recipients).toEqual(['ada@example.net']);
    const [head = ''] = mail!.text.split('\n\n');
    expect(head).toContain('Subject: For Ada Bcc: eve@example.com hello');
    expect(head).not.toMatch(/^bcc:/im);
  });

  test('keeps what strangers can have written in our name short', async () => {
    await confirmation({ text: `<p>${NAME_MENTION}</p>` });
    await submit('x'.repeat(5_000), 'ada@example.net');
    const longest = Math.max(...[...(await mails(1))[0]!.text.matchAll(/x+/g)].map(([run]) => run.length));
    expect(longest).toBeLessThan(255);
    expect(longest).toBeGreaterThan(50);
  });

  test('an address that is refused for good is not tried again, and is not held against the integration', async () => {
    const integration = await confirmation();
    smtp.refusals.set('ada@example.net', '550 nobody of that name');
    await submit('Ada', 'ada@example.net');
    expect(await delivery(integration)).toMatchObject({
      state: 'exhausted',
      last_attempt: { status_code: 550 },
    });
    const { body } = await integrations('GET', undefined, `/${integration.id}`);
    expect(body).toMatchObject({ status: 'active', failing_since: null });
    const events = await integrations('GET', undefined, `/${integration.id}/events`);
    expect(events.body[0].response_excerpt).toContain('nobody of that name');
  });

  test('what the server says is kept, also where it is cut within a character', async () => {
    const integration = await confirmation();
    const start = `550 ${'x'.repeat(2_043)}`;
    smtp.refusals.set('ada@example.net', `${start}\u{1F600}`);
    await submit('Ada', 'ada@example.net');
    expect(await delivery(integration)).toMatchObject({ state: 'exhausted' });
    const events = await integrations('GET', undefined, `/${integration.id}/events`);
    expect(events.body[0].response_excerpt).toBe(`${start}\u{FFFD}`);
  });

  test('one that is refused for now is tried again', async () => {
    const integration = await confirmation();
    smtp.refusals.set('ada@example.net', '451 later');
    await submit('Ada', 'ada@example.net');
    expect(await delivery(integration)).toMatchObject({
      state: 'pending',
      last_attempt: { status_code: 451 },
    });
    smtp.refusals.clear();
    await makeDue(integration);
    expect(await delivery(integration, 2)).toMatchObject({ state: 'delivered' });
  });
});

describe('too many mails', () => {
  test('of a form wait for the next hour', async () => {
    const integration = await confirmation();
    await sql`insert into mail_counts values
      (${form.id}, 'email_confirmation', date_trunc('hour', now(), 'UTC'), ${MAILS_PER_HOUR.email_confirmation}),
      (${form.id}, 'email_confirmation', date_trunc('hour', now(), 'UTC') + interval '1 hour', ${MAILS_PER_HOUR.email_confirmation})`.execute(
      home.service.context.db,
    );
    await submit('Ada', 'ada@example.net');
    const waiting = await delivery(integration);
    expect(waiting).toMatchObject({ state: 'pending', last_attempt: { failure: 'form_mail_limit' } });
    expect(new Date(waiting.next_attempt_at).getUTCHours()).not.toBe(new Date().getUTCHours());
    expect(smtp.mails).toEqual([]);
  });

  test('are counted for an address once each, however often they are tried', async () => {
    const integration = await confirmation();
    smtp.refusals.set('ada@example.net', '451 later');
    await submit('Ada', 'ada@example.net');
    const { id } = await delivery(integration);
    const { rows } = await sql<{ count: number }>`update mail_counts set count = ${CONFIRMATIONS_PER_DAY}
      where form_id = ${form.id} and counted <> 'email_confirmation' returning count`.execute(
      home.service.context.db,
    );
    expect(rows).toHaveLength(1);
    await makeDue(integration);
    expect(await delivery(integration, 2)).toMatchObject({
      state: 'pending',
      last_attempt: { status_code: 451 },
    });
    smtp.refusals.clear();
    await makeDue(integration);
    expect(await delivery(integration, 3)).toMatchObject({ state: 'delivered' });
    // Sending it again by hand makes one more attempt.
    await integrations('POST', undefined, `/${integration.id}/deliveries/${id}/replay`);
    expect(await delivery(integration, 4)).toMatchObject({
      last_attempt: { failure: 'recipient_mail_limit' },
    });
    expect(smtp.mails).toHaveLength(1);
  });

  test('to one address are dropped, in any letter case', async () => {
    const integration = await confirmation();
    for (let count = 0; count < CONFIRMATIONS_PER_DAY; count++) await submit('Ada', 'ada@example.net');
    await mails(CONFIRMATIONS_PER_DAY);
    await submit('Ada', 'ADA@example.net');
    const dropped = await until(async () => {
      const { body } = await integrations('GET', undefined, `/${integration.id}/deliveries?state=exhausted`);
      return body[0];
    });
    expect(dropped).toMatchObject({ attempts: 1, last_attempt: { failure: 'recipient_mail_limit' } });
    expect(smtp.mails).toHaveLength(CONFIRMATIONS_PER_DAY);
  });
});

describe('settings', () => {
  test('are shown as they were set, merged, and given back', async () => {
    const created = await notification({ subject: 'New', webhook_url: 'https://example.com', other: 1 });
    expect(created.data).toEqual({ recipients: [OWNER], subject: 'New' });
    expect(created.notice).toBeNull();
    const put = await integrations(
      'PUT',
      { integration_id: 'email', data: { subject: null, reply_to_field: EMAIL.id } },
      `/${created.id}`,
    );
    expect(put.body.form_integration.data).toEqual({ recipients: [OWNER], reply_to_field: EMAIL.id });
    const log = await home.call('GET', `/open/workspaces/${home.workspaceId}/audit-log`);
    expect(log.text).toContain('reply_to_field');
    expect(log.text).not.toContain(OWNER);
  });

  test.each([
    ['email', {}, ['data.recipients']],
    ['email', { recipients: [] }, ['data.recipients']],
    ['email', { recipients: OWNER }, ['data.recipients']],
    ['email', { recipients: [`${OWNER}, b@example.org`] }, ['data.recipients']],
    ['email', { recipients: [`${OWNER}\r\nBcc: b@example.org`] }, ['data.recipients']],
    ['email', { recipients: Array.from({ length: 21 }, (_, n) => `a${n}@example.org`) }, ['data.recipients']],
    [
      'email',
      { recipients: [OWNER], subject: 5, reply_to_field: TEXT_FIELD_ID },
      ['data.reply_to_field', 'data.subject'],
    ],
    ['email_confirmation', {}, ['data.recipient_field', 'data.text']],
    [
      'email_confirmation',
      { recipient_field: TEXT_FIELD_ID, text: '<script>x</script>' },
      ['data.recipient_field', 'data.text'],
    ],
    ['email_confirmation', { recipient_field: EMAIL.id, text: 'x'.repeat(10_001) }, ['data.text']],
    [
      'email_confirmation',
      { recipient_field: EMAIL.id, text: 'x', reply_to: 'me', include_answers: 'yes' },
      ['data.include_answers', 'data.reply_to'],
    ],
  ])('%s with %j is refused', async (integration_id, data, keys) => {
    expectInvalid(await integrations('POST', { integration_id, data }), ...keys);
  });

  test('a webhook does not become a mail, nor a mail a webhook', async () => {
    const { id } = await notification();
    const hook = { integration_id: 'webhook', data: { webhook_url: 'https://example.com' } };
    expectInvalid(await integrations('PUT', hook, `/${id}`), 'integration_id');
    const other = await add('webhook', hook.data);
    expectInvalid(
      await integrations('PUT', { integration_id: 'email', data: { recipients: [OWNER] } }, `/${other.id}`),
      'integration_id',
    );
  });
});

describe('a test', () => {
  test('of a notification goes to its recipients', async () => {
    const { id } = await notification({ reply_to_field: EMAIL.id });
    const { body } = await integrations('POST', undefined, `/${id}/test`);
    expect(body).toMatchObject({
      type: 'success',
      request: { url: `mailto:${OWNER}` },
      response: { status: 250 },
    });
    expect((await mails(1))[0]!.recipients).toEqual([OWNER]);
    expect((await integrations('GET', undefined, `/${id}/deliveries`)).body).toEqual([]);
  });

  test('of a confirmation goes to the caller and nobody else', async () => {
    const { id } = await confirmation({ text: `<p>Hello ${NAME_MENTION}</p>` });
    const { body } = await integrations('POST', undefined, `/${id}/test`);
    expect(body.request.headers.To).toBe(home.ada.email);
    expect(JSON.parse(body.request.body)).toMatchObject({ text: 'Registration\n\nHello Sample text' });
    expect((await mails(1))[0]!.recipients).toEqual([home.ada.email]);
  });
});
