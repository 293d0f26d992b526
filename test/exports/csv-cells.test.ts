import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compileForm } from '../../fields/compile-form.ts';
import { fieldTypeOf } from '../../fields/field-types.ts';
import { fileIdOf } from '../../fields/file-reference.ts';
import { messagesFor } from '../../fields/languages/languages.ts';
import { type JsonValue, ownMember, type Property } from '../../fields/property.ts';
import { serverEngines } from '../../fields/server-engines.ts';
import { aField, type CsvDatabase, FILE_LINKS, openCsvDatabase } from './csv-database.ts';

let database: CsvDatabase;
beforeAll(async () => {
  database = await openCsvDatabase();
});
afterAll(() => database.close());

const ROWS = ['Row 1', 'It\'s "b\\ad"', '10', '2', '__proto__'];
/** Ids may be any visible ASCII, including quotes, backslashes and what looks like SQL. */
const FIELDS: Property[] = [
  aField(`'"\\'); drop table submissions; --`, 'text'),
  aField('a\\', 'rich_text'),
  aField('$1', 'number'),
  aField('%s', 'rating'),
  aField('{', 'scale'),
  aField('->>', 'slider'),
  aField("''", 'select'),
  aField('"', 'multi_select'),
  aField('?', 'checkbox'),
  aField('@', 'date'),
  aField('range', 'date', { date_range: true }),
  aField('\\x', 'email'),
  aField('10', 'url'),
  aField('x'.repeat(64), 'phone_number', { use_simple_text_input: true }),
  aField('__proto__', 'matrix', { rows: ROWS, columns: ['Good', '=Bad', 'a, b'] }),
  aField('constructor', 'files'),
  aField('toString', 'signature'),
  aField("people'", 'repeat', {
    questions: [
      aField("n'", 'text'),
      aField('__proto__', 'number'),
      aField('"tags', 'multi_select'),
      { ...aField('yes', 'checkbox'), name: "It's =yes: \\" },
      aField('when', 'date', { date_range: true }),
    ],
  }),
  aField('geo', 'location'),
  aField("E'", 'hologram'),
];
const IDS = FIELDS.map((field) => field.id);

const storableText = fc
  .oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: 'binary' }),
    fc.constantFrom('=1', '-5', '+x', ' @a', '"', "'", ',', '\r\n', '\n', '\\.', 'a;b'),
  )
  .map((text) => text.toWellFormed().replaceAll('\0', ''))
  .filter((text) => text !== '');
const number = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -9e15, max: 9e15 }),
  fc.constantFrom(1e-7, -1.5e-10, 0, -5, 5e-324, 0.1),
);
const fileName = fc
  .tuple(
    fc.constantFrom('', 'cv_', 'Müller-1_', '_', 'x'),
    fc.uuid(),
    fc.constantFrom('', '.pdf', '.7z', '.tar.gz'),
  )
  .map((parts) => parts.join(''));
const date = fc.constantFrom('2026-05-01', '2026-05-01T10:00:00Z', '2024-02-29 23:59');

function answerTo(field: Property): fc.Arbitrary<JsonValue> {
  switch (field.type) {
    case 'number':
    case 'rating':
    case 'scale':
    case 'slider':
      return number;
    case 'checkbox':
      return fc.boolean();
    case 'date':
      return field.date_range ? fc.tuple(date, date).map((pair) => [...pair].sort()) : date;
    case 'multi_select':
      return fc.uniqueArray(storableText, { minLength: 1, maxLength: 4 });
    case 'email':
      return fc.constantFrom('a@b.co', '"=x"@b.co');
    case 'url':
      return fc.constantFrom('https://a.co/x?a=1,2', 'www.b.org');
    case 'matrix':
      return fc.dictionary(fc.constantFrom(...ROWS), fc.constantFrom('Good', '=Bad', 'a, b'), {
        minKeys: 1,
        noNullPrototype: true,
      });
    case 'files':
      return fc.array(fc.oneof(storableText, fileName), { minLength: 1 });
    case 'repeat':
      return fc.array(
        fc
          .record({
            a: fc.option(storableText),
            b: fc.option(number),
            c: fc.option(fc.uniqueArray(storableText)),
            d: fc.option(fc.boolean()),
            e: fc.option(fc.tuple(date, date).map((pair) => [...pair].sort())),
          })
          .map(({ a, b, c, d, e }) => ({ "n'": a, ['__proto__']: b, '"tags': c, yes: d, when: e })),
      );
    case 'signature':
      return fc.oneof(storableText, fileName);
    case 'location':
      return fc.constantFrom(
        '-33.86, 151.21',
        '-0.5, -1 ±12 m',
        '48.8582, 2.2945',
        '-1, 2 ±1 m & =x',
        '-1+2',
      );
    case 'hologram':
      return fc.oneof(
        storableText,
        fc.array(storableText, { minLength: 1 }),
        fc.record({ a: number, b: storableText }),
      );
    default:
      return storableText;
  }
}

