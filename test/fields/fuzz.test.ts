import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exactNumber, plainNumber } from '../../fields/as-text/numbers.ts';
import { checkProperties } from '../../fields/check-properties.ts';
import { compileForm } from '../../fields/compile-form.ts';
import { fieldTypeOf } from '../../fields/field-types.ts';
import { messagesFor } from '../../fields/languages/languages.ts';
import { checkConditions } from '../../fields/logic/check-logic.ts';
import { ALL_OPERATORS } from '../../fields/logic/operator-names.ts';
import type { ConditionGroup, JsonValue, Property } from '../../fields/property.ts';
import { serverEngines as engines } from '../../fields/server-engines.ts';
import { INPUT_TYPES } from '../../fields/type-names.ts';
import { conditionsMet } from './forms.ts';

const TYPES = [...INPUT_TYPES, 'hologram', 'nf-text'];
const properties: Property[] = TYPES.map((type) => ({
  id: type,
  type,
  name: type,
  options: type.includes('select') || type === 'ranking' ? ['A', 'B'] : null,
  rows: ['R1', '__proto__'],
  columns: ['A', 'B'],
  questions: [
    { id: 'q', type: 'text', name: 'Q' },
    { id: '__proto__', type: 'number', name: 'N', required: true },
    { id: 'many', type: 'multi_select', name: 'M', options: ['A', 'B'] },
    { id: 'on', type: 'date', name: 'D' },
  ],
}));
const form = compileForm({ properties, messages: messagesFor('en') }, engines);

/** Answers that are often valid, and any JSON. */
const likely = fc.oneof(
  fc.constantFrom<JsonValue>(
    'A',
    ['A', 'B'],
    true,
    '1',
    '4',
    3,
    '2026-05-01',
    ['2026-05-01', '2026-05-02'],
    'a@b.co',
    'b.co',
    'FR+33749119783',
    { R1: 'A' },
    { A: '2', B: 1 },
    '48.8582, 2.2945 ±12 m',
    'data:image/png;base64,iVBORw0KGgo=',
    [{ q: 'A', many: ['A'] }, {}, { ['__proto__']: '4', on: '2026-05-01', lost: 1 }],
    [{ many: [{}] }, ['A']],
    '<p>x<i>y',
    '<a href=x>',
    '0.10',
    'FR+33',
  ),
  fc.string({ unit: 'grapheme' }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
);
const json = fc.oneof(likely, fc.jsonValue({ maxDepth: 4 })) as fc.Arbitrary<JsonValue>;
const answers = fc.record(Object.fromEntries(TYPES.map((type) => [type, json])), { requiredKeys: [] });

/** Text that is nearly HTML. */
const markup = fc
  .array(
    fc.constantFrom(
      '<',
      '>',
      '</',
      '&',
      '"',
      "'",
      ' ',
      'a',
      'p',
      'b',
      'href=',
      'javascript:',
      '&lt;',
      '&#60;',
      ' style="',
      'color:red',
      ';',
      '<script>',
      '<!--',
      '-->',
      '<a ',
      '<svg>',
      '<br>',
      '\\',
      '\n',
      '<textarea>',
      '<li>',
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(''));

/** Objects with the member names this module looks for, holding anything. */
const words = fc.constantFrom(
  'id',
  'type',
  'toString',
  'name',
  'logic',
  'conditions',
  'actions',
  'operatorIdentifier',
  'children',
  'identifier',
  'value',
  'operator',
  'property_meta',
  'validation',
  'error_conditions',
  'options',
  'select',
  'rows',
  'questions',
  'min_entries',
  'decoders',
  'amount',
  'currency',
  'image',
  'url',
  '__proto__',
);
const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 6, depthSize: 'medium' },
    fc.constantFrom<unknown>(
      'and',
      'or',
      'x',
      'text',
      'equals',
      'matches_regex',
      '(',
      null,
      0,
      true,
      '',
      [],
      {},
    ),
    fc.jsonValue({ maxDepth: 1 }),
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.dictionary(words, tie('tree'), { maxKeys: 6 }),
  ),
}));

test('check never throws, and what it accepts is accepted again unchanged', () => {
  fc.assert(
    fc.property(answers, (sent) => {
      const first = form.check(sent as Record<string, JsonValue>);
      form.lookups(sent as Record<string, JsonValue>);
      if (first.errors !== null) return;
      const again = form.check(first.answers);
      expect(again.errors).toBeNull();
      expect(JSON.stringify(again.answers)).toBe(JSON.stringify(first.answers));
    }),
    { numRuns: 2000 },
  );
});

test('each type: what it accepts alone is accepted again unchanged, and has a text', () => {
  fc.assert(
    fc.property(fc.constantFrom(...TYPES), json, (type, answer) => {
      const first = form.check({ [type]: answer });
      if (first.errors !== null) return;
      expect(JSON.stringify(form.check(first.answers))).toBe(JSON.stringify(first));
      const stored = first.answers[type];
      if (stored !== undefined)
        expect(fieldTypeOf(type).toText(stored, properties[TYPES.indexOf(type)]!)).toBeTypeOf('string');
    }),
    { numRuns: 5000 },
  );
});

test('checks of forms and conditions never throw', () => {
  fc.assert(
    fc.property(fc.array(tree), tree, (blocks, conditions) => {
      checkProperties(blocks, engines);
      checkProperties(conditions, engines);
      expect(checkConditions(conditions, properties, engines)).toBeInstanceOf(Array);
      conditionsMet(conditions as ConditionGroup, {}, { properties, engines });
    }),
    { numRuns: 2000 },
  );
});

test('a form that passes its checks compiles and checks any answers without throwing', () => {
  const block = fc
    .tuple(fc.constantFrom(...TYPES), fc.dictionary(words, tree, { maxKeys: 5 }))
    .map(([type, options]) => ({ ...options, id: 'x', name: 'X', type }));
  fc.assert(
    fc.property(block, json, (property, answer) => {
      if (Object.keys(checkProperties([property], engines)).length > 0) return;
      const one = compileForm({ properties: [property as Property], messages: messagesFor('en') }, engines);
      one.check({ x: answer });
    }),
    { numRuns: 2000 },
  );
});

test('operators never throw, whatever answer meets whatever value', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...TYPES),
      fc.constantFrom(...ALL_OPERATORS),
      json,
      json,
      (type, operator, value, answer) => {
        const leaf = { identifier: type, value: { operator, property_meta: { id: type, type }, value } };
        const met = conditionsMet(
          { operatorIdentifier: 'and', children: [leaf] },
          { [type]: answer },
          { properties, engines },
        );
        expect(met).toBeTypeOf('boolean');
      },
    ),
    { numRuns: 5000 },
  );
});

test('numbers are read exactly and written plainly', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
      expect(exactNumber(String(number))).toBe(number + 0);
      expect(plainNumber(number)).not.toContain('e');
      expect(Number(plainNumber(number))).toBe(number + 0);
    }),
  );
});

test('sanitising twice is sanitising once, and leaves no way to run a script', () => {
  fc.assert(
    fc.property(markup, (html) => {
      const once = engines.sanitiseHtml(html);
      expect(engines.sanitiseHtml(once)).toBe(once);
      expect(once).not.toMatch(/<(?!\/?(?:h1|h2|b|u|strong|i|em|a|ul|ol|li|p|br|span)\b)/);
      expect(once).not.toMatch(/<[^>]*="\s*javascript:/);
    }),
    { numRuns: 5000 },
  );
});
