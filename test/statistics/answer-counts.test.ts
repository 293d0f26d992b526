import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Transaction } from '../../server/db/database.ts';
import { countNextAnswers } from '../../server/statistics/answer-queries.ts';
import { countAnswers } from '../../server/statistics/count-answers.ts';
import { deleteSubmissions } from '../../server/submissions/queries.ts';
import { purgeExpiredSubmissions } from '../../server/submissions/retention/purge-expired.ts';
import {
  addToCounters,
  insertSubmission,
  lockFormGate,
  overwriteSubmission,
} from '../../server/submissions/store-queries.ts';
import { expectInvalid, useHome } from '../setup/home.ts';
import { runAllJobs } from '../setup/run-jobs.ts';

const home = useHome({ env: { ROLES: 'http' } });

const TYPES = [
  ['mail', 'email'],
  ['color', 'select'],
  ['topics', 'multi_select'],
  ['agreed', 'checkbox'],
  ['stars', 'rating'],
  ['amount', 'number'],
  ['day', 'date'],
  ['grid', 'matrix'],
  ['order', 'ranking'],
  ['papers', 'files'],
  ['salary', 'scale'],
  ['guests', 'repeat'],
] as const;
type Key = (typeof TYPES)[number][0] | 'later';
const QUESTIONS = [
  { id: 'who', type: 'text', name: 'Who' },
  { id: 'meal', type: 'select', name: 'Meal', select: { options: ['Fish', 'Rice'] } },
  { id: 'extras', type: 'multi-select', name: 'Extras', multi_select: { options: ['Wine', 'Cake'] } },
  { id: 'child', type: 'checkbox', name: 'Child' },
  { id: 'age', type: 'number', name: 'Age' },
  { id: 'born', type: 'date', name: 'Born' },
];
const ORDERS = ['abc', 'cab', 'bac', 'bca', 'cba'].map((names) => [...names]);

const ID = Object.fromEntries(
  [...TYPES.map(([key]) => key), 'later'].map((key) => [key, randomUUID()]),
) as Record<Key, string>;

function blocks(colorType = 'select', questions: object[] = QUESTIONS) {
  return TYPES.map(([key, type]) => ({
    id: ID[key],
    type: key === 'color' ? colorType : type,
    name: key,
    hidden: false,
    required: false,
    ...(type === 'select' && { allow_creation: true }),
    ...(type === 'multi_select' && { multi_select: { options: ['a', 'b', 'c'].map((name) => ({ name })) } }),
    ...(type === 'ranking' && { options: ['a', 'b', 'c'] }),
    ...(type === 'scale' && { scale_min_value: 10_000, scale_max_value: 10_004, scale_step_value: 0.5 }),
    ...(type === 'repeat' && { questions }),
    ...(type === 'matrix' && { rows: ['one', 'two'], columns: ['yes', 'no'] }),
  }));
}

/** The same in every run, so that a failure can be examined. */
function chances(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >>> 8) % below;
  };
}

function someAnswers(chance: (below: number) => number): Record<string, any> {
  const all: Record<Key, any> = {
    mail: `person${chance(8)}@example.com`,
    color: ['Red', 'Green', 'x'.repeat(300), `made up ${chance(30)}`][chance(4)],
    topics: [['a'], ['a', 'b'], ['c', 'b', 'a']][chance(3)],
    agreed: chance(2) === 0,
    stars: chance(5) + 1,
    amount: [0, 0.5, -3, 12, 1987, 123_456.78, 1e30, chance(400) / 8][chance(8)],
    day: [`2026-0${chance(9) + 1}-11`, ['2025-12-31', '2026-01-01'], '2026-02-01T10:00:00+14:00'][chance(3)],
    grid: [{ one: 'yes' }, { one: 'no', two: 'yes' }][chance(2)],
    papers: [['one.pdf'], ['two.pdf', 'three.pdf']][chance(2)],
    salary: 10_000 + chance(9) / 2,
    guests: Array.from({ length: chance(4) + 1 }, () => someEntry(chance)),
    later: 'text',
    order: [],
  };
  all.order = ORDERS[all.stars - 1];
  const entries = Object.entries(all).filter(
    ([key]) => key === 'order' || (key !== 'later' && chance(4) > 0),
  );
  return Object.fromEntries(entries.map(([key, value]) => [ID[key as Key], value]));
}