const submission = fc
  .record(Object.fromEntries(FIELDS.map((field) => [`k${field.id}`, fc.option(answerTo(field))])))
  .map((answers) => {
    const data: Record<string, JsonValue> = Object.create(null);
    for (const [key, answer] of Object.entries(answers))
      if (answer !== null) data[key.slice(1)] = answer as JsonValue;
    return data;
  });

const MARKS = '=+-@|%＝＋－＠';
/**
 * Independent of the code under test. The first visible character decides, even behind apostrophes: otherwise a text that
 * begins with one would lose it.
 */
function mayRun(guarded: string): boolean {
  const text = guarded.replace(/^'+/, '');
  if (/^[\t\r\n]/.test(text)) return true;
  const [first = ''] = text.replace(
    /^[\p{Cc}\p{Z}\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]+/u,
    '',
  );
  return MARKS.includes(first) && first !== '';
}

/** Names of files become links; other texts stay as they are. */
function linksIn(answer: JsonValue): string {
  const texts = [answer].flat() as string[];
  return texts.map((text) => (fileIdOf(text) === null ? text : FILE_LINKS.urlOf(text))).join(', ');
}

function expectCell(cell: string | undefined, answer: JsonValue | undefined, field: Property): void {
  const { csvKind, toText } = fieldTypeOf(field.type);
  if (answer === undefined) {
    expect(cell).toBe('');
    return;
  }
  if (csvKind === 'json' && typeof answer !== 'string') {
    expect(JSON.parse(cell ?? '')).toEqual(answer);
    return;
  }
  const text = csvKind === 'files' ? linksIn(answer) : toText(answer, field);
  const isLocation = csvKind === 'location' && /^-?[\d.]+, -?[\d.]+( ±[\d.]+ m)?$/.test(text);
  const isGuarded = csvKind !== 'number' && !isLocation && mayRun(text);
  expect(cell).toBe(isGuarded ? `'${text}` : text);
}

test('every cell is the text of its answer, whatever the field, its id and the answer are', async () => {
  const form = compileForm({ properties: FIELDS, messages: messagesFor('en') }, serverEngines);
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(submission, { minLength: 1, maxLength: 40 }), async (sent) => {
      const stored = sent.map((answers) => form.check(answers, { now: new Date() }).answers);
      await database.store(stored.map((data) => ({ data })));
      const [header, ...rows] = await database.export(FIELDS, IDS);
      expect(header).toEqual(FIELDS.map((field) => field.name));
      expect(rows.length).toBe(stored.length);
      rows.forEach((row, n) => {
        FIELDS.forEach((field, index) => {
          const read = JSON.parse(JSON.stringify(stored[n])) as Record<string, JsonValue>;
          expectCell(row[index], ownMember(read, field.id), field);
          if (row[index] !== '') compared += 1;
        });
      });
    }),
    { numRuns: 40 },
  );
  expect(compared).toBeGreaterThan(1000);
});

