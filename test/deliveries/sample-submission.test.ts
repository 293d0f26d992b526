import { expect, test } from 'vitest';
import { compileForm } from '../../fields/compile-form.ts';
import { messagesFor } from '../../fields/languages/languages.ts';
import type { Property } from '../../fields/property.ts';
import { serverEngines } from '../../fields/server-engines.ts';
import { sampleAnswers } from '../../server/deliveries/sample-submission.ts';

const OPTIONS = [
  { id: 'r', name: 'Red' },
  { id: 'b', name: 'Blue' },
];

const INPUTS: Record<string, object> = {
  text: {},
  rich_text: {},
  number: {},
  rating: {},
  scale: {},
  slider: {},
  checkbox: {},
  select: { select: { options: OPTIONS } },
  multi_select: { multi_select: { options: OPTIONS } },
  'multi-select': { options: ['Red'] },
  exclusive: {
    type: 'multi_select',
    options: [{ name: 'None', exclusive: true }, 'Red', 'Blue'],
    min_selection: 2,
  },
  onlyExclusive: { type: 'multi_select', options: [{ name: 'None', exclusive: true }] },
  date: {},
  range: { type: 'date', date_range: true },
  email: {},
  url: {},
  phone_number: {},
  matrix: { rows: ['Row 1', 'Row 2'], columns: ['Good', 'Bad'] },
  ranking: { ranking: { options: OPTIONS } },
  location: {},
  repeat: {
    min_entries: 2,
    questions: [
      { id: '__proto__', type: 'text', name: 'Name', required: true },
      { id: 'size', type: 'select', name: 'Size', options: ['S'], required: true },
    ],
  },
  hologram: {},
};

const properties = Object.entries(INPUTS).map(
  ([type, options]): Property => ({ id: `field-${type}`, type, name: type, required: true, ...options }),
);

test('made-up answers pass the rules of every field type', () => {
  const answers = sampleAnswers(properties);
  expect(Object.keys(answers)).toHaveLength(properties.length);
  const { errors } = compileForm({ properties, messages: messagesFor('en') }, serverEngines).check(answers);
  expect(errors).toBeNull();
  expect(answers['field-select']).toBe('Red');
});

test.each<[object, unknown]>([
  [{ type: 'text', input_mask: '(999) aa-**9?' }, '(123) aa-aa4'],
  [{ type: 'text', input_mask: '99a?9?', max_char_limit: 3 }, '12'],
  [{ type: 'text', max_char_limit: 7 }, 'Sample'],
  [{ type: 'barcode', max_char_limit: 3 }, 'Sam'],
  [{ type: 'rich_text', max_char_limit: 3 }, '<p>Sam</p>'],
  [{ type: 'email', max_char_limit: 10 }, 'j@e.co'],
  [{ type: 'url', max_char_limit: 12 }, 'example.com'],
  [{ type: 'url', max_char_limit: 5 }, 'e.co'],
  [{ type: 'phone_number', unavailable_countries: ['fr', 'US'] }, '+442079460018'],
  [{ type: 'phone_number', unavailable_countries: ['FR', 'GB', 'US'] }, '+4930123456'],
  [{ type: 'phone_number', unavailable_countries: ['FR'] }, '+12015550123'],
  [{ type: 'phone_number', use_simple_text_input: true, input_mask: '99 99' }, '12 34'],
  [{ type: 'phone_number', use_simple_text_input: true, max_char_limit: 6 }, '+33123'],
  [{ type: 'rating', rating_max_value: 2 }, 2],
  [{ type: 'number', number_min_value: 7.5, whole_number: true }, 8],
  [{ type: 'multi_select', options: ['Red', 'Blue', 'Green'], min_selection: 2 }, ['Red', 'Blue']],
  [{ type: 'multi_select', min_selection: 2, allow_creation: true }, ['Sample option', 'Sample option 2']],
  [{ type: 'date', disable_past_dates: true }, '2030-01-31'],
  [{ type: 'date', disable_future_dates: true, date_range: true }, ['2020-01-31', '2020-01-31']],
  [
    { type: 'date', disable_future_dates: true, disable_past_dates: true },
    expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
  ],
])('masks and limits hold for made-up answers: %j', (options, sample) => {
  const property = { id: 'field', name: 'Field', required: true, type: 'text', ...options };
  const answers = sampleAnswers([property]);
  expect(answers.field).toEqual(sample);
  const form = compileForm({ properties: [property], messages: messagesFor('en') }, serverEngines);
  expect(form.check(answers).errors).toBeNull();
});

test('blocks without a question get none', () => {
  expect({ ...sampleAnswers([{ id: 'a', type: 'nf-text', name: 'Hello' }]) }).toEqual({});
});

test('any field id is an ordinary key', () => {
  const answers = sampleAnswers([{ id: '__proto__', type: 'text', name: 'Odd' }]);
  expect(Object.entries(answers)).toEqual([['__proto__', 'Sample text']]);
});

test('what nobody could answer has something of its shape', () => {
  const fields = ['files', 'signature', 'matrix'].map((type) => ({ id: type, type, name: type }));
  expect({ ...sampleAnswers(fields) }).toEqual({
    files: [expect.stringMatching(/\.pdf$/)],
    signature: expect.stringMatching(/\.png$/),
    matrix: {},
  });
});
