import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readLocation } from '../../fields/as-text/locations.ts';
import { fieldTypeOf } from '../../fields/field-types.ts';
import type { JsonValue, Property } from '../../fields/property.ts';
import { INPUT_TYPES, isLayoutBlock } from '../../fields/type-names.ts';
import { expectCheap } from '../setup/processor-time.ts';
import { checkOne, property } from './forms.ts';

type Accepted = [field: Property, answer: JsonValue, stored?: JsonValue];
type Refused = [field: Property, answer: JsonValue, message: string];

const options = { options: ['Red', 'Green', 'a, b'] };
const UUID = '0f8fad5b-d9cb-469f-a165-70867728950e';
const longText = 'x'.repeat(100_000);
const emoji = '😀';

const ACCEPTED: Accepted[] = [
  [property('text'), '  <img onerror=1> \u00a0 '],
  [property('text'), '0'],
  [property('text'), longText],
  [property('text'), emoji.repeat(100_000)],
  [property('text', { max_char_limit: 2 }), emoji.repeat(2)],
  [property('text', { max_char_limit: null }), 'x'.repeat(3000)],
  [property('text', { input_mask: '(999) 999' }), '(123) 456'],
  [property('text', { input_mask: 'aa-99?9?' }), 'fr-1'],
  [property('text', { input_mask: '9?9?9?a' }), '12b'],
  [property('text', { input_mask: '***' }), 'a1Z'],
  [
    property('rich_text'),
    '<p onclick="x()">Hi <script>alert(1)</script><b>you</b></p>',
    '<p>Hi <b>you</b></p>',
  ],
  [property('rich-text', { max_char_limit: 3 }), '<p><b>a&amp;b</b></p>'],
  [property('number'), 0],
  [property('number'), -1.5],
  [property('number'), '1.50', 1.5],
  [property('number'), '-0', 0],
  [property('number'), '.5', 0.5],
  [property('number'), '+1e3', 1000],
  [property('number'), '0.1', 0.1],
  [property('number'), '000123', 123],
  [property('number'), '9007199254740991', 9007199254740991],
  [property('number', { max_char_limit: 3 }), 123],
  [property('number', { number_min_value: 0, number_max_value: '120', whole_number: true }), 0],
  [property('number', { number_min_value: 0, number_max_value: '120', whole_number: true }), '120.0', 120],
  [property('number', { number_min_value: '', number_max_value: null, whole_number: false }), -0.5],
  [property('rating'), 5],
  [property('rating'), '0', 0],
  [property('rating', { rating_max_value: 10 }), 10],
  [property('scale'), 1],
  [property('scale', { scale_min_value: 0, scale_max_value: 1, scale_step_value: 0.1 }), 0.3],
  [property('slider'), 50],
  [property('slider', { slider_min_value: -10, slider_max_value: 10, slider_step_value: 5 }), '-5', -5],
  [property('select', options), 'Red'],
  [property('select'), 'anything'],
  [property('select', { ...options, allow_creation: true }), 'Blue'],
  [property('select', { select: { options: [{ id: 'r', name: 'Red' }] } }), 'Red'],
  [property('multi_select', options), ['a, b', 'Red']],
  [property('multi-select', { multi_select: { options: [{ id: 'r', name: 'Red' }] } }), ['Red']],
  [property('multi_select', { ...options, min_selection: 2, max_selection: 2 }), ['Red', 'Green']],
  ...([true, 1, '1', 'true'] as const).map((ticked): Accepted => [property('checkbox'), ticked, true]),
  ...([false, 0, '0', 'false'] as const).map((clear): Accepted => [property('checkbox'), clear, false]),
  ...[
    '2026-05-01',
    '2024-02-29',
    '2026-05-01T10:30',
    '2026-05-01 10:30',
    '2026-05-01T10:30:59.123Z',
    '2026-05-01T10:30+02:00',
    '0099-01-01',
  ].map((date): Accepted => [property('date'), date]),
  [property('date', { date_range: true }), ['2026-05-01', '2026-05-01']],
  [property('date', { disable_past_dates: true }), '2026-05-01'],
  [property('date', { disable_future_dates: true }), '2026-05-01T23:59'],
  ...['ann@example.org', "o'neil+x@sub.example.co.uk", 'jörg@münchen.de', `${'a'.repeat(64)}@b.co`].map(
    (address): Accepted => [property('email'), address],
  ),
  ...[
    'example.org',
    'https://example.org',
    'HTTP://WWW.example.org:8080/a?b=c#d',
    'example.org?x=1',
    'münchen.de/straße',
  ].map((url): Accepted => [property('url'), url]),
  [property('phone_number'), 'FR+33749119783', '+33749119783'],
  [property('phone_number'), '+33749119783'],
  [property('phone_number'), 'us+12015550123', '+12015550123'],
  [property('phone_number', { use_simple_text_input: true }), 'ask Bob'],
  [
    property('matrix', { rows: ['R1', 'R2'], columns: ['Good', 'Bad'] }),
    { R2: 'Bad', R1: 'Good', gone: 'Bad' },
    { R1: 'Good', R2: 'Bad' },
  ],
  [property('matrix', { rows: ['R1', 'R2'], columns: ['Good'] }), { R1: 'Good', R2: null }, { R1: 'Good' }],
  [property('ranking', options), ['a, b', 'Red', 'Green']],
  [property('ranking', options), { Red: 2, 'a, b': '1', Green: '3' }, ['a, b', 'Red', 'Green']],
  [property('ranking', { ranking: { options: [{ id: 'r', name: 'Red' }] } }), ['Red']],
  [property('files'), [`a_${UUID}.pdf`]],
  [property('files'), UUID, [UUID]],
  [property('files', { multiple: true }), [UUID, `a_${UUID}.pdf`, UUID], [UUID, `a_${UUID}.pdf`]],
  [property('signature'), 'Ada Lovelace'],
  [property('signature'), `sign_${UUID}.png`],
  [property('signature'), 'data:image/png;base64,iVBORw0KGgo='],
  [property('barcode'), '123'],
  [property('location'), '52.520008, 13.404954'],
  [property('location'), '-33.8600, 151.21 ±12.5 m'],
  [property('location'), ' 52.5,13.4 ', '52.5, 13.4'],
  [property('location'), '+52.5 -13.4', '52.5, -13.4'],
  [property('location'), '52.5;13.4', '52.5, 13.4'],
  [property('location'), '90, -180.0', '90, -180.0'],
  [property('location'), '33.86° S, 151.21° e', '-33.86, 151.21'],
  [property('location'), '0 S 0.0W', '0, 0.0'],
  [property('location'), '48 N 2 E', '48, 2'],
  [property('location'), '48, 2', '48, 2'],
  [property('location'), '48.5° 2.5°', '48.5, 2.5'],
  [property('location'), '33.86S,151.21E', '-33.86, 151.21'],
  [property('location'), '\u221233.86 , 151.21', '-33.86, 151.21'],
  [property('location'), 'geo:52.5,13.4,34;u=12', '52.5, 13.4 ±12 m'],
  [property('location'), 'geo:52.5,13.4;crs=wgs84;u=0.5', '52.5, 13.4 ±0.5 m'],
  // As ODK and Kobo write it, with altitude and accuracy.
  [property('location'), '52.5 13.4 34.2 4.9', '52.5, 13.4 ±4.9 m'],
  [property('location'), '52.5 13.4 0 0', '52.5, 13.4'],
  [property('location'), '52.5, 13.4 (±3 m)', '52.5, 13.4 ±3 m'],
  [property('hologram'), { any: [1, { json: true }] }],
];

