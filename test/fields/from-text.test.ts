import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { guardFormula } from '../../fields/as-text/formula-guard.ts';
import { compileFromText } from '../../fields/as-text/from-text.ts';
import { dateOrder, isoDate } from '../../fields/as-text/written-dates.ts';
import { type DecimalSign, decimalSignIn } from '../../fields/as-text/written-numbers.ts';
import { fieldTypeOf } from '../../fields/field-types.ts';
import { LANGUAGES } from '../../fields/languages/languages.ts';
import type { JsonValue, Property } from '../../fields/property.ts';
import { INPUT_TYPES } from '../../fields/type-names.ts';
import { expectCheap } from '../setup/processor-time.ts';
import { checkOne, property } from './forms.ts';

const read = (field: Property, cell: string, dayFirst = true, decimalSign?: DecimalSign) =>
  compileFromText(field, { dayFirst, decimalSign })(cell);

/** The cell of an export, as PostgreSQL writes it. */
function cellOf(field: Property, answer: JsonValue): string {
  const { toText, csvKind } = fieldTypeOf(field.type);
  const text = toText(answer, field);
  return csvKind === 'number' || csvKind === 'location' ? text : guardFormula(text);
}

const text = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
  .filter((text) => text.trim() !== '' && !text.includes('\0'));
/** Names as people write them, even with the separators of items; a distinct letter keeps each apart from the others. */
const names = (between: string) =>
  fc
    .array(
      fc.string({ unit: fc.constantFrom('a', 'B', 'é', ' ', '.', "'", '=', ...between), maxLength: 8 }),
      {
        minLength: 2,
        maxLength: 6,
      },
    )
    .map((tails) => tails.map((tail, index) => `${'qwxzkj'[index]}${tail}${'qwxzkj'[index]}`));
const number = fc.oneof(
  fc.integer({ min: -1e9, max: 1e9 }),
  fc.integer({ min: -1e9, max: 1e9 }).map((n) => n / 1000),
);
const day = fc
  .date({ noInvalidDate: true, min: new Date('0001-01-02'), max: new Date('9999-12-30') })
  .map((date) => date.toISOString());
const dateText = fc.tuple(day, fc.constantFrom(10, 16, 19, 24)).map(([iso, length]) => iso.slice(0, length));

const withOptions = (type: string, options: string[], more: object = {}) =>
  property(type, { [type]: { options: options.map((name) => ({ name })) }, ...more });

const QUESTIONS = [
  { id: 'who', type: 'text', name: 'Who' },
  { id: 'age', type: 'number', name: 'Who: age' },
  { id: 'comes', type: 'checkbox', name: 'Comes?' },
  {
    id: 'food',
    type: 'multi_select',
    name: 'Food',
    options: ['Fish; chips', 'Salt, pepper', 'a | b', 'Oil'],
  },
  { id: 'size', type: 'select', name: 'Size', options: ['S', 'M | L'] },
  { id: 'on', type: 'date', name: 'On' },
];

