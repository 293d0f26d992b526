import { beforeEach, describe, expect, test } from 'vitest';
import { aField, aTextField, TEXT_FIELD_ID } from '../setup/factories.ts';
import { expectInvalid, useHome } from '../setup/home.ts';
import { useWebhookReceiver } from '../setup/webhook-receiver.ts';

/** Integrations that ask for it are told when a complete submission changes. */
const home = useHome();
const AGE = aField('08', 'number', 'Age');

const receiver = useWebhookReceiver();
beforeEach(() => {
  receiver.requests.length = 0;
});

async function aFormThatTells(data: object = {}, more: object = {}) {
  const form = await home.form({
    properties: [aTextField(), AGE],
    editable_submissions: true,
    enable_partial_submissions: true,
  });
  const body = {
    integration_id: 'webhook',
    data: { webhook_url: receiver.url, sends_edits: true, ...data },
    ...more,
  };
  const answer = await home.call('POST', `/open/forms/${form.id}/integrations`, body);
  expect(answer.status, answer.text).toBe(200);
  return { form, integration: answer.body.form_integration };
}

async function submit(form: { slug: string }, answers: object): Promise<string> {
  const answer = await home.submit(form, answers);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.submission_id;
}

async function put(form: { id: number }, id: string, answers: object): Promise<any> {
  const answer = await home.call('PUT', `/open/forms/${form.id}/submissions/${id}`, answers);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

async function bodies(count: number): Promise<any[]> {
  return (await receiver.received(count)).map(({ body }) => JSON.parse(String(body)));
}

/** Sends a last submission: nothing else may arrive before it. */
async function expectNoMore(form: { id: number; slug: string }, told: number): Promise<void> {
  await submit(form, { [TEXT_FIELD_ID]: 'the end' });
  const all = await bodies(told + 1);
  expect(all).toHaveLength(told + 1);
  expect(all.at(-1).data[TEXT_FIELD_ID].value).toBe('the end');
}

describe('a change', () => {
  test('by a member is told with all answers, and when it was made', async () => {
    const { form } = await aFormThatTells();
    const id = await submit(form, { [TEXT_FIELD_ID]: 'Ada', [AGE.id]: 7, utm_source: 'news' });
    const [first] = await bodies(1);
    expect(first).not.toHaveProperty('event');
    await put(form, id, { [TEXT_FIELD_ID]: 'Ada L.', [AGE.id]: 7 });
    const [, second] = await bodies(2);
    const [{ updated_at: at }] = await home.records(form);
    expect(second).toEqual({
      ...first,
      submission: { Name: 'Ada L.', Age: 7 },
      data: { ...first.data, [TEXT_FIELD_ID]: { ...first.data[TEXT_FIELD_ID], value: 'Ada L.' } },
      event: 'submission.updated',
      updated_at: at,
      changed_fields: [TEXT_FIELD_ID],
    });
    const ids = receiver.requests.map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size).toBe(2);
    await expectNoMore(form, 2);
  });

  test('that empties one answer and gives another names both fields', async () => {
    const { form } = await aFormThatTells();
    const id = await submit(form, { [TEXT_FIELD_ID]: 'Ada' });
    await submit(form, { [AGE.id]: 7, submission_id: id });
    const [, told] = await bodies(2);
    expect(told.changed_fields.toSorted()).toEqual([AGE.id, TEXT_FIELD_ID].toSorted());
    expect(JSON.stringify(told)).not.toContain('Ada');
  });

  test('by whoever filled it in is told, by the API and on the page', async () => {
    const { form } = await aFormThatTells();
    const id = await submit(form, { [TEXT_FIELD_ID]: 'Ada' });
    await submit(form, { [TEXT_FIELD_ID]: 'Grace', submission_id: id });
    const page = await fetch(`${home.service.url}/forms/${form.slug}?submission_id=${id}`, {
      method: 'POST',
      body: new URLSearchParams({ [TEXT_FIELD_ID]: 'Mary', submission_id: id }),
      redirect: 'manual',
    });
    expect(page.status).toBeLessThan(400);
    const told = await bodies(3);
    expect(told.map(({ event, data }) => [event, data[TEXT_FIELD_ID].value])).toEqual([
      [undefined, 'Ada'],
      ['submission.updated', 'Grace'],
      ['submission.updated', 'Mary'],
    ]);
    expect(new Set(told.map(({ submission_id }) => submission_id)).size).toBe(1);
  });

  test('by whoever filled it in is told with the answers that they could not see', async () => {
    const colour = (...options: string[]) => aField('09', 'select', 'Colour', { select: { options } });
    const isRed = { operator: 'equals', property_meta: { id: colour().id, type: 'select' }, value: 'Red' };
    const logic = { operatorIdentifier: 'and', children: [{ identifier: colour().id, value: isRed }] };
    const { form } = await aFormThatTells({}, { logic });
    await home.call('PUT', `/open/forms/${form.id}`, { properties: [aTextField(), colour('Red', 'Blue')] });
    const id = await submit(form, { [TEXT_FIELD_ID]: 'Ada', [colour().id]: 'Red' });
    await bodies(1);
    await home.call('PUT', `/open/forms/${form.id}`, { properties: [aTextField(), colour('Blue')] });
    await submit(form, { [TEXT_FIELD_ID]: 'Ada L.', submission_id: id });
    const [, told] = await bodies(2);
    const [record] = await home.records(form);
    expect(record.data[colour().id]).toBe('Red');
    expect(told.data[colour().id]?.value).toBe('Red');
  });

  test('that changes no answer is none; neither are steps of a partial submission', async () => {
    const { form } = await aFormThatTells();
    const id = await submit(form, { [TEXT_FIELD_ID]: 'Ada', [AGE.id]: 7 });
    await put(form, id, { [TEXT_FIELD_ID]: 'Ada', [AGE.id]: 7 });
    await put(form, id, { [TEXT_FIELD_ID]: 'Ada', [AGE.id]: 7, completion_time: 12 });
    const partial = await home.submit(form, { [TEXT_FIELD_ID]: 'G', is_partial: true });
    const hash = partial.body.submission_hash;
    await home.submit(form, { [TEXT_FIELD_ID]: 'Gr', is_partial: true, submission_hash: hash });
    await expectNoMore(form, 1);
  });

  test('is told where the condition holds for the answers as they are then', async () => {
    const logic = {
      operatorIdentifier: 'and',
      children: [
        {
          identifier: AGE.id,
          value: {
            operator: 'greater_than',
            property_meta: { id: AGE.id, type: 'number' },
            value: 17,
          },
        },
      ],
    };
    const { form } = await aFormThatTells({}, { logic });
    const id = await submit(form, { [TEXT_FIELD_ID]: 'Ada', [AGE.id]: 7 });
    await put(form, id, { [TEXT_FIELD_ID]: 'Ada', [AGE.id]: 18 });
    await put(form, id, { [TEXT_FIELD_ID]: 'Ada', [AGE.id]: 8 });
    await submit(form, { [TEXT_FIELD_ID]: 'Grace', [AGE.id]: 80 });
    const told = await bodies(2);
    expect(told.map(({ event, data }) => [event, data[AGE.id].value])).toEqual([
      ['submission.updated', 18],
      [undefined, 80],
    ]);
  });

  test('is tried again like any other delivery, with the same bytes', async () => {
    const { form } = await aFormThatTells();
    const id = await submit(form, { [TEXT_FIELD_ID]: 'Ada' });
    await receiver.received(1);
    receiver.script([503]);
    await put(form, id, { [TEXT_FIELD_ID]: 'Grace' });
    await receiver.received(2);
    const { pool } = home.service.context;
    await expect
      .poll(async () => {
        const due =
          'update deliveries set next_attempt_at = now() where state = $1 and form_id = $2 returning id';
        return (await pool.query(due, ['pending', form.id])).rowCount;
      })
      .toBe(1);
    const [, failed, again] = await receiver.received(3);
    expect(again?.body.equals(failed?.body ?? Buffer.alloc(0))).toBe(true);
    expect(again?.headers['webhook-id']).toBe(failed?.headers['webhook-id']);
  });
});