const NO_LOCATION = 'The X must be a location such as 48.8582, 2.2945.';
const REFUSED: Refused[] = [
  [property('files'), ['a.pdf'], 'Invalid file.'],
  [property('files', { multiple: true }), [UUID, `${UUID}x`], 'Invalid file.'],
  [property('files'), [UUID, UUID], 'The X may not have more than 1 items.'],
  [property('files'), { a: UUID }, 'The X must be an array.'],
  [property('signature'), 5, 'The X must be a valid text.'],
  [property('signature'), 'Ada\u0007', 'The X must be a valid text.'],
  [property('signature'), 'data:text/html,<b>', 'The X format is invalid.'],
  [property('signature'), 'data:image/png;base64,a b', 'The X format is invalid.'],
  [property('signature'), `data:image/png;base64,${'A'.repeat(1_500_000)}`, 'File is too large.'],
  [property('signature'), 'x'.repeat(256), 'The X may not be greater than 255 characters.'],
  [property('barcode'), 5, 'The X must be a valid text.'],
  ...(
    [
      '90.1, 0',
      '0, -180.5',
      '52.5',
      '52.5 N',
      '52,5, 13,4',
      'Berlin',
      '-33.86 S, 151 E',
      '1, 2, 3, 4, 5',
      '52,5,13',
      '48,85',
      '48 51 30',
      '48 51',
      '12 34 W',
      '12.5 34 W',
      '13° 24.3 E',
      '40° 26 W',
      '40.5 N, 26.5',
      '40.5, 26.5 W',
    ] as const
  ).map((text): Refused => [property('location'), text, NO_LOCATION]),
  [property('location'), [52.5, 13.4], NO_LOCATION],
  [property('location'), { latitude: 52.5, longitude: 13.4 }, NO_LOCATION],
  [property('location'), '1, 2 ±1 km', NO_LOCATION],
  [property('location'), `1, 2${' '.repeat(300)}`, NO_LOCATION],
  [property('text'), 5, 'The X must be a valid text.'],
  [property('text'), ['a'], 'The X must be a valid text.'],
  [property('text'), { a: 1 }, 'The X must be a valid text.'],
  [property('text'), `${longText}x`, 'The X may not be greater than 100000 characters.'],
  [property('text', { max_char_limit: 2 }), 'abc', 'The X may not be greater than 2 characters.'],
  [property('text', { max_char_limit: '2' }), 'abc', 'The X may not be greater than 2 characters.'],
  [property('text', { input_mask: '(999) 999' }), '123456', 'Does not match the required format: (999) 999'],
  [property('text', { input_mask: '99?' }), '123', 'Does not match the required format: 99?'],
  [property('rich_text'), true, 'The X must be a valid text.'],
  [
    property('rich_text', { max_char_limit: 3 }),
    '<p>abcd</p>',
    'The X may not be greater than 3 characters.',
  ],
  ...['abc', '0x10', ' 1', '1 ', '1,5', '1_000', 'NaN', 'Infinity', '1e', '--1', '٣'].map(
    (text): Refused => [property('number'), text, 'The X must be a number.'],
  ),
  ...['9007199254740993', '1e400', '1e-400', '0.10000000000000000001', '9007199254740992'].map(
    (text): Refused => [property('number'), text, 'The X cannot be stored exactly.'],
  ),
  [property('number'), 9007199254740992, 'The X cannot be stored exactly.'],
  [property('number'), true, 'The X must be a number.'],
  [property('number'), [1], 'The X must be a number.'],
  [property('number', { max_char_limit: 3 }), 1234, 'The X may not be greater than 3 characters.'],
  [property('number', { number_min_value: 0 }), -0.1, 'The X must be at least 0.'],
  [property('number', { number_max_value: 0 }), '0.1', 'The X may not be greater than 0.'],
  [property('number', { whole_number: '1' }), -1.5, 'The X must be an integer.'],
  [property('rating'), 6, 'The X may not be greater than 5.'],
  [property('rating'), -1, 'The X must be at least 0.'],
  [property('rating'), 2.5, 'The X must be an integer.'],
  [property('rating', { required: true }), 0, 'A rating must be selected'],
  [property('scale'), 0, 'The X must be at least 1.'],
  [property('scale'), 1.5, 'The selected X is invalid.'],
  [property('slider'), 51, 'The X may not be greater than 50.'],
  [property('slider'), 'much', 'The X must be a number.'],
  [property('select', options), 'red', 'The selected X is invalid.'],
  [property('select', options), 'Red ', 'The selected X is invalid.'],
  [
    property('select', { select: { options: [{ id: 'r', name: 'Red' }] } }),
    'r',
    'The selected X is invalid.',
  ],
  [property('select'), 5, 'The selected X is invalid.'],
  [property('select', options), ['Red'], 'The selected X is invalid.'],
  [property('multi_select', options), 'Red', 'The X must be an array.'],
  [property('multi_select', options), ['Red', 'Blue'], 'The selected X is invalid.'],
  [property('multi_select', options), ['Red', 'Red'], 'The selected X is invalid.'],
  [property('multi_select', options), ['Blue', 'Blue', 'Pink'], 'The selected X is invalid.'],
  [property('multi_select'), [1], 'The selected X is invalid.'],
  [property('multi_select', { ...options, min_selection: 2 }), ['Red'], 'Please select at least 2 options'],
  [property('multi_select', { ...options, min_selection: 2 }), [], 'Please select at least 2 options'],
  [
    property('multi_select', { ...options, max_selection: 1 }),
    ['Red', 'Green'],
    'Please select no more than 1 option',
  ],
  [property('checkbox'), 'yes', 'The X field must be true or false.'],
  [property('checkbox'), 2, 'The X field must be true or false.'],
  [property('checkbox', { required: true }), false, 'The X must be accepted.'],
  ...[
    'tomorrow',
    '2026-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-04-31',
    '0000-01-01',
    '2026-5-1',
    '01/05/2026',
    '2026-05-01T24:00',
    '2026-05-01T10:60',
    '2026-05-01T10:30:60',
    '2026-05-01T10:30+15:00',
    '2026-05-01\n',
  ].map((text): Refused => [property('date'), text, 'The X is not a valid date.']),
  [property('date'), 20260501, 'The X is not a valid date.'],
  [property('date', { disable_past_dates: true }), '2026-04-30', 'The X must be a date after yesterday.'],
  [property('date', { disable_future_dates: true }), '2026-05-02', 'The X must be a date before tomorrow.'],
  [property('date', { date_range: true }), '2026-05-01', 'The X must be an array.'],
  [property('date', { date_range: true }), [null, '2026-05-01'], 'From date is required'],
  [property('date', { date_range: true }), ['2026-05-01'], 'To date is required'],
  [
    property('date', { date_range: true }),
    ['2026-05-02', '2026-05-01'],
    'From date must be before or equal to To date',
  ],
  [property('date', { date_range: true }), ['2026-05-01', 'x'], 'The X is not a valid date.'],
  [property('date', { date_range: true }), ['y', 'x'], 'The X is not a valid date.'],
  ...[
    'ann',
    'ann@',
    '@example.org',
    'ann@localhost',
    'a b@example.org',
    'a..b@example.org',
    '.a@example.org',
    'a@b@example.org',
    'ann@-example.org',
    'ann@example..org',
    'ann@example.org.',
    'ann@exam ple.org',
    'ann@example.org\n',
    `${'a'.repeat(65)}@b.co`,
    `a@${'b.'.repeat(130)}co`,
  ].map((address): Refused => [property('email'), address, 'The X must be a valid email address.']),
  ...[
    'example',
    'ftp://example.org',
    'javascript:alert(1)',
    'https://',
    'example.org:port',
    'ex ample.org',
    'example.org/a b',
    'https://ann@example.org',
  ].map((url): Refused => [property('url'), url, 'The X format is invalid.']),
  [property('phone_number'), '12', 'The X must be at least 6 characters.'],
  [property('phone_number'), 'FR+3374911', 'The X is too short.'],
  [property('phone_number'), '+337491197831234', 'The X is too long.'],
  [property('phone_number'), '+999123456', 'The X does not have a valid country code.'],
  [property('phone_number'), 'call +33749119783', 'The X is not a valid phone number.'],
  [property('phone_number'), 33749119783, 'The X must be a valid text.'],
  [
    property('phone_number', { unavailable_countries: ['fr'] }),
    '+33749119783',
    'The X does not have a valid country code.',
  ],
  [property('matrix', { rows: ['R1'], columns: ['Good'] }), { R1: 'Z' }, "Invalid value for row 'R1'."],
  [property('matrix', { rows: ['R1'], columns: ['Good'] }), ['Good'], 'The X field must be an array.'],
  [
    property('matrix', { rows: ['R1', 'R2'], columns: ['Good'], required: true }),
    { R1: 'Good' },
    "Missing value for row 'R2'.",
  ],
  [
    property('matrix', { rows: ['R1', 'R2'], columns: ['Good'], required: true }),
    { R1: 'Good', R2: null },
    "Value for row 'R2' is required.",
  ],
  [property('ranking', options), 'Red', 'The X must be an array.'],
  [property('ranking', options), ['Red', 'Green', 'Blue'], 'The selected X is invalid.'],
  [property('ranking', options), ['Red', 'Green', 'a, b', 1], 'The selected X is invalid.'],
  [property('ranking'), ['Red'], 'The selected X is invalid.'],
  [property('ranking', options), ['Green'], 'Not ranked: Red, a, b'],
  [property('ranking', options), ['Red', 'Red', 'Green', 'Red'], 'Ranked more than once: Red'],
  [property('ranking', options), { Red: '1', Green: '2' }, 'Not ranked: a, b'],
  [property('ranking', options), { Red: '2', Green: '2', 'a, b': '1' }, 'Place 2 is given more than once.'],
  [property('ranking', options), { Red: '9', Green: '2', 'a, b': '1' }, 'The X must be an array.'],
  [property('ranking', options), {}, 'Not ranked: Red, Green, a, b'],
];