type Case = [field: Property, answer: JsonValue];
const CASES: Record<string, fc.Arbitrary<Case>> = {
  text: text.map((answer) => [property('text'), answer]),
  rich_text: text.map((answer) => [property('rich_text'), `<p>${answer.replace(/[<>&"']/g, '')}.</p>`]),
  number: number.map((answer) => [property('number'), answer]),
  rating: fc.integer({ min: 0, max: 5 }).map((answer) => [property('rating'), answer]),
  scale: fc.integer({ min: 1, max: 5 }).map((answer) => [property('scale'), answer]),
  slider: fc
    .integer({ min: -8, max: 8 })
    .map((n) => [
      property('slider', { slider_min_value: -2, slider_max_value: 2, slider_step_value: 0.25 }),
      n / 4,
    ]),
  select: names(',;|').chain((options) =>
    fc.constantFrom(...options).map((answer) => [withOptions('select', options), answer]),
  ),
  multi_select: names(',;|').chain((options) =>
    fc
      .shuffledSubarray(options, { minLength: 1 })
      .map((answer) => [withOptions('multi_select', options), answer]),
  ),
  ranking: names(',;').chain((options) =>
    fc
      .shuffledSubarray(options, { minLength: options.length })
      .map((answer) => [withOptions('ranking', options), answer]),
  ),
  checkbox: fc.boolean().map((answer) => [property('checkbox'), answer]),
  date: fc.oneof(
    dateText.map((answer): Case => [property('date'), answer]),
    fc.tuple(day, day).map((days): Case => [property('date', { date_range: true }), days.sort()]),
  ),
  email: fc.emailAddress().map((answer) => [property('email'), answer]),
  url: fc.webUrl().map((answer) => [property('url'), answer]),
  phone_number: fc
    .integer({ min: 0, max: 9_999_999 })
    .map((n) => [property('phone_number'), `+331${String(n).padStart(8, '4')}`]),
  matrix: fc
    .tuple(names(':|'), names(':|'))
    .chain(([rows, columns]) =>
      fc
        .tuple(fc.shuffledSubarray(rows, { minLength: 1 }), fc.constantFrom(...columns))
        .map(([some, column]) => [
          property('matrix', { rows, columns }),
          Object.fromEntries(some.map((row) => [row, column])),
        ]),
    ),
  barcode: text.map((answer) => [property('barcode'), answer]),
  location: fc
    .tuple(fc.double({ min: -90, max: 90, noNaN: true }), fc.double({ min: -180, max: 180, noNaN: true }))
    .map((degrees) => degrees.map((each) => each.toFixed(6)).join(', '))
    .map((answer) => [property('location'), answer]),
};
/** The answers of an entry. None ends like a separator of entries, as its end could not be found then. */
const entry = fc
  .record(
    {
      who: text.filter((answer) => answer.trim() === answer && !/[|;]$/.test(answer)),
      age: number,
      comes: fc.boolean(),
      food: fc.shuffledSubarray(['Fish; chips', 'Salt, pepper', 'a | b', 'Oil'], { minLength: 1 }),
      size: fc.constantFrom('S', 'M | L'),
      on: dateText,
    },
    { requiredKeys: [] },
  )
  .filter((answers) => Object.keys(answers).length > 0);
CASES.repeat = fc
  .array(entry, { minLength: 1, maxLength: 4 })
  .map((answer) => [property('repeat', { questions: QUESTIONS }), answer as JsonValue]);

/** Types with files, and types without rules of their own. */
const NOT_IMPORTED = ['files', 'signature', 'payment', 'computed'];

describe('what an export writes is read as the same answer', () => {
  test.each(INPUT_TYPES.filter((type) => !NOT_IMPORTED.includes(type)))('%s', (type) => {
    fc.assert(
      fc.property(CASES[type] as fc.Arbitrary<Case>, ([field, answer]) => {
        const before = checkOne(field, answer);
        expect(before.errors).toBeNull();
        const after = checkOne(field, read(field, cellOf(field, before.stored as JsonValue)) as JsonValue);
        expect(after).toEqual(before);
      }),
    );
  });

  test('nothing is read from an empty cell, and no text of it breaks a reader', () => {
    fc.assert(
      fc.property(fc.constantFrom(...INPUT_TYPES), fc.string(), (type, cell) => {
        const field = withOptions(type, ['a', 'a, b', 'b'], { rows: ['r'], columns: ['c | r: c', 'c'] });
        expect(read(field, ' ')).toBeUndefined();
        read(field, cell);
      }),
    );
  });
});

