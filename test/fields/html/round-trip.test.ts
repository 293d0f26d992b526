import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonValue, Property } from '../../../fields/property.ts';
import { checkOne, property } from '../forms.ts';
import { draw, formData, sendBack } from './page.ts';

/** Texts without the parts that browsers do not send back unchanged: NUL, and differences between line breaks. */
const text = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
  .map((value) => value.replaceAll('\0', ' ').replace(/\r\n?/g, '\n'));
const hostile = fc.constantFrom(
  '</textarea><b>',
  '"><img src=x>',
  '\n\nx',
  ' x ',
  "'&amp;",
  '<option>',
  'x\ny',
  '0',
);
const words = fc.oneof(text, hostile);
const names = fc.uniqueArray(fc.oneof(words, fc.constantFrom('0', '1', '2', '__proto__')), {
  minLength: 1,
  maxLength: 20,
});
const day = fc
  .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString());
const dates = fc.oneof(
  day.map((iso) => iso.slice(0, 10)),
  day.map((iso) => `${iso.slice(0, 10)} ${iso.slice(11, 16)}`),
  day,
);
const uuid = fc.uuid();
const file = fc
  .tuple(fc.stringMatching(/^[a-z0-9 .()-]{0,20}$/), uuid)
  .map(([name, id]) => `${name}_${id}.pdf`);
const flags = (...keys: string[]) =>
  fc.record(Object.fromEntries(keys.map((key) => [key, fc.boolean()]))) as fc.Arbitrary<Partial<Property>>;
const mode = fc.constantFrom('text_only', 'text_and_image', 'image_only');
const steps = fc
  .tuple(fc.integer({ min: -20, max: 20 }), fc.constantFrom(0.1, 0.25, 1, 3), fc.nat(100), fc.nat(100))
  .map(([min, step, count, at]) => ({
    min,
    step,
    max: min + step * count,
    value: min + step * Math.min(at, count),
  }));

type Case = [Property, JsonValue];

function stepped(type: 'scale' | 'slider'): fc.Arbitrary<Case> {
  return steps.map(({ min, max, step, value }) => [
    property(type, {
      [`${type}_min_value`]: min,
      [`${type}_max_value`]: max,
      [`${type}_step_value`]: step,
    }),
    value,
  ]);
}

function ofType(type: string, options: fc.Arbitrary<Partial<Property>>, answer: fc.Arbitrary<JsonValue>) {
  return fc.tuple(options, answer).map(([own, value]): Case => [property(type, own), value]);
}

const none = fc.constant({});

/** For each type, a field and an answer that is nearly always valid. */
const CASES: Record<string, fc.Arbitrary<Case>> = {
  text: ofType('text', flags('multi_lines', 'secret_input', 'show_char_limit'), words),
  'text with a mask': ofType(
    'text',
    fc.constant({ input_mask: '(999) a?' }),
    fc.constantFrom('(123) ', '(123) b'),
  ),
  rich_text: ofType(
    'rich_text',
    none,
    words.map((value) => `<p>${value.replace(/[<>&]/g, '')}</p>`),
  ),
  number: ofType('number', none, fc.oneof(fc.integer(), fc.double({ noNaN: true, min: -1e9, max: 1e9 }))),
  rating: fc
    .integer({ min: 1, max: 30 })
    .chain((max) => ofType('rating', fc.constant({ rating_max_value: max }), fc.integer({ min: 0, max }))),
  scale: stepped('scale'),
  slider: stepped('slider'),
  select: names.chain((list) =>
    fc.tuple(flags('without_dropdown', 'allow_creation'), mode, fc.constantFrom(...list), words).map(
      ([own, display, name, other]): Case => [
        property('select', {
          ...own,
          option_display_mode: display,
          select: { options: list.map((option) => ({ name: option, image: 'https://example.com/a.png' })) },
        }),
        own.allow_creation ? other : name,
      ],
    ),
  ),
  'select without options': ofType('select', none, words),
  multi_select: names.chain((list) =>
    fc
      .tuple(flags('allow_creation'), fc.shuffledSubarray(list, { minLength: 1 }), fc.uniqueArray(words))
      .map(
        ([own, chosen, others]): Case => [
          property('multi_select', { ...own, multi_select: { options: list.map((name) => ({ name })) } }),
          own.allow_creation ? [...new Set([...chosen, ...others])] : chosen,
        ],
      ),
  ),
  checkbox: ofType(
    'checkbox',
    flags('use_toggle_switch'),
    fc.constantFrom<JsonValue>(true, false, 1, 0, '1', '0'),
  ),
  date: ofType('date', flags('with_time'), dates),
  'date range': ofType(
    'date',
    fc.constant({ date_range: true }),
    fc.tuple(dates, dates).map((range) => range.sort()),
  ),
  email: ofType('email', none, fc.emailAddress()),
  url: ofType('url', none, fc.webUrl()),
  phone_number: ofType('phone_number', none, fc.constantFrom('+33749119783', 'FR+33749119783')),
  matrix: fc.tuple(names, names).chain(([rows, columns]) =>
    fc
      .array(fc.option(fc.constantFrom(...columns)), { minLength: rows.length, maxLength: rows.length })
      .filter((chosen) => chosen.some((column) => column !== null))
      .map(
        (chosen): Case => [
          property('matrix', { rows, columns }),
          Object.fromEntries(rows.flatMap((row, index) => (chosen[index] ? [[row, chosen[index]]] : []))),
        ],
      ),
  ),
  ranking: names.chain((list) =>
    fc
      .shuffledSubarray([...new Set(list)], { minLength: new Set(list).size })
      .map((order): Case => [property('ranking', { ranking: { options: list } }), order]),
  ),
  files: ofType(
    'files',
    fc.constant({ multiple: true }),
    fc.oneof(file, fc.uniqueArray(fc.oneof(file, uuid), { minLength: 1, maxLength: 5 })),
  ),
  signature: ofType(
    'signature',
    none,
    fc.oneof(file, fc.constantFrom('Ada Lovelace', 'data:image/png;base64,iVBORw0KGgo=')),
  ),
  barcode: ofType('barcode', none, words),
  location: ofType('location', none, fc.constantFrom('48.8582, 2.2945', '-33.9, 151 ±12 m', '0, 0')),
  repeat: fc
    .array(
      fc.record(
        {
          '0': words,
          'a[b]': fc.integer(),
          list: fc.constantFrom('A', '"B"'),
          on: day.map((iso) => iso.slice(0, 10)),
        },
        { requiredKeys: [] },
      ),
      { minLength: 1, maxLength: 5 },
    )
    .map(
      (entries): Case => [
        property('repeat', {
          questions: [
            { id: '0', type: 'text', name: '0', multi_lines: true },
            { id: 'a[b]', type: 'number', name: 'Number' },
            { id: 'list', type: 'select', name: 'List', options: ['A', '"B"'] },
            { id: 'on', type: 'date', name: 'On' },
          ],
        }),
        entries as JsonValue,
      ],
    ),
  payment: ofType('payment', none, words),
  hologram: ofType('hologram', none, words),
};

