import { describe, expect, test } from 'vitest';
import { useHome } from '../setup/home.ts';
import { download } from './download.ts';
import { finishedJob } from './finished-job.ts';
import { parseRfc4180 } from './rfc4180.ts';
import { storeMany, storeSubmissions } from './stored-submissions.ts';
import { readWorkbook } from './xlsx-reader.ts';

/** A column for each option of several, each ranked option, and each row of a matrix, as people who evaluate a survey want them. */
const LIMIT = 50;
const home = useHome({ env: { EXPORT_SYNC_LIMIT: String(LIMIT) } });

const PETS = { id: 'pets', type: 'multi_select', name: 'Pets', options: ['Cat, small', '=Dog', "Ann's"] };
const CARE = { id: 'care', type: 'matrix', name: 'Care', rows: ['Food', 'Room'], columns: ['Bad', 'Good'] };
const ORDER = { id: 'order', type: 'ranking', name: 'Order', options: ['A', 'B'] };
const FIELDS = [{ ...PETS, allow_creation: true }, CARE, ORDER, { id: 'name', type: 'text', name: 'Name' }];
const IDS = FIELDS.map(({ id }) => id);
const HEADER = [
  ...['Pets [Cat, small]', 'Pets [=Dog]', "Pets [Ann's]", 'Pets [Other]'],
  ...['Care [Food]', 'Care [Room]', 'Care [Other]'],
  ...['Order [A]', 'Order [B]', 'Order [Other]', 'Name'],
];
const split = (form: { id: number }, format: string, columns: string[], more = {}) =>
  download(home, form, format, columns, { split_answers: true, ...more });

/** Rows with the oldest submission first, after the header. */
async function rowsOf(response: Response): Promise<string[][]> {
  expect(response.status).toBe(200);
  const [header = [], ...rows] = parseRfc4180(await response.text());
  return [header, ...rows.toReversed()];
}

test('say what was chosen, in which place, and in which row', async () => {
  const form = await home.form({ properties: FIELDS });
  const answers = [
    { pets: ["Ann's", 'Cat, small'], care: { Room: 'Good' }, order: ['B', 'A'], name: 'Ada' },
    { pets: ['=Dog', 'my newt, Ben', '=2'], care: { Food: 'Bad', Room: 'Bad' } },
    { name: 'nothing else' },
  ];
  for (const one of answers) expect((await home.submit(form, one)).status).toBe(200);
  expect(await rowsOf(await split(form, 'csv', IDS))).toEqual([
    HEADER,
    ['1', '0', '1', '', '', 'Good', '', '2', '1', '', 'Ada'],
    ['0', '1', '0', 'my newt, Ben; =2', 'Bad', 'Bad', '', '', '', '', ''],
    ['', '', '', '', '', '', '', '', '', '', 'nothing else'],
  ]);
});

test('lose nothing that was answered before a question was changed, and no cell is a formula', async () => {
  const form = await home.form({ properties: FIELDS });
  await storeSubmissions(home.service, form.id, [
    { pets: '=Dog', care: '=fine', order: ['A', '=Z'] },
    { pets: '=Newt', care: { Kitchen: 'Bad', Food: '=Soso' }, order: 'A' },
    { pets: { a: 1 }, care: ['x', 'y'], order: { A: 1 } },
    { pets: null, care: null, order: null },
    { pets: [], care: {}, order: [] },
    { pets: 7, care: 7, order: 7 },
  ]);
  const [, ...rows] = await rowsOf(await split(form, 'csv', ['pets', 'care', 'order']));
  expect(rows).toEqual([
    ['0', '1', '0', '', '', '', "'=fine", '1', '', 'A, =Z'],
    ['0', '0', '0', "'=Newt", "'=Soso", '', 'Kitchen: Bad', '', '', 'A'],
    ['', '', '', '{"a": 1}', '', '', 'x, y', '', '', '{"A": 1}'],
    Array(10).fill(''),
    ['0', '0', '0', ...Array(7).fill('')],
    ['', '', '', '7', '', '', '7', '', '', '7'],
  ]);
});

