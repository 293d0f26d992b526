import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { createSheet, MAX_SUBMISSIONS, SheetFull } from '../../server/exports/xlsx/sheet.ts';
import { TEXT_FIELD_ID } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { download } from './download.ts';
import { finishedJob } from './finished-job.ts';
import { parseRfc4180 } from './rfc4180.ts';
import { storeMany, storeSubmissions } from './stored-submissions.ts';
import { type Cell, readWorkbook, valuesOf } from './xlsx-reader.ts';

/** Answers as a file for spreadsheets. Cells hold the same text as the CSV file, without the guard against formulas. */
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const LIMIT = 50;
const home = useHome({ env: { EXPORT_SYNC_LIMIT: String(LIMIT) } });
const exported = (form: { id: number }, columns: string[], more = {}) =>
  download(home, form, 'xlsx', columns, more);

const field = (id: string, type: string, name: string, more: object = {}) => ({ id, type, name, ...more });

async function rowsOf(response: Response): Promise<(Cell | null)[][]> {
  expect(response.status).toBe(200);
  return readWorkbook(Buffer.from(await response.arrayBuffer()));
}

async function fileOfJob(form: { id: number }, response: Response): Promise<Response> {
  return fetch((await finishedJob(home, form, response)).file_url);
}

describe('cells', () => {
  const FIELDS = [
    field('t', 'text', 'Text'),
    field('n', 'number', 'Number'),
    field('c', 'checkbox', 'Tick'),
    field('d', 'date', 'Day'),
    field('m', 'multi_select', 'Many', { options: ['a', 'b'] }),
  ];
  const IDS = FIELDS.map(({ id }) => id);
  let form: any;
  beforeAll(async () => {
    form = await home.form({ title: 'Cells', properties: FIELDS });
  });
  const stored = async (answers: Record<string, unknown>) => {
    await home.service.context.pool.query('delete from submissions where form_id = $1', [form.id]);
    await storeSubmissions(home.service, form.id, [answers]);
    const [, row = []] = await rowsOf(await exported(form, IDS));
    return row;
  };

  test('have the types that spreadsheets reckon with, and headers in bold', async () => {
    await storeSubmissions(home.service, form.id, [
      { t: 'Grace', n: -12.5, c: true, d: '2026-11-22', m: ['a', 'b'] },
    ]);
    const response = await exported(form, ['created_at', ...IDS, 'id', 'meta.attribution.utm_source']);
    expect(response.headers.get('content-type')).toBe(TYPE);
    expect(response.headers.get('content-disposition')).toBe(
      `attachment; filename="${form.slug}-submissions.xlsx"`,
    );
    expect(response.headers.get('content-encoding')).toBe(null);
    const [header = [], row = []] = await rowsOf(response);
    expect(header.map((cell) => cell?.value)).toEqual([
      'created_at',
      'Text',
      'Number',
      'Tick',
      'Day',
      'Many',
      'id',
      'utm_source',
    ]);
    expect(new Set(header.map((cell) => `${cell?.type} ${cell?.style}`))).toEqual(new Set(['inlineStr 1']));
    const [record] = await home.records(form);
    const days = (Date.parse(record.created_at) - Date.UTC(1899, 11, 30)) / 86_400_000;
    expect(Number(row[0]?.value)).toBeCloseTo(days, 4);
    expect(row.slice(0, 1).map((cell) => [cell?.type, cell?.style])).toEqual([['n', 3]]);
    expect(row.slice(1)).toEqual([
      { type: 'inlineStr', style: 0, value: 'Grace' },
      { type: 'n', style: 0, value: '-12.5' },
      { type: 'b', style: 0, value: '1' },
      { type: 'n', style: 2, value: '46348' },
      { type: 'inlineStr', style: 0, value: 'a, b' },
      { type: 'n', style: 0, value: String(record.id) },
      null,
    ]);
  });

  test.each([
    ['a formula is a text like any other', { t: '=1+1' }, 0, '=1+1'],
    ['a number that spreadsheets would round stays as it is', { n: 9007199254740991 }, 1, '9007199254740991'],
    ['fifteen digits are a number', { n: 0.00123456789012345 }, 1, null],
    ['a day before spreadsheets know days', { d: '1899-12-31' }, 3, '1899-12-31'],
    ['a day that does not exist is no other day', { d: '2026-02-30' }, 3, '2026-02-30'],
    ['a moment keeps its offset', { d: '2026-11-22T10:00:00+02:00' }, 3, '2026-11-22T10:00:00+02:00'],
    ['a moment keeps parts of its second', { d: '2026-11-22T10:00:00.5' }, 3, '2026-11-22T10:00:00.5'],
    ['a range of days', { d: ['2026-11-22', '2026-11-24'] }, 3, '2026-11-22, 2026-11-24'],
    ['a text where a number was', { n: 'twelve' }, 1, 'twelve'],
    ['a text where a tick was', { c: 'yes' }, 2, 'yes'],
    ['a list where a text was', { t: ['x', '=y'] }, 0, 'x, =y'],
    [
      'markup, and what looks like an escape',
      { t: '<b>&amp;</b>_x0041_ __x_' },
      0,
      '<b>&amp;</b>_x0041_ __x_',
    ],
    ['lines, tabs, backslashes', { t: ' a\r\n\tb\\N\\.\n' }, 0, ' a\r\n\tb\\N\\.\n'],
    [
      'controls and what XML has no letter for',
      { t: '\u0001\u001f\u007f\ufffe\uffff😀' },
      0,
      '\u0001\u001f\u007f\ufffe\uffff😀',
    ],
  ])('%s', async (_what, answers, index, text) => {
    const cell = (await stored(answers))[index];
    expect(cell?.type).toBe(text === null ? 'n' : 'inlineStr');
    if (text !== null) expect(cell?.value).toBe(text);
  });

  test.each([
    ['2026-11-22T10:30', 4, 46348 + 10.5 / 24],
    ['2026-11-22 00:00', 4, 46348],
    ['2026-11-22T18:00:36', 3, 46348.75 + 36 / 86_400],
  ])('a day with a time, as pages send it, can be reckoned with: %s', async (d, style, days) => {
    const cell = (await stored({ d }))[3];
    expect(cell).toMatchObject({ type: 'n', style });
    expect(Number(cell?.value)).toBeCloseTo(days, 9);
  });

  test('a text that no cell holds is cut, between two characters', async () => {
    const [cell] = await stored({ t: `${'x'.repeat(32_765)}😀😀` });
    expect(cell?.value).toBe(`${'x'.repeat(32_765)}…`);
    const [whole] = await stored({ t: 'x'.repeat(32_767) });
    expect(whole?.value).toBe('x'.repeat(32_767));
  });

  test('any text comes back as it was sent', async () => {
    const texts = fc.sample(
      fc
        .string({ unit: 'binary', maxLength: 40 })
        .filter((text) => !text.includes('\0') && text.isWellFormed()),
      { numRuns: LIMIT, seed: 22 },
    );
    await home.service.context.pool.query('delete from submissions where form_id = $1', [form.id]);
    await storeSubmissions(
      home.service,
      form.id,
      texts.map((t) => ({ t })),
    );
    const [, ...rows] = valuesOf(await rowsOf(await exported(form, ['t'])));
    expect(rows.map(([value]) => value)).toEqual(texts);
  });
});