test.each(ACCEPTED)('accepts %j: %j', (field, answer, stored = answer) => {
  const result = checkOne(field, answer);
  expect(result.errors).toBeNull();
  expect(result.stored).toEqual(stored);
  expect(Object.is(result.stored, -0)).toBe(false);
});

test.each(REFUSED)('refuses %j: %j', (field, answer, message) => {
  expect(checkOne(field, answer).errors).toEqual({ x: [message] });
});

test.each([
  'text',
  'number',
  'select',
  'multi_select',
  'checkbox',
  'date',
  'matrix',
  'ranking',
  'files',
  'hologram',
])('an empty %s is not stored, and fails required', (type) => {
  for (const empty of [null, '', []]) {
    expect(checkOne(property(type), empty)).toEqual({ answers: {}, stored: undefined, errors: null });
    expect(checkOne(property(type, { required: true }), empty).errors).toEqual({
      x: ['The X field is required.'],
    });
  }
});

test('a bare dial code, an empty matrix and empty rich text count as unanswered', () => {
  for (const [type, answer] of [
    ['phone_number', 'FR+33'],
    ['matrix', {}],
    ['rich_text', '<script>x</script>'],
  ] as const) {
    expect(checkOne(property(type), answer)).toMatchObject({ answers: {}, errors: null });
    expect(checkOne(property(type, { required: true }), answer).errors).toEqual({
      x: ['The X field is required.'],
    });
  }
});

