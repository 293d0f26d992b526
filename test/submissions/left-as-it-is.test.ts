import { describe, expect, test } from 'vitest';
import { aVisitor } from '../public-pages/visitor.ts';
import { aField } from '../setup/factories.ts';
import { expectInvalid, useHome } from '../setup/home.ts';

/** What an edit leaves as it is, although the form has changed since. */
const home = useHome();

const K = aField('01', 'text', 'K');
const question = (type: string, options: Record<string, unknown> = {}) =>
  aField('02', type, 'Question', options);
const X = question('repeat').id;
const EDITABLE = { editable_submissions: true, enable_partial_submissions: true };
const questions = {
  q: { id: 'q', type: 'text', name: 'Q' },
  z: { id: 'z', type: 'number', name: 'Z' },
  c: { id: 'c', type: 'select', name: 'C', select: { options: ['Red', 'Blue'] } },
};
const repeat = (asked: object[], options = {}) => question('repeat', { questions: asked, ...options });

/** Submits answers to a form that becomes another one then. */
async function changed(before: object[], answers: object, after: object[]) {
  const form = await home.form({ properties: before, ...EDITABLE });
  const sent = await home.submit(form, { [K.id]: 'v', ...answers });
  expect(sent.status, sent.text).toBe(200);
  const saved = await home.call('PUT', `/open/forms/${form.id}`, { properties: after });
  expect(saved.status, saved.text).toBe(200);
  const [record] = await home.records(form);
  const path = `/open/forms/${form.id}/submissions/${record.id}`;
  const put = (body: object) => home.call('PUT', path, body);
  const stored = async () => {
    const { id, status, created_at, submission_id, ...data } = (await home.records(form))[0].data;
    return data;
  };
  const after200 = async (answer: Awaited<ReturnType<typeof put>>) => {
    expect(answer.status, answer.text).toBe(200);
    return stored();
  };
  return {
    form,
    submissionId: sent.body.submission_id,
    put,
    stored,
    putting: async (body: object) => after200(await put(body)),
    correcting: async (body: object) =>
      after200(await home.submit(form, { ...body, submission_id: sent.body.submission_id })),
  };
}

