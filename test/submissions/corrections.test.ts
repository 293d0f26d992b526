import { describe, expect, test } from 'vitest';
import { PDF, upload } from '../files/upload.ts';
import { aVisitor } from '../public-pages/visitor.ts';
import { aField, aTextField, TEXT_FIELD_ID } from '../setup/factories.ts';
import { expectInvalid, expectRefused, useHome } from '../setup/home.ts';
import { inLine } from '../setup/meanwhile.ts';
import { runAllJobs } from '../setup/run-jobs.ts';
import { useWebhookReceiver } from '../setup/webhook-receiver.ts';

const home = useHome({ env: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' } });

const receiver = useWebhookReceiver();

const CV = aField('01', 'files', 'CV', { multiple: true });
const NOTE = aField('02', 'text', 'Note');
const NUMBER = aField('0b', 'text', 'Number', { hidden: true, generates_auto_increment_id: true });
const TICKET = aField('0c', 'text', 'Ticket', { hidden: true, generates_uuid: true });

const put = (form: { id: number }, record: { id: number }, body: unknown) =>
  home.call('PUT', `/open/forms/${form.id}/submissions/${record.id}`, body);
const withFields = (form: { id: number }, ...properties: object[]) =>
  home.call('PUT', `/open/forms/${form.id}`, { properties });

describe('answers to a field that the form has not any more', () => {
  async function submitted(more: object = {}) {
    const form = await home.form({
      properties: [aTextField(), CV, NOTE],
      editable_submissions: true,
      enable_partial_submissions: true,
    });
    const { body } = await upload(home.service, form, CV.id, PDF, 'a.pdf');
    const answers = { [TEXT_FIELD_ID]: 'before', [CV.id]: [body.reference], [NOTE.id]: 'kept' };
    const answer = await home.submit(form, { ...answers, ...more });
    expect(answer.status, answer.text).toBe(200);
    const [record] = await home.records(form);
    await withFields(form, aTextField());
    return { form, record, acknowledgement: answer.body };
  }

  async function expectKept(form: { id: number }, before: any) {
    await runAllJobs(home.service.context);
    const [after] = await home.records(form);
    expect(after.data).toMatchObject({
      [TEXT_FIELD_ID]: 'after',
      [CV.id]: before.data[CV.id],
      [NOTE.id]: 'kept',
    });
    const [{ file_url }] = after.files[CV.id];
    const file = await fetch(new URL(file_url, home.service.url));
    expect(file.status).toBe(200);
    expect(Buffer.from(await file.arrayBuffer())).toEqual(PDF);
  }

  test('stay when whoever sent them corrects the others', async () => {
    const { form, record, acknowledgement } = await submitted();
    const { submission_id } = acknowledgement;
    await home.submit(form, { [TEXT_FIELD_ID]: 'after', submission_id });
    await expectKept(form, record);
  });

  test('stay when a partial submission goes on and is completed', async () => {
    const { form, record, acknowledgement } = await submitted({ is_partial: true });
    const { submission_hash } = acknowledgement;
    await home.submit(form, { [TEXT_FIELD_ID]: 'after', submission_hash, is_partial: true });
    await expectKept(form, record);
    await home.submit(form, { [TEXT_FIELD_ID]: 'after', submission_hash });
    await expectKept(form, record);
  });

  test('stay when a member edits the submission, until they are emptied by name', async () => {
    const { form, record } = await submitted();
    await put(form, record, { [TEXT_FIELD_ID]: 'after' });
    await expectKept(form, record);
    await put(form, record, { [TEXT_FIELD_ID]: 'after', [NOTE.id]: null });
    expect((await home.records(form))[0].data).not.toHaveProperty(NOTE.id);
  });
});

describe('what a correction leaves as it is', () => {
  const editable = (...properties: object[]) => home.form({ editable_submissions: true, properties });

  test('the completion time, unless another one is given', async () => {
    const form = await editable(aTextField());
    const first = await home.submit(form, { [TEXT_FIELD_ID]: 'x', completion_time: 300 });
    const { submission_id } = first.body;
    await home.submit(form, { [TEXT_FIELD_ID]: 'y', submission_id });
    const [record] = await home.records(form);
    expect(record).toMatchObject({ completion_time: 300 });
    await put(form, record, { [TEXT_FIELD_ID]: 'z' });
    expect((await home.records(form))[0].completion_time).toBe(300);
    await put(form, record, { [TEXT_FIELD_ID]: 'z', completion_time: 5 });
    expect((await home.records(form))[0].completion_time).toBe(5);
  });

  test.each(['abc', '  ', null, ''])(
    'the number and the id that were made, when %j is sent',
    async (sent) => {
      const form = await editable(aTextField(), NUMBER, TICKET);
      const { submission_id } = (await home.submit(form, { [TEXT_FIELD_ID]: 'x' })).body;
      const [before] = await home.records(form);
      await home.submit(form, { submission_id, [NUMBER.id]: sent, [TICKET.id]: sent });
      const [{ data }] = await home.records(form);
      expect(data[NUMBER.id]).toBe('1');
      expect(data[TICKET.id]).toBe(before.data[TICKET.id]);
    },
  );
});

test('generated ids and numbers come back with a correction, whatever limits their fields have', async () => {
  const numbered = { ...NUMBER, input_mask: '999' };
  const ticket = { ...TICKET, max_char_limit: 5 };
  const form = await home.form({
    properties: [aTextField(), numbered, ticket],
    editable_submissions: true,
  });
  const { submission_id } = (await home.submit(form, { [TEXT_FIELD_ID]: 'before' })).body;
  const [record] = await home.records(form);
  const again = { ...record.data, [TEXT_FIELD_ID]: 'after' };
  const byOwner = await put(form, record, again);
  expect(byOwner.status, byOwner.text).toBe(200);
  const visitor = aVisitor(home.service);
  const page = await visitor.open(`/forms/${form.slug}?submission_id=${submission_id}`);
  const thanks = await visitor.send(page, { [TEXT_FIELD_ID]: 'by the page' });
  expect(thanks.path, thanks.text).toContain('/thank-you');
  const [after] = await home.records(form);
  expect(after.data).toEqual({ ...record.data, [TEXT_FIELD_ID]: 'by the page' });
});

test('days that have passed since stay with a correction, but no other day that has passed is taken', async () => {
  const noPast = { disable_past_dates: true };
  const day = aField('21', 'date', 'Day', noPast);
  const stay = aField('22', 'date', 'Stay', { ...noPast, date_range: true });
  const guests = aField('23', 'repeat', 'Guests', {
    questions: [{ id: 'on', type: 'date', name: 'On', ...noPast }],
  });
  const form = await home.form({ properties: [aTextField(), day, stay, guests], editable_submissions: true });
  const given = {
    [TEXT_FIELD_ID]: 'before',
    [day.id]: '2024-05-02',
    [stay.id]: ['2024-05-02', '2024-05-04'],
    [guests.id]: [{ on: '2024-05-03' }],
  };
  const submissions = [{ answers: given, created_at: '2024-05-01T12:00:00Z' }];
  const imported = await home.call('POST', `/open/forms/${form.id}/submissions/import`, { submissions });
  expect(imported.body.stored, imported.text).toBe(1);
  const [record] = await home.records(form);
  const byOwner = await put(form, record, { ...given, [TEXT_FIELD_ID]: 'by its owner' });
  expect(byOwner.status, byOwner.text).toBe(200);
  const visitor = aVisitor(home.service);
  const open = () => visitor.open(`/forms/${form.slug}?submission_id=${record.submission_id}`);
  const thanks = await visitor.send(await open(), { [TEXT_FIELD_ID]: 'by the page' });
  expect(thanks.path, thanks.text).toContain('/thank-you');
  const [after] = await home.records(form);
  expect(after.data).toMatchObject({ ...given, [TEXT_FIELD_ID]: 'by the page' });
  // The rules of the script neither.
  expect((await open()).html).not.toContain('disable_past_dates');

  const others = {
    [day.id]: '2024-05-05',
    [stay.id]: ['2024-05-02', '2024-05-05'],
    [guests.id]: [{ on: '2024-05-05' }],
  };
  const { submission_id } = record;
  expectInvalid(await put(form, record, { ...given, ...others }), ...Object.keys(others));
  expectInvalid(await home.submit(form, { ...given, ...others, submission_id }), ...Object.keys(others));
  expectInvalid(await home.submit(form, given), ...Object.keys(others));
  const refused = await visitor.send(await open(), { [day.id]: '2024-05-05' });
  expect(refused.text).toContain('Day');
  expect(refused.path).not.toContain('/thank-you');
});

test('a completed submission cannot be sent as partial: nothing is stored', async () => {
  const form = await home.form({ editable_submissions: true, enable_partial_submissions: true });
  const { submission_id } = (await home.submit(form, { [TEXT_FIELD_ID]: 'x' })).body;
  const again = { [TEXT_FIELD_ID]: 'y', submission_id, is_partial: true };
  expectInvalid(await home.submit(form, again), 'is_partial');
  expect(await home.records(form)).toHaveLength(1);
});

test('a member who names what was read replaces nothing that was changed since, also at the same moment', async () => {
  const form = await home.form();
  await home.submit(form, { [TEXT_FIELD_ID]: 'first' });
  const [read] = await home.records(form);
  const putSince = (updatedAt: string, answer: string) =>
    home.call('PUT', `/open/forms/${form.id}/submissions/${read.id}?updated_at=${updatedAt}`, {
      [TEXT_FIELD_ID]: answer,
    });
  const { body } = await putSince(read.updated_at, 'second');
  const late = await putSince(read.updated_at, 'third');
  expectRefused(late, 409);
  expect(late.body.updated_at).toBe(body.data.updated_at);
  const both = await Promise.all(['fourth', 'fifth'].map((answer) => putSince(body.data.updated_at, answer)));
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  const stored = both.find(({ status }) => status === 200)?.body.data;
  expect((await home.records(form))[0]).toEqual(stored);
  expectInvalid(await putSince('yesterday', 'sixth'), 'updated_at');
  expect((await put(form, read, { [TEXT_FIELD_ID]: 'whatever is there' })).status).toBe(200);
});

test('two who change different answers at the same time lose neither', async () => {
  const form = await home.form({ properties: [aTextField(), NOTE] });
  await home.submit(form, { [TEXT_FIELD_ID]: 'old', [NOTE.id]: 'old' });
  const [record] = await home.records(form);
  const { pool } = home.service.context;
  const changes = await inLine<{ status: number }[]>(
    pool,
    (client) => client.query('select from form_counters where form_id = $1 for update', [form.id]),
    [TEXT_FIELD_ID, NOTE.id].map((id) => () => put(form, record, { [id]: 'new' })),
  );
  for (const { status } of changes) expect(status).toBe(200);
  expect((await home.records(form))[0].data).toMatchObject({ [TEXT_FIELD_ID]: 'new', [NOTE.id]: 'new' });
});

test('a partial submission that a member completes is numbered and delivered, once', async () => {
  const form = await home.form({
    enable_partial_submissions: true,
    properties: [aTextField(), NUMBER],
  });
  const path = `/open/forms/${form.id}/integrations`;
  const data = { webhook_url: receiver.url };
  const webhook = (await home.call('POST', path, { integration_id: 'webhook', data })).body.form_integration;
  await home.submit(form, { [TEXT_FIELD_ID]: 'half', is_partial: true, tracking_parameters: { gclid: 'g' } });
  const [half] = await home.records(form);
  await put(form, half, { [TEXT_FIELD_ID]: 'whole' });
  const [request] = await receiver.received(1);
  expect(JSON.parse(String(request?.body))).toMatchObject({
    data: { [TEXT_FIELD_ID]: { value: 'whole' }, [NUMBER.id]: { value: '1' } },
    meta: { attribution: { gclid: 'g' } },
  });
  await put(form, half, { [TEXT_FIELD_ID]: 'corrected' });
  const [whole] = await home.records(form);
  expect(whole).toMatchObject({ status: 'completed', data: { [NUMBER.id]: '1' } });
  const deliveries = await home.call('GET', `${path}/${webhook.id}/deliveries`);
  expect(deliveries.body).toHaveLength(1);
});

describe('a rule that wants an answer nobody gave before', () => {
  const rule = (operator: string) => ({
    conditions: {
      operatorIdentifier: 'and',
      children: [
        {
          identifier: NOTE.id,
          value: { operator, property_meta: { id: NOTE.id, type: 'text' }, value: true },
        },
      ],
    },
  });
  const UNIQUE = {
    ...NOTE,
    validation: { error_conditions: rule('does_not_exist_in_submissions'), error_message: 'Taken.' },
  };

  test.each(['answers', 'completions'])('holds for %s that arrive at once', async (kind) => {
    const form = await home.form({ properties: [UNIQUE], enable_partial_submissions: true });
    const begun = async (n: number) => {
      if (kind === 'answers') return {};
      const { body } = await home.submit(form, { [NOTE.id]: `draft ${n}`, is_partial: true });
      return { submission_hash: body.submission_hash };
    };
    const bodies = await Promise.all(Array.from({ length: 8 }, (_, n) => begun(n)));
    const answers = await Promise.all(
      bodies.map((more) => home.submit(form, { [NOTE.id]: 'same', ...more })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(422)]);
    const refused = answers.filter(({ status }) => status === 422);
    for (const answer of refused) expect(answer.body.errors).toEqual({ [NOTE.id]: ['Taken.'] });
  });

  test('counts, delivers and numbers as any other submission', async () => {
    const form = await home.form({ properties: [UNIQUE, NUMBER] });
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, n) => home.submit(form, { [NOTE.id]: `other ${n}` })),
    );
    expect(answers.filter(({ body }) => body.is_first_submission)).toHaveLength(1);
    const { body } = await home.call('GET', `/open/forms/${form.id}`);
    expect(body.submissions_count).toBe(5);
    const numbers = (await home.records(form)).map(({ data }) => data[NUMBER.id]);
    expect(numbers.sort()).toEqual(['1', '2', '3', '4', '5']);
  });
});
