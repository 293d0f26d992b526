import fc from 'fast-check';
import { fieldTypeOf } from '../../fields/field-types.ts';
import type { Answers, JsonValue, Property } from '../../fields/property.ts';

/** A form with all kinds of fields, rules and conditions, and answers that its page can send. */
interface RandomForm {
  properties: Property[];
  answers: Answers;
}

type Field = { options: Record<string, JsonValue>; answer: JsonValue | undefined };

const word = fc.constantFrom('a', 'b', 'Ada', '12', '3.5', '-1', '0', 'x@y.org', '2026-05-01', ' ', 'ö');
const names = fc.uniqueArray(fc.constantFrom('Red', 'Green', 'Blue', '1', 'a'), { minLength: 1 });
const day = fc.constantFrom(
  '2020-02-29',
  '2026-05-01',
  '2099-12-31',
  '2026-02-30',
  'soon',
  '2026-05-01 13:05',
);
const file = fc.uuid().map((id) => `cv_${id}.pdf`);
const limit = fc.option(fc.integer({ min: 1, max: 5 }), { nil: null });
const flag = fc.boolean();

function field(options: Record<string, fc.Arbitrary<JsonValue>>, answer: fc.Arbitrary<JsonValue>) {
  return fc.record({ options: fc.record(options), answer: fc.option(answer, { nil: undefined }) });
}

const steps = (type: string) =>
  field(
    {
      [`${type}_min_value`]: fc.constantFrom(0, 1, -5),
      [`${type}_max_value`]: fc.constantFrom(5, 10),
      [`${type}_step_value`]: fc.constantFrom(1, 0.5),
    },
    fc.constantFrom('0', '1', '2.5', '7', '11', 'x'),
  );

/** For each type: a field with options, and an answer its controls may send, valid or not. */
const FIELDS: Record<string, fc.Arbitrary<Field>> = {
  text: field({ max_char_limit: limit, input_mask: fc.constantFrom(null, '999', 'a9?') }, word),
  rich_text: field({ max_char_limit: limit }, fc.constantFrom('<p>a</p>', '<b>abcdefg</b>', '<p>öäü</p>')),
  number: field(
    {
      max_char_limit: limit,
      number_min_value: fc.constantFrom(null, -1, 2.5),
      number_max_value: fc.constantFrom(null, 3, 100),
      whole_number: flag,
    },
    fc.oneof(word, fc.constantFrom('1e400', '9007199254740993', '-1', '2.4', '2.5', '3', '101')),
  ),
  rating: field({ rating_max_value: fc.constantFrom(3, 5) }, fc.constantFrom('0', '1', '3', '5')),
  scale: steps('scale'),
  slider: steps('slider'),
  select: names.chain((options) =>
    field(
      {
        select: fc.constant({ options: options.map((name) => ({ name, id: name })) }),
        allow_creation: fc.constant(false),
      },
      fc.constantFrom(...options),
    ),
  ),
  multi_select: fc.tuple(names, flag).chain(([options, allowsOwn]) =>
    field(
      {
        // Perhaps the first one rules out the others.
        multi_select: flag.map((exclusive) => ({
          options: options.map((name, at) => (at === 0 ? { name, exclusive } : name)),
        })),
        min_selection: limit,
        max_selection: limit,
        allow_creation: fc.constant(allowsOwn),
      },
      fc.subarray(allowsOwn ? [...options, 'Own'] : options, { minLength: 1 }),
    ),
  ),
  checkbox: fc.record({ options: fc.constant({}), answer: fc.boolean() }),
  date: field(
    { disable_past_dates: flag, disable_future_dates: flag, with_time: flag, prefill_today: flag },
    day,
  ),
  range: field({ date_range: fc.constant(true) }, fc.tuple(fc.oneof(day, fc.constant('')), day)),
  email: field({ max_char_limit: limit }, fc.constantFrom('x@y.org', 'x', 'ä@ö.de', 'x@y')),
  url: field({ max_char_limit: limit }, fc.constantFrom('example.org', 'https://example.org/a b', 'x')),
  phone_number: field(
    { unavailable_countries: fc.constantFrom(null, ['FR']), use_simple_text_input: flag },
    fc.constantFrom('+33749119783', 'FR0749119783', '0749', '+44', '+999999999999999'),
  ),
  matrix: field(
    { rows: fc.constant(['One', 'Two']), columns: fc.constant(['Good', 'Bad']) },
    fc.constantFrom<JsonValue>({ One: 'Good' }, { One: 'Good', Two: 'Bad' }),
  ),
  ranking: field(
    { options: fc.constant(['One', 'Two', 'Three']) },
    fc.shuffledSubarray(['One', 'Two', 'Three'], { minLength: 2 }),
  ),
  files: field({ multiple: flag }, fc.uniqueArray(file, { minLength: 1, maxLength: 3 })),
  signature: field({}, fc.oneof(file, fc.constantFrom('Ada', 'data:image/png;base64,iVBORw0KGgo='))),
  barcode: field({ max_char_limit: limit }, word),
  location: field({}, fc.oneof(word, fc.constantFrom('1, 2', ' 48.8582,2.2945', '-33.9 -180 3 7'))),
  repeat: field(
    {
      questions: fc.constant([
        { id: 'a', type: 'text', name: 'Name', required: true },
        { id: 'b', type: 'number', name: 'Age' },
        { id: 'c', type: 'multi_select', name: 'Days', options: ['Fri', 'Sun'], min_selection: 2 },
        { id: 'd', type: 'date', name: 'From', disable_past_dates: true },
        { id: 'e', type: 'checkbox', name: 'Agreed', required: true },
      ]),
      min_entries: limit,
      max_entries: limit,
      entry_name: fc.constantFrom(null, 'Person'),
    },
    fc.array(
      fc.record<Record<string, JsonValue>>(
        { a: word, b: word, c: fc.constant(['Fri']), d: day, e: flag, x: word },
        { requiredKeys: [] },
      ) as fc.Arbitrary<JsonValue>,
      { minLength: 1, maxLength: 6 },
    ),
  ),
  payment: field({}, fc.constantFrom('pi_1', 'x')),
  hologram: field({}, word),
};

