import { beforeAll, describe, expect, test } from 'vitest';
import { parseDate } from '../../fields/as-text/dates.ts';
import type { JsonValue } from '../../fields/property.ts';
import { aField } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { runAllJobs } from '../setup/run-jobs.ts';

/** Compares list, filters, order, search and statistics with plain JavaScript that reads every answer. */
const home = useHome({ env: { ROLES: 'http' } });

const SEED = 20261122;
const SUBMISSIONS = 120;
const DAY_MS = 86_400_000;
const TEXT = aField('d1', 'text', 'Text');
const NUMBER = aField('d2', 'number', 'Number');
const DATE = aField('d3', 'date', 'Date');
const BOX = aField('d4', 'checkbox', 'Box');
const MANY = aField('d5', 'multi_select', 'Many');
const GRID = aField('d6', 'matrix', 'Grid', { rows: ['r"1', 'a: b'], columns: ['=x', 'ä', 'b'] });
const PEOPLE = aField('d7', 'repeat', 'People', {
  questions: [
    { id: 'name', type: 'text', name: 'Name' },
    { id: 'tags', type: 'multi_select', name: 'Tags', allow_creation: true },
    { id: 'age', type: 'number', name: 'Age' },
  ],
});
const FIELDS = [TEXT, NUMBER, DATE, BOX, MANY, GRID, PEOPLE];

const WORDS = [
  'a',
  'Ä',
  'ß',
  'e\u0301',
  '%',
  '_',
  '\\',
  "'",
  '"',
  '=1',
  'a\nb',
  ' x ',
  '\u202eב',
  '👩‍👧',
  'null',
  '1e5',
  'x'.repeat(199),
  'x'.repeat(200),
  'x'.repeat(201),
  '\u0001',
  '__proto__',
  '\u00a0',
  '["a"]',
  '27" wide',
  'line one\nline two',
];
const NUMBERS = [
  0,
  1,
  -1,
  0.1,
  0.1 + 0.2,
  1e-7,
  5e-324,
  -5e-324,
  2 ** 53 - 1,
  1 - 2 ** 53,
  1040455210617086.2,
  2.5,
];
const DATES = [
  '2024-02-29',
  '2026-05-01T10:00',
  '2026-05-01 10:00',
  '2026-05-01T23:30:00-05:00',
  '0001-01-01',
  '2026-05-02T00:30:00+14:00',
  '9999-12-31',
  '2025-12-31T23:59:59.999999999Z',
  '2024-02-29T00:00+13:45',
];

/** The same choices in every run (mulberry32). */
function chances(seed: number): <Item>(of: readonly Item[]) => Item {
  let state = seed;
  return (of) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return of[((mixed ^ (mixed >>> 14)) >>> 0) % of.length] as never;
  };
}

type Answers = Record<string, JsonValue>;
let form: any;
/** The submissions as they were sent, by id. */
let records: { id: number; data: Answers }[];

beforeAll(async () => {
  const one = chances(SEED);
  form = await home.form({ properties: FIELDS });
  for (let n = 0; n < SUBMISSIONS; n++) {
    const all: Answers = {
      [TEXT.id]: one(WORDS),
      [NUMBER.id]: one(NUMBERS),
      [DATE.id]: one(DATES),
      [BOX.id]: one([true, false]),
      [MANY.id]: [...new Set([one(WORDS), one(WORDS)])],
      [GRID.id]: { [one(['r"1', 'a: b'])]: one(['=x', 'ä', 'b']) },
      [PEOPLE.id]: [
        { name: one(WORDS), age: one([7, 12.5]) },
        { tags: [...new Set([one(WORDS), one(WORDS)])] },
        { name: one(WORDS) },
      ].slice(one([0, 1, 2])),
    };
    const given = Object.fromEntries(Object.entries(all).filter(() => one([true, true, true, false])));
    const answer = await home.submit(form, given);
    expect(answer.status, answer.text).toBe(200);
  }
  records = await pages({ order: 'asc' });
  expect(records).toHaveLength(SUBMISSIONS);
});