/** A pattern that could match a blank in two ways took minutes for one of these. */
test('no text takes long to be no location', () => {
  const piece = fc.constantFrom(
    ' ',
    '1',
    '.',
    ',',
    ';',
    '°',
    '±',
    'N',
    'm',
    '-',
    '\n',
    '\t',
    '1.1',
    '          ',
  );
  const text = fc.array(piece, { maxLength: 200 }).map((pieces) => pieces.join('').slice(0, 200));
  const blanks = ' '.repeat(60);
  for (const hostile of [
    `1${blanks}1${blanks}x\ny\nz`,
    ...fc.sample(text, { seed: 20261123, numRuns: 5_000 }),
  ]) {
    const found = readLocation(hostile);
    if (found !== null) expect(readLocation(found)).toBe(found);
  }
});

test('zero and false are answers', () => {
  expect(checkOne(property('number', { required: true }), 0).errors).toBeNull();
  expect(checkOne(property('checkbox'), false).answers).toEqual({ x: false });
});

describe('rich text', () => {
  test.each([
    ['<a href="javascript:alert(1)">x</a>', '<a rel="noopener noreferrer nofollow">x</a>'],
    [
      '<a href="https://a.example" onclick="x">x</a>',
      '<a href="https://a.example" rel="noopener noreferrer nofollow">x</a>',
    ],
    ['<img src=x onerror=alert(1)>', undefined],
    ['<p style="color:red;position:fixed">x</p>', '<p style="color:red">x</p>'],
    ['<p style="background-color:url(javascript:x)">x</p>', '<p>x</p>'],
    ['a < b & c', 'a &lt; b &amp; c'],
    ['<li>a<svg><li>b', '<li>a</li><li>b</li>'],
  ])('%s becomes %s', (html, stored) => {
    expect(checkOne(property('rich_text'), html).stored).toBe(stored);
  });
});

