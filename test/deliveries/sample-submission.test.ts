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
