import { beforeAll, expect, test } from 'vitest';
import type { JsonValue } from '../../fields/property.ts';
import { aField } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';

/**
 * One condition, in whatever asks it, holds for the same answers: a required answer, a validation rule, a field that is hidden, one that
 * is shown, the webhook of a new and of a changed submission.
 */
const home = useHome({ env: { ROLES: 'http' } });

const SEED = 20261127;
const CONDITIONS = 16;
const SUBMISSIONS = 12;

const repeated = { questions: [{ id: 'who', type: 'text', name: 'Who' }] };
const options = { options: ['Red', 'blue', 'a, b'] };
const grid = { rows: ['One', 'Two'], columns: ['Yes', 'No'] };
/** Types with answers and, for each operator, values to compare with. */
const TYPES: [type: string, more: object, answers: JsonValue[], asked: Record<string, JsonValue[]>][] = [
  [
    'text',
    {},
    ['Red', '05', '5', 'Ä\u0308', '👩‍👧', ' x ', '%_'],
    {
      equals: ['5', 'Red'],
      does_not_equal: ['5', 'red'],
      contains: ['5', '%'],
      does_not_contain: ['_', '5'],
      starts_with: ['0', 'R'],
      ends_with: ['5', 'd'],
      content_length_equals: [1, 5],
      content_length_less_than: [2, '3'],
      matches_regex: ['^[0-9]+$', '^.$'],
    },
  ],
  [
    'number',
    {},
    [0, -1, 5, 0.1 + 0.2, 1e-7],
    { equals: [5, '0', 0.3], does_not_equal: [0], greater_than: [0, '4.9'], less_than_or_equal_to: [0, 5] },
  ],
  ['checkbox', {}, [true, false], { is_checked: [true], is_not_checked: [true], equals: [true, false] }],
  ['select', options, ['Red', 'blue', 'a, b'], { equals: ['Red'], does_not_equal: ['a, b'] }],
  ['multi_select', options, [['Red'], ['blue', 'Red'], ['a, b']], { contains: ['Red', ['Red', 'blue']] }],
  [
    'ranking',
    { options: ['A', 'B', 'C'] },
    [[...'ABC'], [...'CAB']],
    { equals: [[...'CAB']], starts_with: ['A', ['C', 'A']], ends_with: ['B', ['C']] },
  ],
  [
    'matrix',
    grid,
    [{ One: 'Yes' }, { One: 'No', Two: 'Yes' }],
    { equals: [{ One: 'No' }], contains: [{ Two: 'Yes', One: 'Yes' }] },
  ],
  [
    'repeat',
    repeated,
    [[{ who: 'Ann' }], [{ who: 'Ann' }, { who: 'Ben' }]],
    { equals: [0, 1], greater_than: ['1'] },
  ],
  [
    'date',
    {},
    ['2026-05-01', '2026-05-01T23:30-05:00', '2026-05-02 10:00'],
    { equals: ['2026-05-02'], before: ['2026-05-02', '2026-05-02T09:00'], on_or_after: ['2026-05-01'] },
  ],
];
const FIELDS = TYPES.map(([type, more], index) => ({
  ...aField(`a${index}`, type, `Question ${index}`, more as Record<string, unknown>),
  id: `question-${index}`,
}));

/** The same choices in every run (mulberry32). */
function chances(seed: number): <Item>(of: readonly Item[]) => Item {
  let state = seed;
  return (of) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return of[((mixed ^ (mixed >>> 14)) >>> 0) % of.length] as never;
  };
}
const one = chances(SEED);

function aCondition(depth: number): object {
  if (depth > 0 && one([true, false]))
    return {
      operatorIdentifier: one(['and', 'or']),
      children: [aCondition(depth - 1), aCondition(depth - 1)],
    };
  const index = one([...TYPES.keys()]);
  const [type = '', , , asked = {}] = TYPES[index] ?? [];
  const emptiness = type === 'checkbox' || type === 'matrix' ? {} : { is_empty: [true], is_not_empty: [{}] };
  const [operator, values] = one(Object.entries<JsonValue[]>({ ...asked, ...emptiness }));
  const identifier = `question-${index}`;
  return { identifier, value: { operator, property_meta: { id: identifier, type }, value: one(values) } };
}
const someAnswers = () =>
  Object.fromEntries(
    TYPES.flatMap(([, , answers], index) => (one([1, 1, 0]) ? [[`question-${index}`, one(answers)]] : [])),
  );