test('are numbers in a spreadsheet', async () => {
  const form = await home.form({ properties: FIELDS });
  await home.submit(form, { pets: ['=Dog'], care: { Food: 'Bad' }, order: ['B', 'A'] });
  const answer = await split(form, 'xlsx', IDS);
  const [header = [], row = []] = readWorkbook(Buffer.from(await answer.arrayBuffer()));
  expect(header.map((cell) => cell?.value)).toEqual(HEADER);
  expect(row.slice(0, 10).map((cell) => cell && [cell.type, cell.value])).toEqual([
    ['n', '0'],
    ['n', '1'],
    ['n', '0'],
    null,
    ['inlineStr', 'Bad'],
    null,
    null,
    ['n', '2'],
    ['n', '1'],
    null,
  ]);
});

test('are properties of a point', async () => {
  const form = await home.form({ properties: [PETS, { id: 'where', type: 'location', name: 'Where' }] });
  await home.submit(form, { pets: ['=Dog'], where: '1, 2' });
  const { features } = (await (await split(form, 'geojson', ['where', 'pets'])).json()) as any;
  expect(features[0].properties).toEqual({
    Where: '1, 2',
    'Pets [Cat, small]': 0,
    'Pets [=Dog]': 1,
    "Pets [Ann's]": 0,
    'Pets [Other]': null,
  });
});

test('belong to an entry where each entry has a line', async () => {
  const people = { id: 'people', type: 'repeat', name: 'People', questions: [PETS] };
  const form = await home.form({ properties: [people] });
  await home.submit(form, { people: [{ pets: ['=Dog'] }, { pets: ["Ann's"] }] });
  const rows = await rowsOf(await split(form, 'csv', ['people'], { entries_of: 'people' }));
  expect(rows).toEqual([
    ['entry', 'Pets [Cat, small]', 'Pets [=Dog]', "Pets [Ann's]", 'Pets [Other]'],
    ['2', '0', '0', '1', ''],
    ['1', '0', '1', '0', ''],
  ]);
});

test('of questions and options with equal names have different headers', async () => {
  const question = (id: string) => ({
    id,
    type: 'multi_select',
    name: 'Q',
    allow_creation: true,
    options: ['A', 'Other'],
  });
  const form = await home.form({ properties: [question('a'), question('b')] });
  const [header] = await rowsOf(await split(form, 'csv', ['a', 'b']));
  expect(header).toEqual([
    ...['Q [A]', 'Q [Other]', 'Q [Other] (2)'],
    ...['Q (2) [A]', 'Q (2) [Other]', 'Q (2) [Other] (2)'],
  ]);
});

test('come with a job, and in the archive with the files', async () => {
  const form = await home.form({ properties: FIELDS });
  await storeMany(home.service, form.id, 'name', LIMIT + 1);
  await home.submit(form, { pets: ['=Dog'], order: ['B', 'A'] });
  const { file_url: url } = await finishedJob(home, form, await split(form, 'csv', IDS));
  const rows = await rowsOf(await fetch(url));
  expect(rows[0]).toEqual(HEADER);
  expect(rows.at(-1)).toEqual(['0', '1', '0', '', '', '', '', '2', '1', '', '']);
  expect((await split(form, 'zip', IDS)).status).toBe(200);
});

describe('are refused', () => {
  const refusal = async (form: { id: number }, format: string, more = {}) => {
    const refused = await split(form, format, IDS, more);
    expect(refused.status).toBe(422);
    return Object.keys(((await refused.json()) as any).errors);
  };

  test.each(['sav', 'jsonl', 'sqlite', 'parquet'])(
    'in a file that has them apart anyway: %s',
    async (format) => {
      const form = await home.form({ properties: FIELDS });
      expect(await refusal(form, format)).toEqual(['split_answers']);
      expect((await split(form, format, IDS, { split_answers: false })).status).toBe(200);
    },
  );

  test('where it is no yes or no', async () => {
    const form = await home.form({ properties: FIELDS });
    expect(await refusal(form, 'csv', { split_answers: 'some' })).toEqual(['split_answers']);
  });

  test('when they are more than a file may have; as many as it may have are written', async () => {
    const options = Array.from({ length: 1_499 }, (_, index) => `Option ${index}`);
    const form = await home.form({ properties: [{ ...PETS, options }] });
    await home.submit(form, { pets: ['Option 7', 'Option 1498'] });
    const [, row = []] = await rowsOf(await split(form, 'csv', ['pets']));
    expect(row).toHaveLength(1_500);
    expect(row.flatMap((cell, index) => (cell === '1' ? index : []))).toEqual([7, 1498]);
    const refused = await split(form, 'csv', ['id', 'pets']);
    expect(refused.status).toBe(422);
    expect(Object.keys(((await refused.json()) as any).errors)).toEqual(['split_answers']);
  });
});