describe('integrations', () => {
  test('that do not ask for changes hear of none, and platforms may ask', async () => {
    const { form, integration } = await aFormThatTells({ sends_edits: null });
    expect(integration.data).not.toHaveProperty('sends_edits');
    const id = await submit(form, { [TEXT_FIELD_ID]: 'Ada' });
    await put(form, id, { [TEXT_FIELD_ID]: 'Grace' });
    await bodies(1);
    const path = `/open/forms/${form.id}/integrations/${integration.id}`;
    const data = { webhook_url: receiver.url, sends_edits: true };
    const changed = await home.call('PUT', path, { integration_id: 'make', data });
    expect(changed.body.form_integration.data, changed.text).toMatchObject({ sends_edits: true });
    await put(form, id, { [TEXT_FIELD_ID]: 'Mary' });
    const [, told] = await bodies(2);
    expect([told.event, told.data[TEXT_FIELD_ID].value]).toEqual(['submission.updated', 'Mary']);
    expect(told).not.toHaveProperty('submission');
  });

  test('that write to a chat say that it was changed', async () => {
    const { form } = await aFormThatTells({ format: 'slack' });
    const id = await submit(form, { [TEXT_FIELD_ID]: 'Ada' });
    await put(form, id, { [TEXT_FIELD_ID]: 'Grace' });
    const [first, second] = (await receiver.received(2)).map(({ body }) => String(body));
    expect(first).toContain(`New response to “${form.title}”`);
    expect(second).toContain(`Changed response to “${form.title}”`);
  });

  test('say true or false, and nothing else', async () => {
    const form = await home.form();
    const body = { integration_id: 'webhook', data: { webhook_url: receiver.url, sends_edits: 'yes' } };
    const answer = await home.call('POST', `/open/forms/${form.id}/integrations`, body);
    expectInvalid(answer, 'data.sends_edits');
  });
});
