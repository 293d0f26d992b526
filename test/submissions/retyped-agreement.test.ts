import { beforeAll, expect, test } from 'vitest';
import { parseDate } from '../../fields/as-text/dates.ts';
import { textOf } from '../../fields/as-text/text-of.ts';
import type { JsonValue } from '../../fields/property.ts';
import { aField } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';

/** Compares filters with plain JavaScript where answers have the shape of every type that a question had before. */
const home = useHome({ env: { ROLES: 'http' } });

const SUBMISSIONS_PER_TURN = 8;
const DAY_MS = 86_400_000;
const WORDS = ['Red', 'blue', 'a, b', '=1', '12 Street', '2026-01-32', '7', 'true', '["Red"]', '{"Red": 1}'];
const DATES = ['2026-01-30', '2026-02-01T00:30+01:00', '0001-01-01', '9999-12-31'];
const list = (options: string[]) => ({ options });

/** The types that questions take in turns, with what is answered. */
const TYPES: [type: string, more: object, answers: JsonValue[]][] = [
  ['text', {}, WORDS],
  ['number', {}, [0, 7, -2.5, 2026]],
  ['date', {}, DATES],
  ['checkbox', {}, [true, false]],
  ['select', list(['Red', 'blue', 'a, b']), ['Red', 'a, b']],
  ['multi_select', { ...list(['Red', 'blue']), allow_creation: true }, [['Red'], ['blue', '7', 'a, b']]],
  ['matrix', { rows: ['Red', 'blue'], columns: ['7', 'Good: bad'] }, [{ Red: '7' }, { blue: 'Good: bad' }]],
  [
    'ranking',
    list(['Red', 'blue']),
    [
      ['Red', 'blue'],
      ['blue', 'Red'],
    ],
  ],
  ['repeat', { questions: [{ id: 'who', type: 'text', name: 'Who' }] }, [[{ who: 'Red' }, { who: '7' }]]],
];
const QUESTIONS = TYPES.map((_, index) => aField(`c${index}`, 'text', `Question ${index}`));

type Answer = JsonValue | undefined;
const items = (answer: Answer) => [answer ?? []].flat().map(textOf);
const isMap = (answer: Answer) => typeof answer === 'object' && answer !== null && !Array.isArray(answer);
const lines = (answer: Answer) =>
  (isMap(answer) ? Object.entries(answer as object) : []).map((line) => line.join(': '));
const dayOf = (answer: Answer) => parseDate(items(answer)[0] ?? '')?.day ?? Number.NaN;
const includes = (text: string, part: string) => text.toLowerCase().includes(part.toLowerCase());
/** As the database writes it. */
const stored = (answer: JsonValue) =>
  typeof answer === 'object'
    ? JSON.stringify(answer, null, 1)
        .replace(/\n\s*/g, ' ')
        .replace(/([[{]) | ([\]}])/g, '$1$2')
    : String(answer);
const order = (answer: Answer) => (Array.isArray(answer) ? answer : []);

type Holds = (answer: Answer, value: string) => boolean;
const DAY = '2026-01-31';
const TEXTS: Record<string, Holds> = {
  equals: (answer, value) => items(answer).includes(value) || answer === value,
  contains: (answer, value) => answer !== undefined && includes(stored(answer), value),
};
const dated =
  (compare: (day: number, wanted: number) => boolean): Holds =>
  (answer, value) =>
    compare(dayOf(answer), Date.parse(value) / DAY_MS);
const HOLDS: Record<string, Record<string, Holds>> = {
  text: TEXTS,
  select: TEXTS,
  number: {
    equals: (answer, value) => answer === Number(value),
    greater_than: (answer, value) => typeof answer === 'number' && answer > Number(value),
    less_than: (answer, value) => typeof answer === 'number' && answer < Number(value),
  },
  date: {
    equals: dated((day, wanted) => day === wanted),
    before: dated((day, wanted) => day < wanted),
    on_or_after: dated((day, wanted) => day >= wanted),
  },
  checkbox: { equals: (answer, value) => answer === (value === 'true') },
  multi_select: {
    equals: (answer, value) => items(answer).includes(value),
    contains: (answer, value) => items(answer).some((item) => includes(item, value)),
  },
  matrix: {
    equals: (answer, value) => lines(answer).includes(value),
    contains: (answer, value) => lines(answer).some((line) => includes(line, value)),
  },
  ranking: {
    starts_with: (answer, value) => order(answer)[0] === value,
    ends_with: (answer, value) => order(answer).at(-1) === value,
  },
  repeat: {
    equals: (answer, value) => order(answer).length === Number(value),
    greater_than: (answer, value) => order(answer).length > Number(value),
  },
};
const VALUES: Record<string, string[]> = {
  number: ['0', '7', '-2.5'],
  date: [DAY, '2026-01-30'],
  checkbox: ['true', 'false'],
  matrix: ['Red: 7', 'blue: Good: bad', 'RED'],
  repeat: ['0', '1', '2'],
};
const USUAL_VALUES = ['Red', '7', 'a, b', 'true'];

let form: any;
let records: { id: number; data: Record<string, JsonValue> }[];

/** The question at `index` has the type of the place that many turns later. */
const typeOf = (index: number, turns: number) =>
  TYPES[(index + turns) % TYPES.length] as (typeof TYPES)[number];

async function turn(turns: number): Promise<void> {
  const properties = QUESTIONS.map((question, index) => {
    const [type, more] = typeOf(index, turns);
    return { ...question, type, ...more };
  });
  if (turns === 0) form = await home.form({ properties });
  else expect((await home.call('PUT', `/open/forms/${form.id}`, { properties })).status).toBe(200);
  for (let n = 0; n < SUBMISSIONS_PER_TURN; n++) {
    const given = QUESTIONS.map(({ id }, index) => [id, typeOf(index, turns)[2][(n + turns) % 11]] as const);
    const answers = Object.fromEntries(given.filter(([, answer]) => answer !== undefined));
    const answer = await home.submit(form, answers);
    expect(answer.status, answer.text).toBe(200);
  }
}

beforeAll(async () => {
  for (let turns = 0; turns < TYPES.length; turns++) await turn(turns);
  records = (await home.records(form)).reverse();
  expect(records).toHaveLength(TYPES.length * SUBMISSIONS_PER_TURN);
});

async function found(id: string, operator: string, value: string): Promise<number[]> {
  const query = new URLSearchParams({ [`filter[${id}][${operator}]`]: value, order: 'asc', per_page: '100' });
  const { status, body, text } = await home.call('GET', `/open/forms/${form.id}/submissions?${query}`);
  expect(status, text).toBe(200);
  return body.data.map((record: { id: number }) => record.id);
}

test.each(QUESTIONS.map(({ id }, index) => [typeOf(index, TYPES.length - 1)[0], id] as const))(
  'a question that asks for %s now is filtered by what its answers are',
  async (type, id) => {
    for (const [operator, holds] of Object.entries(HOLDS[type] ?? {}))
      for (const value of VALUES[type] ?? USUAL_VALUES) {
        const wanted = records.filter(({ data }) => holds(data[id], value)).map((record) => record.id);
        expect(await found(id, operator, value), `${operator} ${value}`).toEqual(wanted);
      }
    const answered = records.filter(({ data }) => data[id] !== undefined).map((record) => record.id);
    expect(await found(id, 'is_not_empty', '')).toEqual(answered);
    expect((await found(id, 'is_empty', '')).length).toBe(records.length - answered.length);
  },
);