/** All pages of a list, as one list. */
async function pages(query: Record<string, string>): Promise<{ id: number; data: Answers }[]> {
  const found = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const params = new URLSearchParams({ per_page: '17', ...query, ...(cursor && { cursor }) });
    const answer = await home.call('GET', `/open/forms/${form.id}/submissions?${params}`);
    expect(answer.status, answer.text).toBe(200);
    found.push(...answer.body.data);
    cursor = answer.body.meta.next_cursor;
  }
  return found;
}

const ids = (rows: { id: number }[]) => rows.map(({ id }) => id);
const dayOf = (answer: JsonValue) => {
  const parsed = parseDate(String(answer));
  return parsed && new Date(parsed.day * DAY_MS).toISOString().slice(0, 10);
};

/** Filters by every value there is; each time exactly the submissions for which `holds` is true must be found. */
async function expectFound(
  field: { id: string },
  operator: string,
  valuesOf: (answer: JsonValue) => string[],
  holds: (answer: JsonValue, value: string) => boolean,
) {
  const given = (row: { data: Answers }) => (field.id in row.data ? [row.data[field.id] as JsonValue] : []);
  const values = new Set(records.flatMap(given).flatMap(valuesOf));
  expect(values.size).toBeGreaterThan(1);
  for (const value of values) {
    const wanted = records.filter((row) => given(row).some((answer) => holds(answer, value)));
    const found = await pages({ [`filter[${field.id}][${operator}]`]: value, order: 'asc' });
    expect(ids(found), `${operator} ${value}`).toEqual(ids(wanted));
  }
}

describe('filters find what JavaScript finds', () => {
  const itself = (answer: JsonValue) => [String(answer)];
  const days = (answer: JsonValue) => [dayOf(answer) ?? ''];
  const lines = (answer: JsonValue) => Object.entries(answer as object).map((line) => line.join(': '));
  test('texts', () => expectFound(TEXT, 'equals', itself, (answer, value) => answer === value));
  test('numbers', async () => {
    await expectFound(NUMBER, 'equals', itself, (answer, value) => answer === Number(value));
    await expectFound(NUMBER, 'greater_than', itself, (answer, value) => Number(answer) > Number(value));
  });
  test('days', async () => {
    await expectFound(DATE, 'equals', days, (answer, value) => dayOf(answer) === value);
    await expectFound(DATE, 'before', days, (answer, value) => String(dayOf(answer)) < value);
  });
  test('ticks', () => expectFound(BOX, 'equals', itself, (answer, value) => String(answer) === value));
  test('members of lists', () =>
    expectFound(
      MANY,
      'equals',
      (answer) => answer as string[],
      (answer, value) => (answer as string[]).includes(value),
    ));
  test('entries of repeated questions, by what is in them and how many there are', async () => {
    const told = (answer: JsonValue) =>
      (answer as object[])
        .flatMap((entry) => Object.values(entry))
        .flat()
        .map(String);
    const count = (answer: JsonValue) => (answer as object[]).length;
    const counts = (answer: JsonValue) => [String(count(answer))];
    await expectFound(PEOPLE, 'contains', told, (answer, value) =>
      told(answer).some((text) => text.toLowerCase().includes(value.toLowerCase())),
    );
    await expectFound(PEOPLE, 'equals', counts, (answer, value) => count(answer) === Number(value));
    await expectFound(PEOPLE, 'greater_than', counts, (answer, value) => count(answer) > Number(value));
    const wrong = await home.call(
      'GET',
      `/open/forms/${form.id}/submissions?filter[${PEOPLE.id}][less_than]=many`,
    );
    expect(wrong.body.errors).toEqual({
      [`filter[${PEOPLE.id}][less_than]`]: ['The value must be a number.'],
    });
  });
  test('lines of a matrix', () =>
    expectFound(GRID, 'equals', lines, (answer, value) => lines(answer).includes(value)));
});

