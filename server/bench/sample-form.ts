import { PROBE } from './submit-load.ts';

/** A form as the API takes it, with a maker of answers. */
export interface SampleForm {
  properties: SampleField[];
  /** `count` answers that differ from each other. */
  answers(count: number): Record<string, unknown>[];
}

interface SampleField {
  id: string;
  type: string;
  name: string;
  [option: string]: unknown;
}

const WORDS = 'amber birch cedar dune ember fjord grove heath isle juniper kelp lagoon meadow'.split(' ');
const COLOURS = ['Red', 'Green', 'Blue', 'Yellow', 'Black'];
const TOPICS = ['Price', 'Quality', 'Service', 'Delivery', 'Website', 'Other'];

type MakeAnswer = (n: number) => unknown;

/** A feedback form: twelve answers, about 700 bytes. */
const FIELDS: [id: string, type: string, answer: MakeAnswer, options?: Record<string, unknown>][] = [
  ['name', 'text', (n) => `${word(n)} ${word(n * 7)} ${PROBE}`, { required: true }],
  ['email', 'email', (n) => `${word(n)}.${n}@example.com`, { required: true }],
  ['age', 'number', (n) => 18 + (n % 60)],
  ['colour', 'select', (n) => COLOURS[n % COLOURS.length], choice('select', COLOURS)],
  [
    'topics',
    'multi_select',
    (n) => [TOPICS[n % TOPICS.length], TOPICS[(n + 1) % TOPICS.length]],
    choice('multi_select', TOPICS),
  ],
  ['news', 'checkbox', (n) => n % 2 === 0],
  ['visited', 'date', (n) => `2024-0${1 + (n % 9)}-1${n % 10}`],
  ['site', 'url', (n) => `https://${word(n)}.example.com/${n}`],
  ['stars', 'rating', (n) => 1 + (n % 5)],
  ['again', 'scale', (n) => 1 + (n % 5)],
  ['comment', 'text', (n) => sentence(n, 12), { multi_lines: true }],
  ['source', 'text', (n) => word(n * 3)],
];

export const TWELVE_FIELDS = sampleForm(FIELDS);

/** Twelve fields and eight more texts: twenty answers, about 1.2 kB. */
export const TWENTY_FIELDS = sampleForm([
  ...FIELDS,
  ...Array.from({ length: 8 }, (_, index): (typeof FIELDS)[number] => [
    `remark_${index + 1}`,
    'text',
    (n) => sentence(n + index, 6),
  ]),
]);

function sampleForm(fields: typeof FIELDS): SampleForm {
  return {
    properties: fields.map(([id, type, , options]) => ({ id, type, name: `Question ${id}`, ...options })),
    answers: (count) =>
      Array.from({ length: count }, (_, n) =>
        Object.fromEntries(fields.map(([id, , answer]) => [id, answer(n)])),
      ),
  };
}

/** The form with a limit on each colour; every answer chooses one. */
export function withPlaces(form: SampleForm, places: number): SampleForm {
  const limited = choice('select', COLOURS, { max_submissions_count: places });
  return {
    ...form,
    properties: form.properties.map((field) => (field.id === 'colour' ? { ...field, ...limited } : field)),
  };
}

function choice(type: string, names: string[], more: object = {}): Record<string, unknown> {
  return { [type]: { options: names.map((name) => ({ id: name, name, ...more })) } };
}

function word(n: number): string {
  return WORDS[n % WORDS.length] ?? '';
}

function sentence(n: number, length: number): string {
  return Array.from({ length }, (_, index) => word(n + index * 5)).join(' ');
}