test.each([
  ['rich_text', '<b><i>'.repeat(16_666)],
  ['rich_text', '<'.repeat(100_000)],
  ['email', 'a.'.repeat(500_000)],
  ['email', 'a@'.repeat(500_000)],
  ['url', 'a.'.repeat(500_000)],
  ['url', `${'a.'.repeat(50_000)}!`],
  ['number', '1'.repeat(1_000_000)],
  ['date', '2'.repeat(1_000_000)],
  ['phone_number', '+1'.repeat(500_000)],
  ['text', '9'.repeat(1_000_000)],
])('a hostile %s is refused in a moment', async (type, answer) => {
  // Hundreds of times what is needed.
  await expectCheap(2_000, () => {
    expect(checkOne(property(type, { input_mask: '9?'.repeat(120) }), answer).errors).not.toBeNull();
  });
});

describe('names', () => {
  test('hyphen and underscore are the same', () => {
    expect(fieldTypeOf('multi-select').name).toBe('multi_select');
    expect(fieldTypeOf('phone-number').name).toBe('phone_number');
    expect(fieldTypeOf('nf_page_break').name).toBe('nf-page-break');
  });

  test.each(INPUT_TYPES)('%s has rules', (type) => {
    expect(fieldTypeOf(type).name).toBe(type);
  });

  test('anything else is unknown', () => {
    for (const name of ['constructor', '__proto__', '', 'TEXT', 'nf-other'])
      expect(fieldTypeOf(name).name).toBe('unknown');
  });

  test('layout blocks ask nothing', () => {
    expect(isLayoutBlock('nf-text')).toBe(true);
    expect(isLayoutBlock('text')).toBe(false);
    expect(checkOne(property('nf-text', { required: true }), 'sent')).toEqual({
      answers: {},
      stored: undefined,
      errors: null,
    });
  });
});

describe('text of a stored answer', () => {
  test.each<[string, JsonValue, string, Partial<Property>?]>([
    ['text', '=1+1', '=1+1'],
    ['number', 1e-7, '0.0000001'],
    ['number', -1.25e-8, '-0.0000000125'],
    ['number', 42, '42'],
    ['checkbox', true, 'true'],
    ['checkbox', false, 'false'],
    ['multi_select', ['a, b', 'c'], 'a, b, c'],
    ['ranking', ['c', 'a, b'], 'c, a, b'],
    ['date', '2026-05-01', '2026-05-01'],
    ['date', ['2026-05-01', '2026-05-02'], '2026-05-01, 2026-05-02'],
    ['matrix', { R2: 'Bad', R1: 'Good' }, 'R1: Good | R2: Bad', { rows: ['R1', 'R2'] }],
    ['hologram', { a: [1] }, '{"a":[1]}'],
    ['hologram', 'plain', 'plain'],
  ])('%s %j is %s', (type, answer, text, options = {}) => {
    expect(fieldTypeOf(type).toText(answer, property(type, options))).toBe(text);
  });
});