test.each(FIELDS)('sorted by $type, every submission is there once, numbers in order', async ({ id }) => {
  for (const order of ['asc', 'desc']) {
    const sorted = await pages({ sort: id, order });
    expect(ids(sorted).toSorted((left, right) => left - right)).toEqual(ids(records));
    expect(ids(await pages({ sort: id, order, per_page: '100' }))).toEqual(ids(sorted));
    const answers = sorted.map(({ data }) => data[id]);
    // submissions without an answer come last
    expect(answers.slice(0, answers.indexOf(undefined))).toEqual(
      answers.filter((answer) => answer !== undefined),
    );
    if (id === NUMBER.id) {
      const numbers = answers.filter((answer) => typeof answer === 'number');
      const way = order === 'asc' ? 1 : -1;
      expect(numbers).toEqual(numbers.toSorted((left, right) => way * (left - right)));
    }
  }
});

/** The words of texts, of lists, and of both within entries. */
const wordsIn = (data: Answers) =>
  [
    data[TEXT.id],
    data[MANY.id],
    ((data[PEOPLE.id] ?? []) as Answers[]).map(({ name, tags }) => [name, tags]),
  ].flat(3);

test('a search finds every submission by any text in it', async () => {
  for (const word of WORDS.filter((text) => text.trim() !== '' && text.length <= 200)) {
    const found = ids(await pages({ search: word, order: 'asc' }));
    const wanted = records.filter(({ data }) => wordsIn(data).includes(word));
    expect(found, word).toEqual(expect.arrayContaining(ids(wanted)));
  }
});

test('words of rich texts are found as they are read, by search and filter', async () => {
  const story = aField('d8', 'rich_text', 'Story');
  const own = await home.form({ properties: [story, TEXT] });
  const stories = ['<p>Tom & Jerry <b>love</b> "R&D" &lt;3</p>', 'R&D: 5 < 6 > 4', 'nothing'];
  for (const html of stories) expect((await home.submit(own, { [story.id]: html })).status).toBe(200);
  await home.submit(own, { [TEXT.id]: 'AT&T' });
  const all = ids(await home.records(own)).reverse();
  const found = async (query: object) => {
    const params = new URLSearchParams({ order: 'asc', ...query });
    const { body } = await home.call('GET', `/open/forms/${own.id}/submissions?${params}`);
    return ids(body.data).map((id) => all.indexOf(id));
  };
  for (const [text, wanted] of [
    ['r&d', [0, 1]],
    ['Tom & Jerry', [0]],
    ['"R&D" <3', [0]],
    ['< 6 >', [1]],
  ] as const) {
    expect(await found({ search: text }), text).toEqual(wanted);
    expect(await found({ [`filter[${story.id}][contains]`]: text }), text).toEqual(wanted);
  }
  expect(await found({ search: 'AT&T' })).toEqual([3]);
  expect(await found({ [`filter[${story.id}]`]: 'R&D: 5 < 6 > 4' })).toEqual([1]);
  expect(await found({ [`filter[${story.id}][does_not_contain]`]: 'r&d' })).toEqual([2, 3]);
});

test('statistics count every answer, before and after they are added up', async () => {
  const answersTo = (id: string) =>
    records.flatMap(({ data }) => (id in data ? [data[id] as JsonValue] : []));
  for (let round = 0; round < 2; round++) {
    const { body } = await home.call('GET', `/open/forms/${form.id}/statistics/fields`);
    expect([body.submissions, body.uncounted]).toEqual([SUBMISSIONS, 0]);
    for (const field of body.fields)
      expect([field.type, field.answered]).toEqual([field.type, answersTo(field.id).length]);
    const [, number, , box, many] = body.fields;
    const sum = (counts: { count: number }[]) => counts.reduce((total, { count }) => total + count, 0);
    expect(sum(number.numbers.histogram)).toBe(answersTo(NUMBER.id).length);
    expect(sum(box.values)).toBe(answersTo(BOX.id).length);
    expect(sum(many.values) + many.other).toBe(answersTo(MANY.id).flat().length);
    await runAllJobs(home.service.context);
  }
});
