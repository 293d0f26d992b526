import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { storeSubmissions } from '../exports/stored-submissions.ts';
import { TEXTS } from '../http/hostile-corpus.ts';
import { aTextField } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { anODataReader, asking, expectODataError, type ODataReader } from './odata-reader.ts';

/** `$filter` means what OData says, also where answers are missing. */
const home = useHome();
const PEOPLE = {
  id: 'people',
  type: 'repeat',
  name: 'People',
  questions: [{ id: 'who', type: 'text', name: 'Who' }],
};
const FIELDS = [
  { id: 'who', type: 'text', name: 'Name' },
  { id: 'amount', type: 'number', name: 'Amount' },
  { id: 'agreed', type: 'checkbox', name: 'Agreed' },
  { id: 'day', type: 'date', name: 'Day' },
  { id: 'pick', type: 'select', name: 'Pick', options: ['A', "B's"] },
  { id: 'notes', type: 'rich_text', name: 'Notes' },
  PEOPLE,
];
const ANSWERS = [
  { who: "O'Hara", amount: 2.5, agreed: true, day: '2026-05-01', pick: 'A' },
  { who: 'and or not', amount: -3, agreed: false, day: '2026-06-01', pick: "B's" },
  { amount: 7, people: [{ who: 'Ann' }, { who: 'Ben' }] },
  { who: '(5)' },
];

let form: any;
let reader: ODataReader;
let ids: number[];
beforeAll(async () => {
  form = await home.form({ properties: FIELDS, enable_partial_submissions: true });
  await storeSubmissions(home.service, form.id, ANSWERS);
  reader = await anODataReader(home, form);
  const { pool } = home.service.context;
  ids = (await reader.values('Submissions?$select=id')).map(({ id }) => id);
  const times = [
    '2026-01-01T00:00:00.000999Z',
    '2026-01-01T00:00:00.001Z',
    '2026-03-01T12:00:00Z',
    '2026-03-02T00:00:00Z',
  ];
  for (const [index, time] of times.entries())
    await pool.query(
      'update submissions set created_at = $1, updated_at = $1 where form_id = $2 and id = $3',
      [time, form.id, ids[index]],
    );
  await pool.query(`update submissions set status = 'partial', updated_at = '2026-04-01' where id = $1`, [
    ids[3],
  ]);
  const reviewed = await home.call('POST', `/open/forms/${form.id}/submissions/${ids[1]}/review`, {
    state: 'approved',
  });
  expect(reviewed.status, reviewed.text).toBe(200);
});

/** Which of the four submissions a filter finds, counted from 1. */
async function found(filter: string): Promise<number[]> {
  const values = await reader.values(asking('Submissions', { $filter: filter, $select: 'id' }));
  const counted = await reader.get(asking('Submissions/$count', { $filter: filter }));
  expect([filter, Number(counted.text)]).toEqual([filter, values.length]);
  return values.map(({ id }) => ids.indexOf(id) + 1);
}

