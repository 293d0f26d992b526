import { beforeAll, expect, test } from 'vitest';
import { withoutGuard } from '../../fields/as-text/formula-guard.ts';
import { plainNumber } from '../../fields/as-text/numbers.ts';
import { fieldTypeOf } from '../../fields/field-types.ts';
import type { JsonValue, Property } from '../../fields/property.ts';
import { aField } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { startService, type TestService } from '../setup/service.ts';
import { download } from './download.ts';
import { finishedJob } from './finished-job.ts';
import { readParquet } from './parquet-reader.ts';
import { parseRfc4180 } from './rfc4180.ts';
import { readSav } from './sav-reader.ts';
import { readSqlite } from './sqlite-reader.ts';
import { readWorkbook } from './xlsx-reader.ts';

/**
 * Every format, at once and by a job, has the submissions that the list has, and the same answers, also those from before a question was
 * changed: types take turns, so that each question has answers of several.
 */
const home = useHome();
const PER_TURN = 6;

const list = (...options: string[]) => ({ options, allow_creation: true });
const TYPES: [type: string, more: object, answers: JsonValue[]][] = [
  ['text', {}, ['=1', '-5', '007', 'a, b', 'a\nb', "'=x"]],
  ['number', {}, [0, -1, 12.5, 1e-7, 2 ** 53 - 1, 7]],
  ['checkbox', {}, [true, false]],
  ['multi_select', list('Red', '=1', 'a, b'), [['Red'], ['a, b', '=1', 'mine'], ['7']]],
  [
    'ranking',
    { options: ['Red', 'a, b'] },
    [
      ['Red', 'a, b'],
      ['a, b', 'Red'],
    ],
  ],
  ['matrix', { rows: ['r"1', 'b'], columns: ['=x', 'ä'] }, [{ b: 'ä', 'r"1': '=x' }, { b: '=x' }]],
  ['date', {}, ['2026-05-01', '2026-05-01T10:00', '1582-10-14', '2026-05-01T10:00:00+02:00']],
  ['location', {}, ['-33.86, 151.21', '48.8582, 2.2945 ±12 m']],
  ['repeat', { questions: [{ id: 'who', type: 'text', name: 'Who' }] }, [[{ who: '=1' }, { who: 'Ben' }]]],
  ['mystery', {}, [5, '-x', { a: 'b' }, [null, 'a'], false]],
];
const IDS = TYPES.map((_, index) => `question-${index}`);
const COLUMNS = ['id', 'status', ...IDS];

let jobs: TestService;
let form: any;
/** As the list has them, the newest first by their number. */
let records: any[];
let properties: Property[];

beforeAll(async () => {
  const { database, dataDir } = home.service;
  jobs = await startService({ env: { EXPORT_SYNC_LIMIT: '0' }, database, dataDir });
  for (let turn = 0; turn < TYPES.length; turn += 3) await takeTurn(turn);
  const ids = (await home.records(form)).map(({ id }) => id);
  const trash = `/open/forms/${form.id}/submissions/trash`;
  await home.call('POST', trash, { submissionIds: [ids[3], ids[9]] });
  await home.call('POST', `${trash}/restore`, { submissionIds: [ids[9]] });
  records = await home.records(form);
  expect(records).toHaveLength(ids.length - 1);
  return () => jobs.stop();
});

async function takeTurn(turn: number): Promise<void> {
  const typeOf = (index: number) => TYPES[(index + turn) % TYPES.length] as (typeof TYPES)[number];
  properties = IDS.map((id, index) => {
    const [type, more] = typeOf(index);
    return { ...aField('f1', type, `Q${index}`, more as Record<string, unknown>), id };
  });
  if (turn === 0) form = await home.form({ properties, enable_partial_submissions: true });
  else expect((await home.call('PUT', `/open/forms/${form.id}`, { properties })).status).toBe(200);
  for (let n = 0; n < PER_TURN; n++) {
    const given = IDS.flatMap((id, index) => {
      const answers = typeOf(index)[2];
      return (n + index) % 4 === 3 ? [] : [[id, answers[(n + turn) % answers.length]]];
    });
    const sent = await home.submit(form, { ...Object.fromEntries(given), is_partial: n === 2 });
    expect(sent.status, sent.text).toBe(200);
  }
}

async function exported(by: TestService, format: string, more: object = {}): Promise<Buffer> {
  const { token } = home.ada;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const columns = Object.fromEntries(COLUMNS.map((name) => [name, true]));
  const path = `${by.url}/open/forms/${form.id}/submissions/export`;
  const body = JSON.stringify({ columns, format, ...more });
  const response = await fetch(`${path}?status=completed`, { method: 'POST', headers, body });
  expect(response.status).toBe(200);
  if (by !== jobs) return Buffer.from(await response.arrayBuffer());
  const { file_url } = await finishedJob(home, form, response);
  return Buffer.from(await (await fetch(by.url + new URL(file_url).pathname)).arrayBuffer());
}

const completed = () => records.filter(({ status }) => status === 'completed');
/** The text of each cell, by the list and the types of the questions. */
const texts = () =>
  completed().map(({ id, status, data }) => [
    String(id),
    status,
    ...properties.map((property) =>
      data[property.id] === undefined ? '' : fieldTypeOf(property.type).toText(data[property.id], property),
    ),
  ]);