function someEntry(chance: (below: number) => number): Record<string, any> {
  const all = {
    meal: ['Fish', 'Rice'][chance(2)],
    extras: [['Wine'], ['Cake', 'Wine']][chance(2)],
    child: chance(2) === 0,
    age: chance(90),
    born: `20${chance(3) + 10}-0${chance(9) + 1}-11`,
  };
  const given = Object.entries(all).filter(() => chance(3) > 0);
  return { who: 'Ann', ...Object.fromEntries(given) };
}

async function fieldStatistics(form: { id: number }, query = ''): Promise<any> {
  const answer = await home.call('GET', `/open/forms/${form.id}/statistics/fields${query}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

function tallied(values: string[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort();
}

/** Compares the answer with a plain count over all submissions. */
async function expectRight(form: { id: number }, status: string): Promise<void> {
  const said = await fieldStatistics(form, `?status=${status}&from=2026-01-01&to=2026-01-03`);
  const rows = await home.service.context.db
    .selectFrom('submissions')
    .select(['data', 'status', 'created_at'])
    .where('form_id', '=', form.id)
    .execute();
  const counted = rows.filter(
    (row) =>
      (status === 'all' || row.status === status) &&
      (row.created_at as unknown as Date).toISOString() < '2026-01-04',
  );
  expect([said.submissions, said.uncounted]).toEqual([counted.length, 0]);
  for (const field of said.fields) {
    const answers = valuesOf(
      field.id,
      counted.map(({ data }) => data as Record<string, any>),
    );
    expectField(field, answers, `${status} ${field.name} ${field.type}`);
    if (field.name === 'guests') expectEntries(field, answers);
  }
}

function valuesOf(id: string, all: Record<string, any>[]): any[] {
  return all.flatMap((answers) => (answers[id] === undefined ? [] : [answers[id]]));
}

function expectEntries(field: any, answers: Record<string, any>[][]): void {
  const entries = answers.flat();
  const lengths = answers.map((answer) => answer.length);
  expect(field.entries).toEqual(
    answers.length === 0
      ? null
      : {
          total: entries.length,
          mean: entries.length / answers.length,
          min: Math.min(...lengths),
          max: Math.max(...lengths),
          answers: tallied(lengths.map(String)).map(([length, count]) => ({
            entries: Number(length),
            count,
          })),
        },
  );
  for (const question of field.questions)
    expectField(question, valuesOf(question.id, entries), `an entry's ${question.name}`);
}

function utcMonth(written: string): string {
  return new Date(written).toISOString().slice(0, 7);
}

function expectField(field: any, answers: any[], hint: string): void {
  expect(field.answered, hint).toBe(answers.length);
  if (field.values)
    expect(field.values.map(({ value, count }: any) => [value, count]).sort(), hint).toEqual(
      tallied(answers.flat().map((answer) => String(answer).slice(0, 200))),
    );
  if (field.months)
    expect(field.months.map(({ month, count }: any) => [month, count])).toEqual(
      tallied(answers.map((answer) => utcMonth([answer].flat()[0]))),
    );
  if (field.ranking)
    expect(field.ranking, hint).toEqual(
      ['a', 'b', 'c']
        .map((value) => {
          const places = answers.map((order: string[]) => order.indexOf(value) + 1);
          const mean = places.reduce((sum, place) => sum + place, 0) / places.length;
          return { value, mean, first: places.filter((place) => place === 1).length, count: places.length };
        })
        .filter(({ count }) => count > 0)
        .sort(
          (one, other) =>
            one.mean - other.mean || other.first - one.first || (one.value < other.value ? -1 : 1),
        ),
    );
  if (field.cells)
    expect(field.cells.map(({ row, column, count }: any) => [`${row} ${column}`, count]).sort()).toEqual(
      tallied(answers.flatMap((answer) => Object.entries(answer).map((cell) => cell.join(' ')))),
    );
  if (field.name === 'papers') expect(field.files).toBe(answers.flat().length);
  if (field.numbers !== undefined) expectNumbers(field.numbers, answers, field.type === 'scale' ? 12 : 4);
}

function expectNumbers(numbers: any, answers: number[], digits = 4): void {
  if (answers.length === 0) {
    expect(numbers).toBeNull();
    return;
  }
  const rounded = answers.map((answer) => Number(answer.toPrecision(digits)));
  const sum = answers.reduce((one, other) => one + other, 0);
  expect(numbers.sum / sum || 1).toBeCloseTo(1, 10);
  expect(numbers.mean / (sum / answers.length) || 1).toBeCloseTo(1, 10);
  expect([numbers.min, numbers.max]).toEqual([Math.min(...rounded), Math.max(...rounded)]);
  expect(numbers.histogram.length).toBeLessThanOrEqual(22);
  for (const { from, to, count } of numbers.histogram)
    expect(rounded.filter((number) => number >= from && number < to)).toHaveLength(count);
}

test.each([1, 2, 3])('whatever happens to submissions, their answers are counted (seed %i)', async (seed) => {
  const { db } = home.service.context;
  const form = await home.form({
    properties: blocks(),
    submission_retention_value: 1,
    submission_retention_unit: 'year',
  });
  const formId: number = form.id;
  const chance = chances(seed);
  const counting: Promise<unknown>[] = [];
  const submissions = () =>
    db
      .selectFrom('submissions')
      .select(['id', 'public_id', 'status'])
      .where('form_id', '=', formId)
      .orderBy('id')
      .execute();
  type Status = 'completed' | 'partial';
  const stored = (publicId: string, status: Status) =>
    ({ publicId, status, answers: someAnswers(chance), completionTime: null, ending: null }) as const;
  const add = async (trx: Transaction) => {
    const status = chance(2) === 0 ? 'completed' : 'partial';
    const id = await insertSubmission(trx, formId, stored(randomUUID(), status), { attribution: null });
    await sql`update submissions set created_at = date '2026-01-01' + ${chance(4)} * interval '1 day'
      where form_id = ${formId} and id = ${id}`.execute(trx);
    await addToCounters(trx, formId, status === 'completed' ? 1 : 0, status === 'partial' ? 1 : 0);
  };
  const overwrite = async (trx: Transaction, one: { public_id: string; status: string }) => {
    const from = one.status as Status;
    const status = from === 'partial' && chance(2) === 0 ? 'partial' : 'completed';
    const fieldIds = Object.values(ID);
    await overwriteSubmission(trx, formId, stored(one.public_id, status), { from, fieldIds });
    if (from !== status) await addToCounters(trx, formId, 1, -1);
  };
  const change = async () => {
    const ids = await submissions();
    const at = chance(ids.length + 1);
    const one = ids[at];
    await db.transaction().execute(async (trx) => {
      await lockFormGate(trx, formId);
      const kind = chance(6);
      if (kind <= 2) return add(trx);
      if (!one) return;
      if (kind <= 4) return overwrite(trx, one);
      const gone = ids.slice(at, at + 1 + chance(3)).map(({ id }) => id);
      await deleteSubmissions(trx, formId, gone);
    });
  };
  const erase = async () => {
    const value = `person${chance(8)}@example.com`;
    const erased = await home.call('POST', `/open/workspaces/${home.workspaceId}/people/erase`, { value });
    expect(erased.status, erased.text).toBe(200);
  };
  const purge = async () => {
    await sql`update submissions set updated_at = now() - interval '2 years'
      where form_id = ${formId} and id % 7 = ${chance(7)}`.execute(db);
    await purgeExpiredSubmissions(db);
  };
  for (let turn = 0; turn < 200; turn++) {
    // Counting also runs while something changes.
    if (chance(8) === 0) counting.push(countNextAnswers(db, formId));
    await change();
    if (chance(40) === 0) await erase();
    if (chance(40) === 0) await purge();
    // The question's values stop being counted, or are counted again.
    if (chance(60) === 0) {
      const properties = blocks(chance(2) === 0 ? 'text' : 'select', QUESTIONS.slice(chance(3)));
      const saved = await home.call('PUT', `/open/forms/${formId}`, { ...form, properties });
      expect(saved.status, saved.text).toBe(200);
    }
    if (chance(10) === 0) {
      await Promise.all(counting);
      await expectRight(form, ['completed', 'partial', 'all'][chance(3)] as string);
    }
  }
  await Promise.all(counting);
  await countAnswers(db);
  for (const status of ['completed', 'partial', 'all']) await expectRight(form, status);
  const left = (await submissions()).map(({ id }) => id);
  await db.transaction().execute(async (trx) => {
    await lockFormGate(trx, formId);
    await deleteSubmissions(trx, formId, left);
  });
  const kinds = await db.selectFrom('form_answers').select('kind').where('form_id', '=', formId).execute();
  expect(new Set(kinds.map(({ kind }) => kind))).toEqual(new Set(['seen']));
});

test('of very many values some are named, and all can be taken back', async () => {
  const { db } = home.service.context;
  const form = await home.form({ properties: blocks() });
  const ids: number[] = [];
  const add = (answers: Record<string, any>) =>
    db.transaction().execute(async (trx) => {
      await lockFormGate(trx, form.id);
      const counted = { status: 'completed', answers, completionTime: null, ending: null } as const;
      const stored = { publicId: randomUUID(), ...counted };
      ids.push(await insertSubmission(trx, form.id, stored, { attribution: null }));
      await addToCounters(trx, form.id, 1, 0);
    });
  for (let n = 0; n < 300; n++) await add({ [ID.color]: `color ${n}`, [ID.amount]: 1000 + n });
  await countAnswers(db);
  for (let n = 0; n < 20; n++) await add({ [ID.color]: `new ${n}`, [ID.amount]: 5000 + n });
  await countAnswers(db);
  const fields = async () =>
    Object.fromEntries((await fieldStatistics(form)).fields.map((field: any) => [field.name, field]));
  const { color, amount } = await fields();
  expect([color.answered, color.values.length, color.other]).toEqual([320, 100, 220]);
  expect(amount.answered).toBe(320);
  expect(amount.numbers.histogram.reduce((sum: number, bin: any) => sum + bin.count, 0)).toBe(320);
  expect(amount.numbers.min).toBe(1000);
  expect(amount.numbers.mean).toBeCloseTo((300 * 1149.5 + 20 * 5009.5) / 320);
  for (const half of [ids.slice(100, 310), [...ids.slice(0, 100), ...ids.slice(310)]]) {
    await db.transaction().execute(async (trx) => {
      await lockFormGate(trx, form.id);
      await deleteSubmissions(trx, form.id, half);
    });
    const left = await fields();
    expect(left.color.answered).toBe(half.length === 210 ? 110 : 0);
  }
  const rows = await db.selectFrom('form_answers').select('kind').where('form_id', '=', form.id).execute();
  expect(new Set(rows.map(({ kind }) => kind))).toEqual(new Set(['seen']));
});

test.each([[[-5e-324, 5e-324]], [[0, 5e-324]], [[5e-324, 1e-323]], [[1e-320, 2e-320, 1e-300]]])(
  'numbers as near to 0 as %j have a histogram',
  async (numbers) => {
    const form = await home.form({ properties: blocks() });
    for (const number of numbers) expect((await home.submit(form, { [ID.amount]: number })).status).toBe(200);
    const { fields } = await fieldStatistics(form);
    expectNumbers(fields.find(({ id }: any) => id === ID.amount).numbers, numbers);
  },
);

test('says how many are not counted yet when they are too many to be read at once', async () => {
  const { db } = home.service.context;
  const form = await home.form({ properties: blocks() });
  await sql`insert into submissions (form_id, public_id, status, data)
    select ${form.id}, gen_random_uuid(), 'completed', jsonb_build_object(${ID.stars}::text, n % 5 + 1)
    from generate_series(1, 2900) n`.execute(db);
  await addToCounters(db as never, form.id, 2900, 0);
  expect(await fieldStatistics(form)).toMatchObject({ submissions: 2000, uncounted: 900 });
  await countNextAnswers(db, form.id);
  const complete = await fieldStatistics(form);
  expect(complete).toMatchObject({ submissions: 2900, uncounted: 0 });
  const stars = complete.fields.find(({ id }: any) => id === ID.stars);
  expect(stars).toMatchObject({ answered: 2900, other: 0, numbers: { mean: 3, min: 1, max: 5 } });
  expect(stars.values).toEqual(['1', '2', '3', '4', '5'].map((value) => ({ value, count: 580 })));
  await countAnswers(db);
  expect(await fieldStatistics(form)).toEqual(complete);
});

test('of very many entries some submissions are counted at a time, and all can be taken back at once', async () => {
  const { db } = home.service.context;
  const questions = Array.from({ length: 20 }, (_, n) => ({
    id: `q${n}`,
    type: 'checkbox',
    name: `Q${n}`,
  }));
  const form = await home.form({ properties: blocks('select', questions) });
  const entry = Object.fromEntries(questions.map(({ id }) => [id, true]));
  const answer = JSON.stringify({ [ID.guests]: Array.from({ length: 100 }, () => entry) });
  await sql`insert into submissions (form_id, public_id, status, data)
    select ${form.id}, gen_random_uuid(), 'completed', ${answer}::jsonb from generate_series(1, 60)`.execute(
    db,
  );
  await addToCounters(db as never, form.id, 60, 0);
  const guests = async () => {
    const { uncounted, fields } = await fieldStatistics(form);
    const { entries, questions: told } = fields.find(({ id }: any) => id === ID.guests);
    expect(told).toHaveLength(20);
    for (const { answered, values } of told)
      expect([answered, values]).toEqual([entries.total, [{ value: 'true', count: entries.total }]]);
    return [entries.answers, uncounted];
  };
  expect(await countNextAnswers(db, form.id)).toBe(true);
  // Five are in the counters; the other five are read.
  expect(await guests()).toEqual([[{ entries: 100, count: 10 }], 50]);
  await countAnswers(db);
  expect(await guests()).toEqual([[{ entries: 100, count: 60 }], 0]);
  await db.transaction().execute(async (trx) => {
    await lockFormGate(trx, form.id);
    const ids = await trx.selectFrom('submissions').select('id').where('form_id', '=', form.id).execute();
    await deleteSubmissions(
      trx,
      form.id,
      ids.slice(7).map(({ id }) => id),
    );
  });
  expect(await guests()).toEqual([[{ entries: 100, count: 5 }], 2]);
  await countAnswers(db);
  expect(await guests()).toEqual([[{ entries: 100, count: 7 }], 0]);
});

test('shows each field with numbers of its own type, also while that changes', async () => {
  const { db } = home.service.context;
  const form = await home.form({ properties: blocks() });
  await home.submit(form, { [ID.color]: 'Red' });
  await countAnswers(db);
  const types = [blocks('matrix'), blocks('select')].map((properties) => JSON.stringify(properties));
  let isOver = false;
  const changing = (async () => {
    for (let n = 0; !isOver; n++)
      await sql`update forms set properties = ${types[n % 2]}::jsonb where id = ${form.id}`.execute(db);
  })();
  const seen = new Set<string>();
  try {
    for (let n = 0; n < 40; n++) {
      const { fields } = await fieldStatistics(form);
      const color = fields.find(({ id }: any) => id === ID.color);
      seen.add(color.type);
      if (color.type === 'select') expect(color.values).toEqual([{ value: 'Red', count: 1 }]);
      else expect(color.cells).toEqual([]);
    }
  } finally {
    isOver = true;
    await changing;
  }
  expect(seen.size).toBe(2);
});

test('options that were chosen as often stand in the order of the form', async () => {
  const options = ['City 2', 'City 10', 'City 1'];
  const form = await home.form({
    properties: [{ id: 'city', type: 'select', name: 'City', select: { options }, allow_creation: true }],
  });
  for (const city of ['A village', 'City 1', 'City 10', 'City 2', 'City 1'])
    await home.submit(form, { city });
  const { body } = await home.call('GET', `/open/forms/${form.id}/statistics/fields`);
  expect(body.fields[0].values.map(({ value }: any) => value)).toEqual([
    'City 1',
    'City 2',
    'City 10',
    'A village',
  ]);
});

test('goes with the form', async () => {
  const { context } = home.service;
  const form = await home.form({ properties: blocks() });
  await home.submit(form, { [ID.color]: 'Red' });
  await countAnswers(context.db);
  const rows = () =>
    context.db.selectFrom('form_answers').select('place').where('form_id', '=', form.id).execute();
  expect(await rows()).toContainEqual({ place: 'Red' });
  await home.call('DELETE', `/open/forms/${form.id}`);
  await runAllJobs(context);
  expect(await rows()).toEqual([]);
});

test('counts a date in the month that lists find it in, by its day in UTC', async () => {
  const { id } = blocks().find(({ type }) => type === 'date') as { id: string };
  const form = await home.form({ properties: [{ id, type: 'date', name: 'Day', with_time: true }] });
  const written = [
    '2026-01-31T23:30:00-05:00',
    '2026-02-01 03:00+05:00',
    '2026-02-01T00:30:00Z',
    '2026-02-28',
  ];
  for (const day of written) expect((await home.submit(form, { [id]: day })).status, day).toBe(200);
  const months = async () => (await fieldStatistics(form, '?status=all')).fields[0].months;
  const listed = async (query: string) =>
    (await home.call('GET', `/open/forms/${form.id}/submissions?${query}`)).body.data.length;
  const right = [
    { month: '2026-01', count: await listed(`filter[${id}][before]=2026-02-01`) },
    { month: '2026-02', count: await listed(`filter[${id}][on_or_after]=2026-02-01`) },
  ];
  expect(right.map(({ count }) => count)).toEqual([1, 3]);
  expect(await months()).toEqual(right);
  await countAnswers(home.service.context.db);
  expect(await months()).toEqual(right);
});

test('answers from before a field was changed count as far as they fit it, and stop nothing', async () => {
  const { context } = home.service;
  const field = { id: 'mixed', type: 'mystery', name: 'Mixed' };
  const form = await home.form({ properties: [field] });
  const sent = [
    ['a', null],
    [null],
    ['b', 'a'],
    'a',
    [{ tags: [null, 'a'] }],
    '2026-99-1',
    '2026-05-01',
    { rain: null, sun: 'a' },
    null,
  ];
  for (const mixed of sent) expect((await home.submit(form, { mixed })).status).toBe(200);
  const options = { options: ['a', 'b'], allow_creation: true };
  const named = (value: string, count: number) => ({ value, count });
  const cases: [more: object, figures: object][] = [
    [
      { type: 'multi_select', ...options },
      { values: expect.arrayContaining([named('a', 3), named('b', 1)]) },
    ],
    [
      { type: 'ranking', ...options },
      { ranking: expect.arrayContaining([{ ...named('a', 2), mean: 1.5, first: 1 }]) },
    ],
    [
      { type: 'matrix', rows: ['sun', 'rain'], columns: ['a', 'b'] },
      { cells: [{ row: 'sun', column: 'a', count: 1 }] },
    ],
    [{ type: 'date' }, { months: [{ month: '2026-05', count: 1 }] }],
    [
      { type: 'repeat', questions: [{ id: 'tags', type: 'multi_select', name: 'Tags', ...options }] },
      { questions: [expect.objectContaining({ values: [named('a', 1)] })] },
    ],
  ];
  for (const [more, figures] of cases) {
    const properties = [{ ...field, ...more }];
    expect((await home.call('PUT', `/open/forms/${form.id}`, { properties })).status).toBe(200);
    for (let round = 0; round < 2; round++) {
      const { fields, uncounted } = await fieldStatistics(form, '?status=all');
      expect([fields[0], uncounted]).toEqual([expect.objectContaining({ answered: 8, ...figures }), 0]);
      await countAnswers(context.db);
    }
  }
  const [{ id }] = (await home.records(form)).filter(({ data }) => Array.isArray(data.mixed)).reverse();
  expect((await home.call('DELETE', `/open/forms/${form.id}/submissions/${id}`)).status).toBe(200);
  expect((await fieldStatistics(form, '?status=all')).fields[0].answered).toBe(7);
});

test('refuses what is no range, and states that submissions do not have', async () => {
  const form = await home.form();
  const path = `/open/forms/${form.id}/statistics/fields`;
  expectInvalid(await home.call('GET', `${path}?from=soon`), 'from');
  expectInvalid(await home.call('GET', `${path}?status=complete`), 'status');
  expect((await home.call('GET', `${path}?status=`)).body.status).toBe('completed');
});