describe('answers to a question that is no longer repeated', () => {
  const ENTRIES = [{ q: 'Ann' }, { q: 'Bob', z: 2 }, { q: 'Cy' }];
  const withoutQ = (entries: object[] = ENTRIES, options: object = {}) =>
    changed([K, repeat([questions.q, questions.z])], { [X]: entries }, [K, repeat([questions.z], options)]);

  test('stay with an edit of another answer, by whoever', async () => {
    const { putting, correcting } = await withoutQ();
    expect(await putting({ [K.id]: 'w' })).toEqual({ [K.id]: 'w', [X]: ENTRIES });
    // As the dashboard sends it.
    expect(await putting({ [K.id]: 'x', [X]: ENTRIES })).toEqual({ [K.id]: 'x', [X]: ENTRIES });
    expect(await putting({ [K.id]: 'y', [X]: [{ z: 2 }] })).toEqual({ [K.id]: 'y', [X]: ENTRIES });
    expect(await correcting({ [K.id]: 'z', [X]: [{ z: 2 }] })).toEqual({ [K.id]: 'z', [X]: ENTRIES });
    expect(await correcting({ [K.id]: 'z', [X]: [{}, { z: 2 }, {}] })).toEqual({ [K.id]: 'z', [X]: ENTRIES });
    const alone = await withoutQ([{ q: 'Ann' }]);
    expect(await alone.putting({ [K.id]: 'w' })).toEqual({ [K.id]: 'w', [X]: [{ q: 'Ann' }] });
    expect(await alone.correcting({ [K.id]: 'w' })).toEqual({ [K.id]: 'w', [X]: [{ q: 'Ann' }] });
  });

  test('stay on the page of an edit', async () => {
    const { form, submissionId, stored } = await withoutQ();
    const visitor = aVisitor(home.service);
    const page = await visitor.open(`/forms/${form.slug}?submission_id=${submissionId}`);
    const thanks = await visitor.send(page, { [K.id]: 'by the page' });
    expect(thanks.path, thanks.text).toContain('/thank-you');
    expect(await stored()).toEqual({ [K.id]: 'by the page', [X]: ENTRIES });
  });

  test('stay in their places while other entries come, change and go', async () => {
    const { correcting } = await withoutQ();
    const giving = async (...entries: object[]) => (await correcting({ [X]: entries }))[X];
    expect(await giving({ z: 1 }, { z: 2 })).toEqual([
      { q: 'Ann' },
      { z: 1 },
      { q: 'Bob', z: 2 },
      { q: 'Cy' },
    ]);
    expect(await giving({ z: 2 })).toEqual(ENTRIES);
    expect(await giving({ z: 3 })).toEqual([{ q: 'Ann' }, { z: 3 }, { q: 'Cy' }]);
    expect(await giving()).toEqual([{ q: 'Ann' }, { q: 'Cy' }]);
  });

  test('go where they were sent as they are, and when the answer is removed', async () => {
    const { putting } = await withoutQ();
    const giving = async (entries: object[] | null) => (await putting({ [X]: entries }))[X];
    const kept = [{ q: 'Bob', z: 3 }, { z: 7 }, { q: 'Cy' }];
    expect(await giving(kept)).toEqual(kept);
    expect(await giving([{ q: 'Bea', z: 3 }, { q: 'Cy' }])).toEqual([{ z: 3 }, { q: 'Cy' }]);
    expect(await giving(null)).toBeUndefined();
  });

  test('count neither against a limit nor as an answer that lacks others', async () => {
    const needed = { ...questions.z, required: true };
    const { putting, put } = await changed([K, repeat([questions.q, questions.z])], { [X]: ENTRIES }, [
      K,
      repeat([needed, questions.c], { max_entries: 1 }),
    ]);
    expect(await putting({ [K.id]: 'w', [X]: ENTRIES })).toEqual({ [K.id]: 'w', [X]: ENTRIES });
    expectInvalid(await put({ [X]: [{ q: 'Dan', c: 'Red' }] }), X);
  });

  test('an entry that was no more than an unticked box goes when it is given otherwise', async () => {
    const box = { id: 'b', type: 'checkbox', name: 'B' };
    const asked = [K, repeat([questions.q, box])];
    const { correcting } = await changed(asked, { [X]: [{ b: false }] }, asked);
    expect(await correcting({ [X]: [{ q: 'Ann', b: true }] })).toEqual({ [X]: [{ q: 'Ann', b: true }] });
  });

  test('choices of an entry that are no options any more stay too', async () => {
    const blue = { ...questions.c, select: { options: ['Blue'] } };
    const entries = [{ c: 'Red' }, { c: 'Blue' }];
    const { correcting } = await changed([K, repeat([questions.c])], { [X]: entries }, [K, repeat([blue])]);
    expect(await correcting({ [K.id]: 'w', [X]: [{ c: 'Blue' }] })).toEqual({ [K.id]: 'w', [X]: entries });
  });
});

test.each([
  ['text', {}, 'abc', 'text', { hidden: true, generates_uuid: true }],
  ['text', {}, 'a <2 kg', 'rich_text', {}],
  ['text', {}, '007', 'number', {}],
  ['text', {}, '1', 'checkbox', {}],
  [
    'matrix',
    { rows: ['A', 'B'], columns: ['1', '2'] },
    { A: '2', B: '1' },
    'ranking',
    { ranking: { options: ['A', 'B'] } },
  ],
])(
  'an answer that is not named stays byte for byte: %s %j %j, now %s %j',
  async (type, given, answer, next, options) => {
    const { putting } = await changed([K, question(type, given)], { [X]: answer }, [
      K,
      question(next, options),
    ]);
    expect(await putting({ [K.id]: 'w' })).toEqual({ [K.id]: 'w', [X]: answer });
  },
);

