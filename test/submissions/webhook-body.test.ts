import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { aField, aTextField, TEXT_FIELD_ID } from '../setup/factories.ts';
import { expectInvalid, expectRefused, useHome } from '../setup/home.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../setup/webhook-receiver.ts';

/** What a webhook gets for a submission can be read. */
const home = useHome();
const NOTE = aField('02', 'text', 'Note');

let receiver: WebhookReceiver;
beforeAll(async () => {
  receiver = await startWebhookReceiver();
});
afterAll(() => receiver.close());
beforeEach(() => {
  receiver.requests.length = 0;
});

const path = (form: { id: number }, id: number | string) =>
  `/open/forms/${form.id}/submissions/${id}/webhook-body`;

async function bodyOf(form: { id: number }, id: number | string, query = '', token?: string) {
  const answer = await home.call('GET', path(form, id) + query, undefined, token);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

async function aForm(more: object = {}) {
  const form = await home.form({
    properties: [aTextField(), NOTE],
    editable_submissions: true,
    enable_partial_submissions: true,
    ...more,
  });
  const data = { webhook_url: receiver.url, sends_edits: true };
  const body = { integration_id: 'webhook', data };
  expect((await home.call('POST', `/open/forms/${form.id}/integrations`, body)).status).toBe(200);
  return form;
}

async function received(count: number): Promise<string[]> {
  return (await receiver.received(count)).map(({ body }) => String(body));
}

describe('the body that a webhook gets', () => {
  test('for a new submission is read as it was sent, by number and UUID', async () => {
    const form = await aForm();
    const answers = { [TEXT_FIELD_ID]: 'Ada “L.”', attribution: { utm_source: 'news' } };
    const sent = await home.submit(form, answers);
    const [body] = await received(1);
    const [record] = await home.records(form);
    for (const id of [record.id, sent.body.submission_id])
      expect(await bodyOf(form, id)).toEqual({ body, status: 'completed', arrival: 'answered' });
    expect(JSON.parse(body!)).toMatchObject({ edit_link: expect.any(String), submission_id: record.id });
  });

  test('for each change has the answers as they were then', async () => {
    const form = await aForm();
    const { submission_id } = (await home.submit(form, { [TEXT_FIELD_ID]: 'first' })).body;
    await home.submit(form, { [TEXT_FIELD_ID]: 'second', [NOTE.id]: 'a note', submission_id });
    await home.call('PUT', `/open/forms/${form.id}/submissions/${submission_id}`, {
      [TEXT_FIELD_ID]: 'third',
      [NOTE.id]: null,
    });
    const edits = (await received(3)).map((body) => JSON.parse(body)).filter(({ event }) => event);
    const { changes } = (
      await home.call('GET', `/open/forms/${form.id}/submissions/${submission_id}/changes`)
    ).body;
    expect(changes).toHaveLength(2);
    for (const { id, changed_at } of changes) {
      const told = JSON.parse((await bodyOf(form, submission_id, `?change=${id}`)).body);
      const edit = edits.find(({ updated_at }) => updated_at === changed_at);
      const sorted = (body: any) => ({ ...body, changed_fields: body.changed_fields.toSorted() });
      expect(sorted(told)).toEqual(sorted(edit));
    }
    const now = JSON.parse((await bodyOf(form, submission_id)).body);
    expect(now).not.toHaveProperty('event');
    expect(now.data).toEqual({ [TEXT_FIELD_ID]: expect.objectContaining({ value: 'third' }) });
  });

  test('has no edit link for a member who may not edit', async () => {
    const form = await aForm();
    const sent = await home.submit(form, { [TEXT_FIELD_ID]: 'Ada' });
    const [{ id }] = await home.records(form);
    const { token } = await home.member('readonly');
    const { body } = await bodyOf(form, id, '', token);
    expect(body).not.toContain(sent.body.submission_id);
    expect(JSON.parse(body)).not.toHaveProperty('edit_link');
    const { token: able } = await home.member('user');
    expect((await bodyOf(form, id, '', able)).body).toContain(sent.body.submission_id);
  });

  test('says whether webhooks heard of it: partial, imported, restored from the trash', async () => {
    const form = await aForm();
    const { submission_hash } = (await home.submit(form, { [TEXT_FIELD_ID]: 'half', is_partial: true })).body;
    const [{ id: partial }] = await home.records(form);
    expect(await bodyOf(form, partial)).toMatchObject({ status: 'partial', arrival: 'answered' });
    await home.submit(form, { [TEXT_FIELD_ID]: 'whole', submission_hash });
    expect(await bodyOf(form, partial)).toMatchObject({ status: 'completed', arrival: 'answered' });

    const imported = { answers: { [TEXT_FIELD_ID]: 'old' }, source_id: 'other-1' };
    await home.call('POST', `/open/forms/${form.id}/submissions/import`, { submissions: [imported] });
    const [{ id: old }] = await home.records(form);
    expect(await bodyOf(form, old)).toMatchObject({ status: 'completed', arrival: 'imported' });

    const ids = { submissionIds: [partial] };
    await home.call('POST', `/open/forms/${form.id}/submissions/trash`, ids);
    expectRefused(await home.call('GET', path(form, partial)), 404);
    await home.call('POST', `/open/forms/${form.id}/submissions/trash/restore`, ids);
    const [{ id: again }] = await home.records(form);
    const restored = await bodyOf(form, again);
    expect(restored).toMatchObject({ status: 'completed', arrival: 'restored' });
    expect(await bodyOf(form, partial)).toEqual(restored);
  });

  test('is not there for what is no submission of the form, nor for a change of another', async () => {
    const [form, other] = [await aForm(), await aForm()];
    const { submission_id } = (await home.submit(other, { [TEXT_FIELD_ID]: 'one' })).body;
    await home.submit(other, { [TEXT_FIELD_ID]: 'two', submission_id });
    const [{ id }] = await home.records(other);
    const { changes } = (await home.call('GET', `/open/forms/${other.id}/submissions/${id}/changes`)).body;
    for (const name of [id, submission_id, 'nothing'])
      expectRefused(await home.call('GET', path(form, name)), 404);
    await home.submit(form, { [TEXT_FIELD_ID]: 'mine' });
    const [{ id: mine }] = await home.records(form);
    expectInvalid(await home.call('GET', `${path(form, mine)}?change=${changes[0].id}`), 'change');
    expectInvalid(await home.call('GET', `${path(form, mine)}?change=0`), 'change');
  });
});