test.each(['at once', 'by a job'])('all formats have the same answers, %s', async (how) => {
  const by = how === 'by a job' ? jobs : home.service;
  const csv = parseRfc4180(String(await exported(by, 'csv'))).slice(1);
  const unguarded = csv.map((cells) => cells.map((cell) => withoutGuard(cell)));
  expect(unguarded.map((cells) => cells.map(compact))).toEqual(texts().map((cells) => cells.map(compact)));

  const lines = String(await exported(by, 'jsonl'))
    .trimEnd()
    .split('\n');
  expect(lines.map((line) => Object.values(JSON.parse(line)))).toEqual(
    completed().map(({ id, status, data }) => [id, status, ...IDS.map((name) => data[name] ?? null)]),
  );

  const rows = readWorkbook(await exported(by, 'xlsx')).slice(1);
  const inCells = rows.map((row) => row.map((cell) => (cell === null ? '' : written(cell))));
  expect(inCells).toEqual(unguarded);

  const { features } = JSON.parse(String(await exported(by, 'geojson')));
  const inProperties = features.map((feature: any) =>
    Object.values(feature.properties).map((value) =>
      typeof value === 'number' ? plainNumber(value) : String(value ?? ''),
    ),
  );
  expect(inProperties).toEqual(unguarded);

  const database = readSqlite(await exported(by, 'sqlite'));
  expect(database.all('select id from submissions order by id desc')).toEqual(
    completed().map(({ id }) => ({ id })),
  );

  const { rows: found } = await readParquet(await exported(by, 'parquet'));
  expect(found.map(({ id, status }) => [id, status])).toEqual(
    completed()
      .map(({ id, status }) => [id, status])
      .toReversed(),
  );
});

/** Without the blanks that PostgreSQL puts into JSON. */
function compact(text: string): string {
  return /^[[{]/.test(text) ? text.replaceAll(', ', ',').replaceAll('": ', '":') : text;
}

const DAY_MS = 86_400_000;
function written({ type, style, value }: { type: string; style: number; value: string }): string {
  if (type === 'b') return value === '1' ? 'true' : 'false';
  if (type !== 'n' || style === 0) return value;
  const moment = new Date(Math.round(Number(value) * DAY_MS) + Date.UTC(1899, 11, 30)).toISOString();
  return style === 2 ? moment.slice(0, 10) : moment.slice(0, 16);
}

test('a live table has the lines of the export', async () => {
  const { body } = await home.call('POST', `/open/forms/${form.id}/live-tables`, { name: 'Sheet' });
  const live = parseRfc4180(await (await fetch(home.service.url + new URL(body.url).pathname)).text());
  const all = {
    id: true,
    created_at: true,
    status: true,
    ...Object.fromEntries(IDS.map((id) => [id, true])),
  };
  const csv = await home.call('POST', `/open/forms/${form.id}/submissions/export`, { columns: all });
  expect(live.slice(1)).toEqual(parseRfc4180(csv.text).slice(1));

  const service = await fetch(`${home.service.url}${new URL(body.odata_url).pathname}Submissions`);
  const { value }: any = await service.json();
  const byId = value.map(({ id, created_at, status }: any) => [String(id), created_at, status]);
  expect(byId.toReversed()).toEqual(live.slice(1).map((cells) => cells.slice(0, 3)));
  // Whatever the types of the questions, no answer is lost: each is in a property or among those that fit none.
  const answered = value.map((entity: any) =>
    Object.values(entity)
      .slice(5)
      .some((answer) => answer !== null),
  );
  const inFile = live.slice(1).map((cells) => cells.slice(3).some((cell) => cell !== ''));
  expect(answered.toReversed()).toEqual(inFile);
});

test('texts with digits, from before their question asked for numbers, keep their form', async () => {
  const asking = (type: string) => [
    { id: 'member', type, name: 'Member' },
    { id: 'home', type: 'location', name: 'Home' },
  ];
  const form = await home.form({ properties: asking('text') });
  for (const member of ['15', '-0', '1.50', '007'])
    expect((await home.submit(form, { member })).status).toBe(200);
  const changed = await home.call('PUT', `/open/forms/${form.id}`, { properties: asking('number') });
  expect(changed.status, changed.text).toBe(200);
  const fileOf = async (format: string) =>
    Buffer.from(await (await download(home, form, format, ['member', 'home'])).arrayBuffer());

  const [, ...rows] = readWorkbook(await fileOf('xlsx'));
  expect(rows.map(([cell]) => [cell?.type, cell?.value])).toEqual([
    ...['007', '1.50', '-0'].map((text) => ['inlineStr', text]),
    ['n', '15'],
  ]);
  const { features } = JSON.parse(`${await fileOf('geojson')}`);
  expect(features.map(({ properties }: any) => properties.Member)).toEqual(['007', '1.50', '-0', 15]);
  const members = (lines: any[], [number = '', text = '']) => lines.map((line) => line[number] ?? line[text]);
  expect(members(readSav(await fileOf('sav')).cases, ['Member', 'Member_text'])).toEqual([
    '007',
    '1.50',
    '-0',
    15,
  ]);
  const parquet = await readParquet(await fileOf('parquet'));
  expect(members(parquet.rows, ['member', 'member__text'])).toEqual([15, '-0', '1.50', '007']);
});