describe('whoever changes one answer of a complete submission', () => {
  const above = (minimum: number) => ({
    validation: {
      error_conditions: {
        conditions: {
          operatorIdentifier: 'and',
          children: [
            {
              identifier: X,
              value: {
                operator: 'greater_than',
                property_meta: { id: X, type: 'number' },
                value: minimum,
              },
            },
          ],
        },
      },
      error_message: 'Too small',
    },
  });
  const MATRIX = { required: true, columns: ['1'] };

  test.each([
    ['a question that is required now', [K], {}, question('text', { required: true })],
    [
      'a row that is required now',
      [K, question('matrix', { ...MATRIX, rows: ['a'] })],
      { [X]: { a: '1' } },
      question('matrix', { ...MATRIX, rows: ['a', 'b'] }),
    ],
    ['a rule that came later', [K, question('number')], { [X]: 3 }, question('number', above(5))],
  ])('need not mend others: %s', async (_, before, answers, after) => {
    const { put, putting } = await changed(before, answers, [K, after]);
    expect(await putting({ [K.id]: 'w' })).toEqual({ [K.id]: 'w', ...answers });
    expectInvalid(await put({ [K.id]: 'w', [X]: ownOf(answers) }), X);
  });
  const ownOf = (answers: Record<string, unknown>) => answers[X] ?? null;

  test('but whoever completes one does', async () => {
    const form = await home.form({ properties: [K, question('text', { required: true })], ...EDITABLE });
    await home.submit(form, { [K.id]: 'v', is_partial: true });
    const [{ id }] = await home.records(form);
    const put = (body: object) => home.call('PUT', `/open/forms/${form.id}/submissions/${id}`, body);
    expectInvalid(await put({ [K.id]: 'w' }), X);
    expect((await put({ [X]: 'x' })).status).toBe(200);
  });
});

describe('a field that is hidden and filled in', () => {
  const hidden = { hidden: true };
  const LATER = [
    aField('03', 'date', 'Day', { ...hidden, prefill_today: true }),
    aField('04', 'text', 'Campaign', { ...hidden, prefill: '2026' }),
    aField('05', 'text', 'Ticket', { ...hidden, generates_uuid: true }),
  ];
  const nulls = Object.fromEntries(LATER.map(({ id }) => [id, null]));

  test('says nothing of a submission from before it was asked', async () => {
    const { putting, correcting } = await changed([K], {}, [K, ...LATER]);
    expect(await putting({ [K.id]: 'w' })).toEqual({ [K.id]: 'w' });
    // As the dashboard sends it.
    expect(await putting({ [K.id]: 'x', ...nulls })).toEqual({ [K.id]: 'x' });
    expect(await correcting({ [K.id]: 'y' })).toEqual({ [K.id]: 'y' });
  });

  test('says what it said, and an owner can empty it', async () => {
    const answers = { [LATER[0]?.id as string]: '2020-02-03', [LATER[1]?.id as string]: '2020' };
    const { putting, correcting, stored } = await changed([K, ...LATER], answers, [K, ...LATER]);
    const before = await stored();
    expect(before).toMatchObject(answers);
    expect(await correcting({ [K.id]: 'w' })).toEqual({ ...before, [K.id]: 'w' });
    expect(await putting({ [K.id]: 'x' })).toEqual({ ...before, [K.id]: 'x' });
    const { [LATER[2]?.id as string]: ticket } = before;
    expect(await putting({ [K.id]: 'y', ...nulls })).toEqual({
      [K.id]: 'y',
      [LATER[2]?.id as string]: ticket,
    });
  });

  test('is filled in where a correction hides it', async () => {
    const when = (value: string) => ({
      logic: {
        conditions: {
          operatorIdentifier: 'and',
          children: [
            {
              identifier: K.id,
              value: { operator: 'equals', property_meta: { id: K.id, type: 'text' }, value },
            },
          ],
        },
        actions: ['hide-block'],
      },
    });
    const field = question('text', { prefill: 'no', ...when('FR') });
    const { correcting } = await changed([K, field], { [X]: 'yes' }, [K, field]);
    expect(await correcting({ [K.id]: 'FR' })).toEqual({ [K.id]: 'FR', [X]: 'no' });
  });
});
