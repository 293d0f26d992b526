import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileForm } from '../../fields/compile-form.ts';
import { messagesFor } from '../../fields/languages/languages.ts';
import type { JsonValue, Property } from '../../fields/property.ts';
import { serverEngines } from '../../fields/server-engines.ts';
import { describeAnswers } from '../../server/answer-schema/describe-answers.ts';
import { FIELD_CASES } from './field-cases.ts';
import { validatorsOf } from './validators.ts';

/** Answers of every shape: what is accepted for storing fits, whether complete or partial. */
const OPTIONS: Record<string, object> = {
  select: { options: ['A', 'B'] },
  multi_select: { options: ['A', 'B'], min_selection: 2 },
  ranking: { options: ['A', 'B'] },
  matrix: { rows: ['R1', 'R2'], columns: ['A', 'B'] },
  repeat: {
    questions: [
      { id: 'q', type: 'text', name: 'Q', required: true },
      { id: 'n', type: 'number', name: 'N' },
      { id: 'many', type: 'multi_select', name: 'M', options: ['A', 'B'], min_selection: 2 },
      { id: 'on', type: 'checkbox', name: 'O', required: true },
      { id: 'phone', type: 'phone_number', name: 'P', required: true },
    ],
  },
};
const types = [...new Set(FIELD_CASES.map(({ field }) => field.type.replace('-', '_')))];
const properties: Property[] = types.flatMap((type) =>
  [false, true].map((required) => ({
    id: `${type}-${required}`,
    type,
    name: type,
    required,
    ...OPTIONS[type],
  })),
);

const LIKELY: JsonValue[] = [
  'A',
  ['A', 'B'],
  ['B'],
  true,
  0,
  '0',
  5,
  '2026-05-01',
  'a@b.co',
  'b.co',
  '+33749119783',
  '+33',
  '48.85, 2.29',
  { R1: 'A', R2: 'B' },
  { R1: 'A' },
  { A: '2', B: '1' },
  [{ q: 'A', many: ['A', 'B'], on: 1, phone: '+33749119783' }, {}],
  [{ q: ' ', on: '0' }],
  [{ n: '1e3', many: ['A'], phone: '+33' }],
  '<p>x<i>y',
  ['sample_0f8fad5b-d9cb-469f-a165-70867728950e.pdf'],
  '0F8FAD5B-d9cb-469f-a165-70867728950e',
];
const json = fc.oneof(
  fc.constantFrom(...LIKELY),
  fc.string({ unit: 'grapheme' }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.jsonValue({ maxDepth: 3 }),
) as fc.Arbitrary<JsonValue>;

/** Each field in a form of its own: of answers to all of them, nearly every set would be refused. */
const forms = properties.map((property) => {
  const compiled = compileForm({ properties: [property], messages: messagesFor('en') }, serverEngines);
  const form = {
    id: 1,
    title: '',
    properties: [property],
    compiled,
    isEditable: false,
    presentation: { endings: [] },
  };
  return { property, compiled, ...validatorsOf(describeAnswers(form)) };
});

/** @returns whether the answer would be stored; if so, it has to fit */
function isStored(
  { property, compiled, expectFits }: (typeof forms)[number],
  answer: JsonValue,
  partial: boolean,
) {
  const { answers, errors } = compiled.check({ [property.id]: answer }, { partial });
  if (errors !== null) return false;
  expectFits(partial ? 'PartialAnswers' : 'Answers', { ...answers });
  return Object.hasOwn(answers, property.id);
}

test.each([true, false])('what is accepted fits as it would be stored; partial: %s', (partial) => {
  const never = forms.filter(
    (form) => LIKELY.filter((answer) => isStored(form, answer, partial)).length === 0,
  );
  expect(never.map(({ property }) => property.id)).toEqual([]);
  fc.assert(
    fc.property(fc.constantFrom(...forms), json, (form, answer) => {
      isStored(form, answer, partial);
    }),
    { numRuns: 10_000 },
  );
});