test('answers that no longer fit their field come out as text and stop nothing', async () => {
  const odd: JsonValue[] = [
    'text',
    -5,
    true,
    ['a', '=b', null, 3],
    { a: { b: [1] } },
    null,
    [],
    {},
    [[1, 2], { x: 'y' }],
  ];
  const rows = odd.map((answer) => Object.fromEntries(IDS.map((id) => [id, answer])));
  await database.store([...rows, [1, 2] as never, 'text' as never, 7 as never].map((data) => ({ data })));
  const [, ...exported] = await database.export(FIELDS, IDS);
  expect(exported.length).toBe(odd.length + 3);
  for (const field of FIELDS) {
    const column = exported.map((row) => row[IDS.indexOf(field.id)]);
    expect(column[0]).toBe('text');
    expect(column[1]).toBe('-5');
    expect(column[2]).toBe('true');
    if (fieldTypeOf(field.type).csvKind !== 'json') expect(column[3]).toBe('a, =b, , 3');
    expect(column.at(-1)).toBe('');
  }
  expect(JSON.parse(exported[4]?.[0] ?? '')).toEqual({ a: { b: [1] } });
});

test('numbers keep their digits and are never quoted or guarded', async () => {
  const numbers = ['-5', '0', '0.1', '-0.0000001', '9007199254740991', '-9007199254740991', '123456.789'];
  await database.pool.query('truncate submissions');
  for (const digits of numbers)
    await database.pool.query(
      `insert into submissions (form_id, public_id, status, data)
       values (1, gen_random_uuid(), 'completed', $1)`,
      [`{"n":${digits}}`],
    );
  const [, ...rows] = await database.export([aField('n', 'number')], ['n']);
  expect(rows.flat()).toEqual(numbers);
});

test.each(['text', 'select', 'multi_select', 'checkbox', 'matrix', 'hologram', 'location'])(
  'numbers stay numbers in a field that became a %s, and texts texts',
  async (type) => {
    await database.store([{ data: { a: -1.5 } }, { data: { a: 7 } }, { data: { a: '-1.5' } }]);
    const [, ...rows] = await database.export([aField('a', type)], ['id', 'a']);
    expect(rows.map((row) => row[1])).toEqual(['-1.5', '7', "'-1.5"]);
  },
);

test('a list is written whole, however long it is and whatever is in it', async () => {
  const items: JsonValue[] = ['a, "b"', null, 3, '', { x: [1, null] }, [true, 'é'], '=c'];
  const texts = ['a, "b"', '', '3', '', '{"x": [1, null]}', '[true, "é"]', '=c'];
  const lengths = Array.from({ length: items.length + 1 }, (_, length) => length);
  await database.store(lengths.map((length) => ({ data: { l: items.slice(0, length) } })));
  const [, ...rows] = await database.export([aField('l', 'multi_select')], ['id', 'l']);
  expect(rows.map((row) => row[1])).toEqual(lengths.map((length) => texts.slice(0, length).join(', ')));
});

test('a matrix follows the rows of the form, then rows the form has lost', async () => {
  const field = aField('m', 'matrix', { rows: ['zebra', 'b', 'aa'] });
  await database.store([{ data: { m: { aa: '1', b: '2', zebra: '3', lost: '4' } } }]);
  const [, [cell] = []] = await database.export([field], ['m']);
  expect(cell).toBe('zebra: 3 | b: 2 | aa: 1 | lost: 4');
});

test('completion times are plain decimals', async () => {
  await database.store([
    { data: {}, completionTime: 12.5 },
    { data: {}, completionTime: 1e15 },
    { data: {} },
  ]);
  const [, ...rows] = await database.export([], ['id', 'completion_time']);
  expect(rows.map((row) => row[1])).toEqual(['12.5', '1000000000000000', '']);
});

test('a lone empty cell is not an empty line', async () => {
  await database.store([{ data: {} }, { data: { a: 'x' } }]);
  const exported = await database.export([aField('a', 'text')], ['a']);
  expect(exported).toEqual([['Field a'], [''], ['x']]);
});

test('an export that gives way to something more urgent is the same in the end', async () => {
  await database.store(Array.from({ length: 2000 }, (_, n) => ({ data: { t: `"${n}"\n`.repeat(20) } })));
  const fields = [aField('t', 'text')];
  let asked = 0;
  const rows = await database.export(fields, ['t'], () => asked++ % 2 === 0);
  expect(asked).toBeGreaterThan(2);
  expect(rows).toEqual(await database.export(fields, ['t']));
  expect(rows).toHaveLength(2001);
});