describe('what other products write', () => {
  const judged = (field: Property, ...cell: [cell: string, dayFirst?: boolean, decimalSign?: DecimalSign]) =>
    checkOne(field, read(field, ...cell) as JsonValue);
  const stored = (...asked: Parameters<typeof judged>) => {
    const { stored, errors } = judged(...asked);
    return errors ? 'refused' : stored;
  };

  test.each([
    ['1,234.5', 1234.5],
    ['1.234,5', 1234.5],
    ['1,234,567', 1234567],
    ['3,5', 3.5],
    ["1'234", 1234],
    ['1.234', 1.234],
    ['1,234', 'refused'],
    ['12 apples', 'refused'],
  ])('the number %s', (cell, expected) => expect(stored(property('number'), cell)).toBe(expected));

  test.each([
    ['1.234', 1234],
    ['12.500', 12500],
    ['-1.234.567', -1234567],
    ['1.234,50', 1234.5],
    ['0,5', 0.5],
    ['1,234', 1.234],
    ['0.500', 0.5],
    ['12', 12],
  ])('the number %s beside one with a decimal comma', (cell, expected) =>
    expect(stored(property('number'), cell, true, ',')).toBe(expected),
  );

  test.each([
    ['1,234', 1234],
    ['-1,234,567', -1234567],
    ['1.234', 1.234],
    ['3,5', 3.5],
  ])('the number %s beside one with a decimal point', (cell, expected) =>
    expect(stored(property('number'), cell, true, '.')).toBe(expected),
  );

  test.each([
    [['0,5', '12,50', '1.234,5', '1 234,567', '1.234.567', '-0,125', '1234,567', '1.500.000'], ','],
    [['3.5', '12.50', '1,234.5', '1,234.567', '1,234,567', '0.500', '.5', '1234.567'], '.'],
    [['1.234', '1,234', '-12.500', ' 750,000 '], 'either'],
    [['', '12', '1234', 'a,b', '1,2,3', '12,34,567', '1.2.3', '1e5'], null],
  ])('of %s the decimal sign is %s', (cells, expected) =>
    expect(cells.map(decimalSignIn)).toEqual(cells.map(() => expected)),
  );

  test.each([
    ['Yes', true],
    ['TRUE', true],
    ['1', true],
    ['no', false],
    ['N', false],
    ['0', false],
    ['maybe', 'refused'],
  ])('the checkbox %s', (cell, expected) => expect(stored(property('checkbox'), cell)).toBe(expected));

  test.each(LANGUAGES)('a checkbox in the language $code', ({ page: { yes, no } }) => {
    expect([yes, no, yes.toUpperCase(), ` ${no} `].map((cell) => stored(property('checkbox'), cell))).toEqual(
      [true, false, true, false],
    );
  });

  test('ticks of spreadsheets in other languages', () => {
    const cells = ['WAHR', 'FALSCH', 'VERDADERO', 'FAUX', 'ИСТИНА', 'YANLIŞ', 'HAYIR'];
    expect(cells.map((cell) => stored(property('checkbox'), cell))).toEqual([
      true,
      false,
      true,
      false,
      true,
      false,
      false,
    ]);
  });

  test('options in any letter case, unless two differ by it alone', () => {
    const colours = withOptions('select', ['Red', 'blue', 'Blue']);
    expect(stored(colours, ' red')).toBe('Red');
    expect(stored(colours, 'Blue')).toBe('Blue');
    expect(stored(colours, 'BLUE')).toBe('refused');
    expect(stored(withOptions('select', ['Red'], { allow_creation: true }), 'red')).toBe('red');
  });

  test('lists with commas in names, semicolons and lines between them', () => {
    const food = withOptions('multi_select', ['Salt', 'Salt, pepper', 'Bread; butter', 'Oil']);
    expect(stored(food, 'Salt, pepper, Oil')).toEqual(['Salt, pepper', 'Oil']);
    expect(stored(food, 'salt;oil')).toEqual(['Salt', 'Oil']);
    expect(stored(food, 'Bread; butter\nSalt')).toEqual(['Bread; butter', 'Salt']);
    expect(stored(food, 'Salt, sugar')).toBe('refused');
    expect(stored(property('multi_select'), 'this, that')).toEqual(['this', 'that']);
    const spices = withOptions('multi_select', ['Salt, fine', 'salt', 'Salt']);
    expect(stored(spices, 'SALT, FINE; salt, Salt')).toEqual(['Salt, fine', 'salt', 'Salt']);
    expect(stored(spices, 'SALT')).toBe('refused');
  });

  test('known names among others, whatever stands in them', () => {
    const hobbies = withOptions('multi_select', ['Food', 'Food, drinks', 'Music', 'Bread; butter'], {
      allow_creation: true,
    });
    expect(stored(hobbies, 'Food, drinks;Chess')).toEqual(['Food, drinks', 'Chess']);
    expect(stored(hobbies, 'Food, drinks;Board games, mostly chess')).toEqual([
      'Food, drinks',
      'Board games, mostly chess',
    ]);
    expect(stored(hobbies, 'Food, drinks, Chess')).toEqual(['Food, drinks', 'Chess']);
    expect(stored(hobbies, 'Chess, Food, drinks, Music, Go')).toEqual([
      'Chess',
      'Food, drinks',
      'Music',
      'Go',
    ]);
    expect(stored(hobbies, 'Food, drinks and more, Music')).toEqual(['Food', 'drinks and more', 'Music']);
    expect(stored(hobbies, 'Bread; butter, Chess')).toEqual(['Bread; butter', 'Chess']);
    expect(stored(hobbies, 'Go, quickly\nBread; butter;')).toEqual(['Go, quickly', 'Bread; butter']);
    expect(stored(hobbies, 'music, Chess')).toEqual(['music', 'Chess']);
  });

  test('a long text among thousands of options is read in no time', async () => {
    const many = Array.from({ length: 5_000 }, (_, at) => `Option ${at}, ${'y'.repeat(at % 200)}`);
    const among = withOptions('multi_select', many, { allow_creation: true });
    const cells = ['x', 'a, ', ', '].map((text) => text.repeat(30_000));
    await expectCheap(2_000, async () => {
      for (const cell of [...cells, `a${' '.repeat(90_000)}b`]) read(among, cell);
    });
  });

  test('a plain text for a formatted one keeps every character', () => {
    const story = property('rich_text');
    expect(stored(story, 'if a<b then stop\nsecond line')).toBe(
      '<p>if a&lt;b then stop<br />second line</p>',
    );
    expect(stored(story, 'one\n\ntwo')).toBe('<p>one</p><p>two</p>');
    for (const written of ['<p>a <b>b</b></p>', 'a &amp; b\nc', 'plain'])
      expect(stored(story, written)).toBe(written);
  });

  test('of a matrix what is wrong is told of its row', () => {
    const staff = property('matrix', { rows: ['Bar', 'Bar: 2', 'Desk'], columns: ['Good', 'Bad'] });
    expect(stored(staff, 'Bar: 2: Good | Desk: Bad')).toEqual({ 'Bar: 2': 'Good', Desk: 'Bad' });
    expect(judged(staff, 'Bar: 2: Unknown | Desk: Bad').errors).toEqual({
      x: ["Invalid value for row 'Bar: 2'."],
    });
    expect(judged(staff, 'all fine').errors).toEqual({ x: ['The X field must be an array.'] });
  });

  test('the apostrophe before what a spreadsheet would run goes', () => {
    expect(stored(property('text'), "'=1+1")).toBe('=1+1');
    expect(stored(property('text'), "''=1+1")).toBe("'=1+1");
    expect(stored(property('text'), "'tis")).toBe("'tis");
    expect(stored(property('phone_number'), "'+33749119783")).toBe('+33749119783');
  });

  test('days in either order, ranges', () => {
    expect(stored(property('date'), '5/1/2024', false)).toBe('2024-05-01');
    expect(stored(property('date'), '5/1/2024', true)).toBe('2024-01-05');
    expect(stored(property('date', { date_range: true }), '1.5.2024 - 3.5.2024')).toEqual([
      '2024-05-01',
      '2024-05-03',
    ]);
    expect(stored(property('date'), 'soon')).toBe('refused');
  });
});