test('a large one is a job, whose link leads to the same cells as in the CSV', async () => {
  const form = await home.form({ properties: [field(TEXT_FIELD_ID, 'text', 'Ünïcode 😀')] });
  await storeMany(home.service, form.id, TEXT_FIELD_ID, 5_000);
  const columns = ['id', 'submission_id', 'status', TEXT_FIELD_ID];
  const file = await fileOfJob(form, await exported(form, columns));
  expect(file.headers.get('content-type')).toBe(TYPE);
  expect(file.headers.get('content-disposition')).toContain('-submissions.xlsx"');
  const rows = await rowsOf(file);
  const csv = await fileOfJob(form, await exported(form, columns, { format: 'csv' }));
  expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(rows.map((row) => row.map((cell) => cell?.value))).toEqual(parseRfc4180(await csv.text()));
});

test('a form without submissions has its headers', async () => {
  const rows = await rowsOf(await exported(await home.form(), ['id', TEXT_FIELD_ID]));
  expect(rows.length).toBe(1);
});

test('more columns than letters', async () => {
  const fields = Array.from({ length: 60 }, (_, index) => field(`f${index}`, 'text', `Field ${index}`));
  const form = await home.form({ properties: fields });
  await home.submit(form, { f0: 'first', f26: 'after Z', f59: 'last' });
  const [, row = []] = valuesOf(
    await rowsOf(
      await exported(
        form,
        fields.map(({ id }) => id),
      ),
    ),
  );
  expect([row[0], row[1], row[26], row[59]]).toEqual(['first', '', 'after Z', 'last']);
});

test('another format is refused', async () => {
  const refused = await exported(await home.form(), ['id'], { format: 'ods' });
  expect(refused.status).toBe(422);
  expect(Object.keys(((await refused.json()) as any).errors)).toEqual(['format']);
});

test('a sheet takes as many rows as spreadsheets read, and no more', () => {
  const sheet = createSheet([{ source: 'system', name: 'id', header: 'id' }]);
  const chunk = '1\n'.repeat(MAX_SUBMISSIONS / 75);
  for (let count = 0; count < 75; count++) sheet.rows(chunk);
  expect(sheet.tail()).toContain('A1:A1048576');
  expect(() => sheet.rows('1\n')).toThrow(SheetFull);
});