describe('a filter', () => {
  test.each<[string, number[]]>([
    ["name eq 'O''Hara'", [1]],
    ["'O''Hara' eq name", [1]],
    ["name eq 'and or not'", [2]],
    ["name eq '(5)'", [4]],
    ["name ne 'O''Hara'", [2, 3, 4]],
    ['name eq null', [3]],
    ['name ne null', [1, 2, 4]],
    ['amount gt null', []],
    ["pick eq 'B''s'", [2]],
    ['amount gt 2', [1, 3]],
    ['2 lt amount', [1, 3]],
    ['amount ge 2.5', [1, 3]],
    ['amount le 2.5', [1, 2]],
    ['amount lt -2.9e0', [2]],
    ['amount eq 2.50', [1]],
    ['amount ne 7', [1, 2, 4]],
    ['not (amount gt 2)', [2, 4]],
    ['amount eq null', [4]],
    ['agreed eq true', [1]],
    ['agreed eq false', [2]],
    ['agreed ne true', [2, 3, 4]],
    ['day eq 2026-05-01', [1]],
    ['day gt 2026-05-01', [2]],
    ['day le 2026-05-01', [1]],
    ['not (day lt 2026-06-01)', [2, 3, 4]],
    ["status eq 'partial'", [4]],
    ["status ne 'partial'", [1, 2, 3]],
    ["review_state eq 'approved'", [2]],
    ["review_state eq 'received'", [1, 3, 4]],
    ["not (review_state eq 'received')", [2]],
    ['status eq null', []],
    ['status ne null', [1, 2, 3, 4]],
    // What is shown as .000 is stored as .000999.
    ['created_at eq 2026-01-01T00:00:00Z', [1]],
    ['created_at ne 2026-01-01T00:00:00Z', [2, 3, 4]],
    ['created_at le 2026-01-01T00:00:00.000Z', [1]],
    ['created_at gt 2026-01-01T00:00:00Z', [2, 3, 4]],
    ['created_at lt 2026-01-01T00:00:00.001Z', [1]],
    ['created_at ge 2026-03-01T14:00:00+02:00', [3, 4]],
    ['created_at ge 2026-03-02', [4]],
    ['updated_at ge 2026-04-01T00:00:00Z', [4]],
    ['amount gt 0 and amount lt 5 or agreed eq false', [1, 2]],
    ['amount gt 0 and (amount lt 5 or agreed eq false)', [1]],
    ['not (not (agreed eq true))', [1]],
    ["not (name eq null) and not (agreed eq true or status eq 'partial')", [2]],
    ['  ( ( amount   eq 7 ) )  ', [3]],
  ])('%s', async (filter, expected) => {
    expect(await found(filter)).toEqual(expected);
  });

  test('finds by number', async () => {
    expect(await found(`id gt ${ids[1]}`)).toEqual([3, 4]);
    expect(await found(`id le ${ids[1]} and id ne ${ids[0]}`)).toEqual([2]);
  });

  test('finds entries by their submission', async () => {
    const entries = async (filter: string) =>
      (await reader.values(asking('Submissions_people', { $filter: filter }))).map(({ who }) => who);
    expect(await entries(`submission_id eq ${ids[2]} and position eq 2`)).toEqual(['Ben']);
    expect(await entries('submission__created_at ge 2026-03-01')).toEqual(['Ann', 'Ben']);
    expect(await entries('submission__updated_at gt 2026-03-02')).toEqual([]);
    expectODataError(await reader.get(asking('Submissions_people', { $filter: "who eq 'Ann'" })), 501);
  });

  test('goes on in the next pages', async () => {
    const path = asking('Submissions', { $filter: "status eq 'completed' and amount ge -3", $select: 'id' });
    const { values, pages } = await reader.all(path, { prefer: 'odata.maxpagesize=1' });
    expect([values.map(({ id }) => ids.indexOf(id) + 1), pages]).toEqual([[1, 2, 3], 3]);
  });

  test('on times finds the earliest first, in all pages', async () => {
    const { pool } = home.service.context;
    const swap = 'update submissions set created_at = $1 where form_id = $2 and id = $3';
    await pool.query(swap, ['2026-03-03T00:00:00Z', form.id, ids[2]]);
    const path = asking('Submissions', { $filter: 'created_at ge 2026-01-01T00:00:00.001Z', $select: 'id' });
    const { values, pages } = await reader.all(path, { prefer: 'odata.maxpagesize=1' });
    expect([values.map(({ id }) => ids.indexOf(id) + 1), pages]).toEqual([[2, 4, 3], 3]);
    await pool.query(swap, ['2026-03-01T12:00:00Z', form.id, ids[2]]);
  });
});