test.each([
  ['2024-05-01 13:45:12', '2024-05-01 13:45:12'],
  ['2024-05-01T13:45:12.5+02:00', '2024-05-01T13:45:12.5+02:00'],
  ['5/1/2024 13:45', '2024-05-01T13:45:00'],
  ['31/1/2024', '2024-01-31'],
  ['1.5.24, 9:05', '2024-05-01T09:05:00'],
  ['5/13/68', '1968-05-13'],
  ['5/13/30', '1930-05-13'],
  ['5/13/29', '2029-05-13'],
  ['5/13/00', '2000-05-13'],
  ['2024/05/01 1:45:12 PM GMT+2', '2024-05-01T13:45:12+02:00'],
  ['5/1/2024, 12:00:01\u202fAM', '2024-05-01T00:00:01'],
  ['5/1/2024 12:30 pm', '2024-05-01T12:30:00'],
  ['2024-05-01 13:45:12 UTC', '2024-05-01T13:45:12Z'],
  ['2024-05-01 13:45:12 +0530', '2024-05-01T13:45:12+05:30'],
  ['13/13/2024', null],
  ['30/2/2024', null],
  ['2024-05-01 25:00', null],
  ['45413.57', null],
  ['', null],
])('the moment %s is %s where the month comes first', (written, expected) =>
  expect(isoDate(written, false)).toBe(expected),
);

test('a year of two digits is the last one that can be meant', () => {
  expect(isoDate('5/13/68', false, 2070)).toBe('2068-05-13');
  expect(isoDate('5/13/26', false, 2026)).toBe('2026-05-13');
  expect(isoDate('5/13/27', false, 2026)).toBe('1927-05-13');
});

test.each([
  ['5/1/2024', 'either'],
  ['05-01-2024 13:00', 'either'],
  ['5/13/2024', 'month'],
  ['13/5/2024', 'day'],
  ['5.1.2024', 'day'],
  ['5/5/2024', null],
  ['2024-05-01', null],
  ['soon', null],
])('the order of %s is told by %s', (written, expected) => expect(dateOrder(written)).toBe(expected));