/** The stored value, without what a form cannot express: the separator of day and time, and the order of checkboxes. */
function stored(field: Property, answer: JsonValue | undefined): JsonValue | undefined {
  if (answer === undefined) return undefined;
  const { stored: value } = checkOne(field, answer);
  if (field.type === 'multi_select' && Array.isArray(value)) return value.toSorted();
  if (field.type !== 'date') return value;
  const asked = (date: JsonValue) => {
    const plain = String(date).replace(/^([\d-]{10})T([\d:.]+)$/, '$1 $2');
    // where a time is asked for, a day alone means its midnight
    return field.with_time && plain.length === 10 ? `${plain} 00:00` : plain;
  };
  return Array.isArray(value) ? value.map(asked) : asked(value ?? null);
}

describe('an answer that is shown and sent back is the same answer', () => {
  test.each(Object.entries(CASES))('%s', (_name, cases) => {
    let valid = 0;
    fc.assert(
      fc.property(cases, ([field, answer]) => {
        if (checkOne(field, answer).errors !== null) return;
        valid += 1;
        const expected = stored(field, answer);
        // a box for which nothing came is unticked
        const sent = sendBack(field, answer).x;
        expect(stored(field, sent)).toEqual(expected);
        expect(stored(field, sendBack(field, answer, { isRequired: true }).x)).toEqual(expected);
        expect(stored(field, sendBack(field, answer, { isDisabled: true }).x)).toEqual(expected);
        expect(stored(field, sendBack({ ...field, hidden: true }, answer).x)).toEqual(expected);
      }),
      { numRuns: 150 },
    );
    expect(valid).toBeGreaterThan(30);
  });
});

test('answers of any shape are shown, and nothing breaks', () => {
  const fields = Object.values(CASES).map((cases) => cases.map(([field]) => field));
  fc.assert(
    fc.property(
      fc.oneof(...fields),
      fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<JsonValue>,
      (field, answer) => {
        formData(draw(field, { answer, isRequired: true, problems: { x: ['Wrong.'] } }));
        draw({ ...field, hidden: true }, { answer });
        sendBack(field, answer);
      },
    ),
    { numRuns: 1000 },
  );
});

test('options of any shape are drawn, and nothing breaks', () => {
  const types = [...new Set(Object.values(CASES).map((cases) => fc.sample(cases, 1)[0]?.[0].type ?? ''))];
  const options = [
    'select',
    'multi_select',
    'options',
    'rows',
    'columns',
    'help',
    'image',
    'placeholder',
    'decoders',
    'width',
    'unavailable_countries',
    'input_mask',
    'max_char_limit',
    'show_char_limit',
    'rating_max_value',
    'scale_max_value',
    'scale_step_value',
    'slider_min_value',
    'allowed_file_types',
    'max_file_size',
    'min_selection',
    'max_selection',
    'date_format',
    'content',
    'image_block',
    'video_block',
    'audio_block',
    'hidden',
    'help_position',
    'questions',
    'min_entries',
    'max_entries',
    'entry_name',
  ];
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.integer(),
    fc.constant({ options: [1, null, { name: 'A' }] }),
  );
  fc.assert(
    fc.property(
      fc.constantFrom(
        ...types,
        'nf-text',
        'nf-image',
        'nf-video',
        'nf-audio',
        'nf-divider',
        'nf-code',
        'nf-page-break',
      ),
      fc.dictionary(fc.constantFrom(...options), value) as fc.Arbitrary<Partial<Property>>,
      (type, own) => {
        draw(property(type, { ...own, type }), { codeUrl: '/code' });
      },
    ),
    { numRuns: 1000 },
  );
});
