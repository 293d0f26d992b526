import { describe, expect, test } from 'vitest';
import { aField, aTextField, TEXT_FIELD_ID } from '../setup/factories.ts';
import { expectInvalid, expectRefused, useHome } from '../setup/home.ts';

const home = useHome();

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

describe('POST /forms/{slug}/answer', () => {
  test('answers the six members of a complete submission', async () => {
    const form = await home.form();
    const answer = await home.submit(form, { [TEXT_FIELD_ID]: 'Alice', completion_time: 12 });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      type: 'success',
      message: expect.any(String),
      submission_id: expect.stringMatching(UUID),
      is_first_submission: true,
      redirect: false,
      submission_hash: null,
    });
  });

  test('takes the slug or the UUID, without any credentials', async () => {
    const form = await home.form();
    for (const ref of [form.slug, form.uuid]) {
      const answer = await home.call('POST', `/forms/${ref}/answer`, { [TEXT_FIELD_ID]: ref }, null);
      expect(answer.status).toBe(200);
    }
    expect(await home.records(form)).toHaveLength(2);
  });

  test('a token, valid or not, changes nothing', async () => {
    const form = await home.form();
    for (const token of [home.ada.token, 'rubbish', (await home.stranger()).token]) {
      expect((await home.call('POST', `/forms/${form.slug}/answer`, {}, token)).status).toBe(200);
    }
  });

  test('a request without answers is none', async () => {
    const form = await home.form();
    const url = `${home.service.url}/forms/${form.slug}/answer`;
    const json = { 'content-type': 'application/json' };
    const requests = [{}, { headers: json }, { headers: json, body: '' }, { headers: json, body: 'null' }];
    for (const request of requests) {
      const { status } = await fetch(url, { method: 'POST', ...request });
      expect([400, 422], JSON.stringify(request)).toContain(status);
    }
    expect(await home.records(form)).toEqual([]);
    expect((await home.submit(form, {})).status).toBe(200);
  });

  test('is_first_submission is true once', async () => {
    const form = await home.form();
    const first = await home.submit(form, { [TEXT_FIELD_ID]: '1' });
    const second = await home.submit(form, { [TEXT_FIELD_ID]: '2' });
    expect([first.body.is_first_submission, second.body.is_first_submission]).toEqual([true, false]);
    expect(second.body.submission_id).not.toBe(first.body.submission_id);
  });

  test('redirect is false even where the form has a redirect_url', async () => {
    const form = await home.form({ redirect_url: 'https://example.org/thanks' });
    expect((await home.submit(form, {})).body.redirect).toBe(false);
  });

  test('the submission is stored under the field ids, with its completion time in seconds', async () => {
    const form = await home.form();
    const { body } = await home.submit(form, { [TEXT_FIELD_ID]: 'Alice', completion_time: 12.5 });
    const [record] = await home.records(form);
    expect(record).toMatchObject({ submission_id: body.submission_id, completion_time: 12.5 });
    expect(record.id).toBeTypeOf('number');
    expect(record.data[TEXT_FIELD_ID]).toBe('Alice');
  });

  test('completion_time may come as a numeric string', async () => {
    const form = await home.form();
    expect((await home.submit(form, { completion_time: '45' })).status).toBe(200);
    expect((await home.records(form))[0].completion_time).toBe(45);
  });

  test('an empty text beside the answers is none', async () => {
    const form = await home.form();
    const beside = [
      'completion_time',
      'is_partial',
      'submission_hash',
      'submission_id',
      'tracking_parameters',
    ];
    const empty = Object.fromEntries(beside.map((member) => [member, '']));
    const answer = await home.submit(form, { [TEXT_FIELD_ID]: 'Alice', ...empty });
    expect(answer.status, answer.text).toBe(200);
    const [record] = await home.records(form);
    expect(record).toMatchObject({ status: 'completed', completion_time: null });
    expect(record).not.toHaveProperty('meta');
  });

  test.each([['text'], [-1], [true], ['1e400'], ['-1'], [' ']])(
    'completion_time cannot be %j',
    async (completion_time) => {
      expectInvalid(await home.submit(await home.form(), { completion_time }), 'completion_time');
    },
  );

  test.each(['PUT', 'PATCH', 'DELETE'])('%s is not an answer', async (method) => {
    const form = await home.form();
    const answer = await home.call(method, `/forms/${form.slug}/answer`, {}, null);
    expect([404, 405]).toContain(answer.status);
    expect(answer.body.message).toBeTypeOf('string');
    expect(await home.records(form)).toEqual([]);
  });

  test('unknown, draft and deleted forms answer 404 with message and error, all the same', async () => {
    const deleted = await home.form();
    await home.call('DELETE', `/open/forms/${deleted.id}`);
    const draft = await home.form({ visibility: 'draft' });
    const answers = [
      await home.submit({ slug: 'no-such-form' }, {}),
      await home.submit(draft, { [TEXT_FIELD_ID]: 7 }),
      await home.submit({ slug: draft.uuid }, {}),
      await home.submit(deleted, {}),
      await home.submit({ slug: '00000000-0000-4000-8000-000000000000' }, {}),
      await home.submit({ slug: String((await home.form()).id) }, {}),
      await home.submit({ slug: 'a'.repeat(255) }, {}),
      await home.submit({ slug: 'a'.repeat(256) }, {}),
      await home.submit({ slug: 'a'.repeat(5_000) }, {}),
    ];
    for (const answer of answers) {
      expectRefused(answer, 404);
      expect(answer.body).toEqual({ message: expect.any(String), error: 'form_not_found' });
      expect(answer.text).toBe(answers[0]?.text);
    }
    expect(await home.records(draft)).toEqual([]);
  });

  test('a draft that is published takes answers from the next request on', async () => {
    const form = await home.form({ visibility: 'draft' });
    expect((await home.submit(form, {})).status).toBe(404);
    await home.call('PUT', `/open/forms/${form.id}`, { visibility: 'public' });
    expect((await home.submit(form, {})).status).toBe(200);
    await home.call('PUT', `/open/forms/${form.id}`, { visibility: 'draft' });
    expect((await home.submit(form, {})).status).toBe(404);
  });
});