describe('what is wrong is said', () => {
  const refused = async (filter: string, status: number) =>
    expectODataError(await reader.get(asking('Submissions', { $filter: filter })), status);

  test.each([
    'name',
    'name eq',
    'eq 1',
    'name eq 1',
    "amount eq '1'",
    'amount eq 1e',
    'amount eq 1e400000',
    'amount eq INF',
    'agreed eq 1',
    'agreed eq TRUE',
    'day eq 2026-02-30',
    "day eq '2026-05-01'",
    'day eq 2026-05-01T10:00:00Z',
    'created_at gt yesterday',
    "created_at gt '2026-01-01'",
    'id eq 1.5',
    'id eq 9007199254740993',
    'id eq 1 id eq 2',
    'id eq 1 and',
    'and id eq 1',
    'not id eq 1',
    '(id eq 1',
    'id eq 1)',
    '()',
    "name eq 'a",
    "name eq 'a''",
    'nothing eq 1',
    '1 eq 1',
    'id eq id',
    'id == 1',
    'Name eq null',
    "name eq 'a\0b'",
    `name eq '${'x'.repeat(1_001)}'`,
    'constructor eq 1',
    'id constructor 1',
    '__proto__ eq null',
  ])('%j is 400', async (filter) => {
    await refused(filter, 400);
  });

  test.each([
    "contains(name,'a')",
    "startswith(name,'a') eq true",
    'year(created_at) eq 2026',
    'created_at gt now()',
    "name gt 'a'",
    'agreed gt false',
    "status lt 'b'",
    'id in (1,2)',
    'amount add 1 eq 2',
    'id has 1',
    "notes eq 'a'",
  ])('%j is 501', async (filter) => {
    await refused(filter, 501);
  });

  test('and so is what is too much', async () => {
    const many = (count: number) => Array.from({ length: count }, () => 'id ge 0').join(' and ');
    const deep = (depth: number) => `${'('.repeat(depth)}id ge 0${')'.repeat(depth)}`;
    expect(await found(many(20))).toHaveLength(4);
    expect(await found(deep(20))).toHaveLength(4);
    await refused(many(21), 400);
    await refused(deep(21), 400);
    await refused('('.repeat(4_000), 400);
  });
});

test('a filter is never part of a statement', async () => {
  const evil = [`'; drop table submissions; --`, `\\`, `$1`, `"`, `%_`, `{}`, ...TEXTS];
  for (const text of evil.filter((one) => one.isWellFormed() && one.length < 900)) {
    const quoted = `'${text.replaceAll("'", "''")}'`;
    for (const filter of [
      `name eq ${quoted}`,
      `name ne ${quoted} and id eq 0`,
      text,
      `${text} eq 1`,
      `id eq ${text}`,
    ]) {
      const { status } = await reader.get(asking('Submissions', { $filter: filter }));
      expect([filter, [200, 400, 501].includes(status)]).toEqual([filter, true]);
    }
    for (const option of [
      '$select',
      '$orderby',
      '$skiptoken',
      '$top',
      '$skip',
      '$count',
      '$format',
      text || 'x',
    ]) {
      const { status } = await reader.get(asking('Submissions', { [encodeURIComponent(option)]: text }));
      expect([option, text, [200, 400, 406, 501].includes(status)]).toEqual([option, text, true]);
    }
  }
  expect(await reader.values('Submissions')).toHaveLength(4);
});

test('nonsense is answered like anything else', async () => {
  const words = [
    'name',
    'id',
    'amount',
    'eq',
    'gt',
    'and',
    'or',
    'not',
    '(',
    ')',
    "'a'",
    '1',
    'null',
    'true',
    ',',
  ];
  const filters = fc.array(fc.constantFrom(...words), { maxLength: 12 }).map((parts) => parts.join(' '));
  await fc.assert(
    fc.asyncProperty(filters, async (filter) => {
      const { status } = await reader.get(asking('Submissions', { $filter: filter }));
      expect([200, 400, 501]).toContain(status);
    }),
    { numRuns: 150 },
  );
});

test('a question keeps its name when others are added behind it, and the second of two gets another', async () => {
  const other = await home.form({
    properties: [aTextField({ name: 'Id' }), { id: 'b', type: 'text', name: 'ID' }],
  });
  await home.submit(other, { b: 'second' });
  const table = await anODataReader(home, other);
  const [row] = await table.values('Submissions');
  expect(row).toMatchObject({ id: expect.any(Number), id_2: null, id_3: 'second' });
  const [match] = await table.values(asking('Submissions', { $filter: "id_3 eq 'second'" }));
  expect(match).toEqual(row);
});