const ACTIONS = [
  'show-block',
  'hide-block',
  'require-answer',
  'make-it-optional',
  'disable-block',
  'enable-block',
];
const value = fc.oneof(
  word,
  names.map((list) => list as JsonValue),
  fc.constantFrom<JsonValue>(1, 0, true, null, { One: 'Good' }, '^A', '[0-9]+'),
);

/** A tree of conditions about these fields, as clients write them. */
function conditions(fields: readonly { id: string; type: string }[], depth = 2): fc.Arbitrary<JsonValue> {
  const leaf = fc.constantFrom(...fields).chain(({ id, type }) =>
    fc.tuple(fc.constantFrom(...operatorsOf(type)), fc.oneof(value, mention(fields))).map(
      ([operator, wanted]): JsonValue => ({
        identifier: id,
        value: { operator, property_meta: { id, type }, value: wanted },
      }),
    ),
  );
  const node = depth === 0 ? leaf : fc.oneof({ weight: 3, arbitrary: leaf }, conditions(fields, depth - 1));
  return fc.record({
    operatorIdentifier: fc.constantFrom('and', 'or'),
    children: fc.array(node, { minLength: 1, maxLength: 2 }),
  });
}

function operatorsOf(type: string): string[] {
  const { operators } = fieldTypeOf(type);
  return operators.length > 0 ? [...operators] : ['is_empty'];
}

function mention(fields: readonly { id: string }[]): fc.Arbitrary<string> {
  return fc
    .constantFrom(...fields)
    .map(({ id }) => `<span mention mention-field-id="${id}" mention-fallback="a">x</span>`);
}

/** Forms of up to seven fields, most of them with conditions and rules about other fields. */
export const randomForms: fc.Arbitrary<RandomForm> = fc
  .array(fc.constantFrom(...Object.keys(FIELDS)), { minLength: 1, maxLength: 7 })
  .chain((types) => {
    const fields = types.map((type, index) => ({ id: `f-${index}`, type: type === 'range' ? 'date' : type }));
    const rules = fc.record({
      flags: fc.record({ hidden: flag, required: flag, disabled: flag }),
      logic: fc.option(fc.tuple(conditions(fields), fc.subarray(ACTIONS, { minLength: 1 })), { nil: null }),
      validation: fc.option(conditions(fields), { nil: null, freq: 3 }),
      prefill: fc.option(fc.oneof(word, fc.constantFrom(0, false, 1), names), { nil: null, freq: 3 }),
    });
    const pageBreak = fc.option(
      fc.record({
        at: fc.nat({ max: types.length }),
        hidden: flag,
        conditions: conditions(fields),
        action: fc.constantFrom('show-block', 'hide-block'),
      }),
      { nil: null },
    );
    const one = (type: string) => fc.tuple(FIELDS[type] as fc.Arbitrary<Field>, rules);
    return fc.tuple(fc.tuple(...types.map(one)), pageBreak).map(([drawn, pageStart]) => {
      const answers: Answers = Object.create(null);
      const properties = drawn.map(([{ options, answer }, { flags, logic, validation, prefill }], index) => {
        const { id, type } = fields[index]!;
        if (answer !== undefined) answers[id] = answer;
        return {
          id,
          type,
          name: `Field ${index}`,
          ...options,
          ...flags,
          prefill,
          ...(logic && { logic: { conditions: logic[0], actions: logic[1] } }),
          ...(validation && {
            validation: { error_conditions: { conditions: validation }, error_message: 'Not like this.' },
          }),
        } as unknown as Property;
      });
      if (pageStart) properties.splice(pageStart.at, 0, breakOf(pageStart));
      return { properties, answers };
    });
  });

function breakOf({ hidden, conditions, action }: { hidden: unknown; conditions: unknown; action: string }) {
  const logic = { conditions, actions: [action] };
  return { id: 'break', type: 'nf-page-break', name: 'Page', hidden, logic } as unknown as Property;
}