const conditions = Array.from({ length: CONDITIONS }, () => aCondition(2));
/** Makes a field for each condition. */
const each = (more: (conditions: object, index: number) => object) =>
  conditions.map((condition, index) => ({ type: 'text', name: `About ${index}`, ...more(condition, index) }));
let asking: any;
let storing: any;
let hooks: number[];

beforeAll(async () => {
  asking = await home.form({
    properties: [
      ...FIELDS,
      ...each((conditions, n) => ({
        id: `required-${n}`,
        logic: { conditions, actions: ['require-answer'] },
      })),
      ...each((conditions, n) => ({
        id: `valid-${n}`,
        validation: { error_conditions: { conditions, actions: [] }, error_message: 'Never.' },
      })),
      ...each((conditions, n) => ({
        id: `hidden-${n}`,
        required: true,
        logic: { conditions, actions: ['hide-block'] },
      })),
    ],
  });
  const shown = each((conditions, n) => ({
    id: `shown-${n}`,
    hidden: true,
    prefill: 'nobody saw it',
    logic: { conditions, actions: ['show-block'] },
  }));
  storing = await home.form({ properties: [...FIELDS, ...shown] });
  hooks = [];
  for (const logic of conditions) {
    const data = { webhook_url: 'https://hooks.example.com/', sends_edits: true };
    const answer = await home.call('POST', `/open/forms/${storing.id}/integrations`, {
      integration_id: 'webhook',
      data,
      logic: 'children' in logic ? logic : { operatorIdentifier: 'and', children: [logic] },
    });
    expect(answer.status, answer.text).toBe(200);
    hooks.push(answer.body.form_integration.id);
  }
});

const numbers = (holds: (index: number) => boolean) =>
  conditions.flatMap((_, index) => (holds(index) ? [index] : []));

/**
 * The conditions that hold for the answers of a submission; everything else that asks them has to say the same.
 * @param isNew its hidden fields were filled in; a member's edit fills nothing in
 */
async function holdingFor({ data }: any, isNew: boolean): Promise<number[]> {
  const given = FIELDS.flatMap(({ id }) => (id in data ? [[id, data[id]]] : []));
  const { body } = await home.submit(asking, Object.fromEntries(given), { precognition: 'true' });
  const errors = body?.errors ?? {};
  const required = numbers((index) => `required-${index}` in errors);
  expect({
    valid: numbers((index) => !(`valid-${index}` in errors)),
    hidden: numbers((index) => !(`hidden-${index}` in errors)),
    ...(isNew && { shown: numbers((index) => !(`shown-${index}` in data)) }),
  }).toEqual({ valid: required, hidden: required, ...(isNew && { shown: required }) });
  return required;
}

/** A new submission, and what it is after an edit if that changes it. */
async function newAndEdited(): Promise<any[]> {
  const path = `/open/forms/${storing.id}/submissions`;
  const sent = await home.submit(storing, someAnswers());
  const { body: record } = await home.call('GET', `${path}/${sent.body.submission_id}`);
  if (one([true, false])) return [record];
  const { body: edited } = await home.call('PUT', `${path}/${record.id}`, { data: someAnswers() });
  const answersOf = ({ data }: any) => JSON.stringify(FIELDS.map(({ id }) => data[id]));
  return answersOf(record) === answersOf(edited.data) ? [record] : [record, edited.data];
}

/** Of which submissions the integration got word, once for each time. */
async function sentOnBy(hook: number): Promise<number[]> {
  const { body } = await home.call('GET', `/open/forms/${storing.id}/integrations/${hook}/deliveries`);
  return body.map(({ submission_id: id }: { submission_id: number }) => id).sort();
}

test('a condition holds for the same answers, whatever asks it', async () => {
  const wanted: number[][] = conditions.map(() => []);
  for (let n = 0; n < SUBMISSIONS; n++)
    for (const [edits, record] of (await newAndEdited()).entries())
      for (const index of await holdingFor(record, edits === 0)) wanted[index]?.push(record.id);
  expect(wanted.filter(({ length }) => length > 0).length).toBeGreaterThan(CONDITIONS / 2);
  for (const [index, hook] of hooks.entries())
    expect(await sentOnBy(hook), JSON.stringify(conditions[index])).toEqual(wanted[index]?.sort());
});