describe('answers', () => {
  test('a missing required field is 422 under its UUID, and nothing is stored', async () => {
    const form = await home.form({ properties: [aTextField({ required: true })] });
    for (const body of [{}, { [TEXT_FIELD_ID]: '' }, { [TEXT_FIELD_ID]: null }]) {
      const answer = await home.submit(form, body);
      expect(expectInvalid(answer, TEXT_FIELD_ID)).toEqual({
        [TEXT_FIELD_ID]: ['The Name field is required.'],
      });
      expect(answer.body.message).toBe('The Name field is required.');
    }
    expect(await home.records(form)).toEqual([]);
  });

  test('all problems are reported at once, and the message counts the others', async () => {
    const email = aField('01', 'email', 'Email');
    const number = aField('02', 'number', 'Age');
    const form = await home.form({ properties: [aTextField({ required: true }), email, number] });
    const answer = await home.submit(form, { [email.id]: 'nobody', [number.id]: 'old' });
    expectInvalid(answer, TEXT_FIELD_ID, email.id, number.id);
    expect(answer.body.message).toMatch(/ \(and 2 more errors\)$/);
    expect(answer.text).not.toContain('nobody');
  });

  const options = {
    options: [
      { id: 'a', name: 'Apple' },
      { id: 'b', name: 'Pear' },
    ],
  };
  const types: [
    type: string,
    members: Record<string, unknown>,
    good: [unknown, unknown?][],
    bad: unknown[],
  ][] = [
    [
      'text',
      {},
      [['Alice'], ['<img src=x onerror=1>'], ['  kept  '], ['😀'], ['0']],
      [7, true, ['a'], { a: 1 }],
    ],
    [
      'number',
      {},
      [[7], [-1.5], ['42', 42], ['-0.5', -0.5], [0]],
      ['old', true, [1], '1e400', 'NaN', 'Infinity'],
    ],
    [
      'checkbox',
      {},
      [[true], [false], [1, true], [0, false], ['1', true], ['0', false], ['true', true], ['false', false]],
      ['yes', 2, [true]],
    ],
    ['multi_select', { multi_select: options }, [[['Apple']], [['Pear', 'Apple']]], ['Apple', 7, { a: 1 }]],
    ['select', { select: options }, [['Apple'], ['Pear']], ['Plum', 'a', 7, ['Apple']]],
    ['email', {}, [['a@example.com']], ['nobody', 7]],
    [
      'url',
      {},
      [['https://example.org/x?y=1'], ['example.org'], ['https://xn--e1afmkfd.xn--p1ai/']],
      ['no url', 7, 'example.-org', 'example.org-'],
    ],
    ['date', {}, [['2026-08-01']], ['yesterday-ish', 'not a date']],
    ['phone_number', {}, [['FR+33749119783', '+33749119783'], ['+33749119783']], ['123', 'hello', 7]],
    ['rating', {}, [[3], ['4', 4]], ['many', true]],
    ['scale', {}, [[2]], ['x']],
    ['slider', {}, [[20]], ['x']],
    [
      'matrix',
      { rows: ['R1', 'R2'], columns: ['Good', 'Bad'] },
      [[{ R1: 'Good', R2: 'Bad' }]],
      ['Good', { R1: 'Maybe' }],
    ],
  ];
  test.each(types)('a %s', async (type, members, good, bad) => {
    const field = aField('01', type, 'Thing', members);
    const form = await home.form({ properties: [field] });
    for (const [sent, stored = sent] of good) {
      const answer = await home.submit(form, { [field.id]: sent });
      expect(answer.status, `${JSON.stringify(sent)}: ${answer.text}`).toBe(200);
      expect((await home.records(form))[0].data[field.id]).toStrictEqual(stored);
    }
    for (const sent of bad) {
      const answer = await home.submit(form, { [field.id]: sent });
      expect(answer.status, `${JSON.stringify(sent)}: ${answer.text}`).toBe(422);
      for (const key of Object.keys(answer.body.errors)) expect(key.startsWith(field.id)).toBe(true);
    }
    expect(await home.records(form)).toHaveLength(good.length);
  });

  test('a required checkbox must be accepted', async () => {
    const field = aField('01', 'checkbox', 'Terms', { required: true });
    const form = await home.form({ properties: [field] });
    for (const sent of [false, 0, '0', 'false'])
      expect(expectInvalid(await home.submit(form, { [field.id]: sent }), field.id)[field.id]).toEqual([
        'The Terms must be accepted.',
      ]);
    expect((await home.submit(form, { [field.id]: true })).status).toBe(200);
  });

  test.each([
    ['select.options', (options: unknown) => ({ select: { options } })],
    ['options', (options: unknown) => ({ options })],
  ])('options come as %s, as objects or as plain strings', async (_name, members) => {
    for (const options of [[{ id: 'a', name: 'Apple' }], ['Apple']]) {
      const field = aField('01', 'select', 'Fruit', members(options));
      const form = await home.form({ properties: [field] });
      expect((await home.submit(form, { [field.id]: 'Apple' })).status).toBe(200);
      expectInvalid(await home.submit(form, { [field.id]: 'Plum' }), field.id);
    }
  });

  test('a select without options takes any string', async () => {
    const [one, many] = [aField('01', 'select', 'One'), aField('02', 'multi_select', 'Many')];
    const form = await home.form({ properties: [one, many] });
    expect((await home.submit(form, { [one.id]: 'anything', [many.id]: ['x', 'y'] })).status).toBe(200);
    expectInvalid(await home.submit(form, { [one.id]: 5, [many.id]: [5] }), one.id, many.id);
  });

  test('unknown keys are ignored and never stored', async () => {
    const form = await home.form();
    const answer = await home.submit(form, { [TEXT_FIELD_ID]: 'x', stranger: 'y', 'not-a-field': { z: 1 } });
    expect(answer.status).toBe(200);
    const listed = await home.call('GET', `/open/forms/${form.id}/submissions`);
    expect(listed.text).not.toContain('stranger');
    expect(listed.text).not.toContain('not-a-field');
  });

  test('fields named like members of every object are answered as any other', async () => {
    const ids = ['constructor', 'toString', 'hasOwnProperty', 'valueOf', 'length'];
    const form = await home.form({ properties: ids.map((id) => ({ id, type: 'text', name: id })) });
    expect((await home.submit(form, {})).status).toBe(200);
    const body = Object.fromEntries(ids.map((id) => [id, `answer ${id}`]));
    const { body: done } = await home.submit(form, body);
    const csv = await home.call('POST', `/open/forms/${form.id}/submissions/export`, {
      columns: { constructor: true, toString: true, hasOwnProperty: true },
    });
    expect(csv.status, csv.text).toBe(200);
    expect(csv.text).toContain('answer constructor,answer toString,answer hasOwnProperty');
    expect(done.submission_id).toMatch(UUID);
  });

  test('a field hidden by logic is not required', async () => {
    const choice = aField('01', 'select', 'Choice', { select: { options: ['Yes', 'No'] } });
    const reason = aField('02', 'text', 'Reason', {
      required: true,
      logic: {
        conditions: {
          operatorIdentifier: 'and',
          children: [
            {
              identifier: choice.id,
              value: {
                operator: 'equals',
                property_meta: { id: choice.id, type: 'select' },
                value: 'No',
              },
            },
          ],
        },
        actions: ['hide-block'],
      },
    });
    const form = await home.form({ properties: [choice, reason] });
    expect((await home.submit(form, { [choice.id]: 'No' })).status).toBe(200);
    expectInvalid(await home.submit(form, { [choice.id]: 'Yes' }), reason.id);
  });

  test('a field whose flag hidden is set is not required', async () => {
    const form = await home.form({ properties: [aTextField({ hidden: true })] });
    expect((await home.submit(form, {})).status).toBe(200);
  });

  test('a text answer has at most 100,000 characters', async () => {
    const form = await home.form();
    expect((await home.submit(form, { [TEXT_FIELD_ID]: 'é'.repeat(100_000) })).status).toBe(200);
    expectInvalid(await home.submit(form, { [TEXT_FIELD_ID]: 'é'.repeat(100_001) }), TEXT_FIELD_ID);
  });

  test('a changed form judges the next answer', async () => {
    const form = await home.form();
    expect((await home.submit(form, {})).status).toBe(200);
    await home.call('PUT', `/open/forms/${form.id}`, { properties: [aTextField({ required: true })] });
    expectInvalid(await home.submit(form, {}), TEXT_FIELD_ID);
  });
});
