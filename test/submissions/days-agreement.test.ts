import { beforeAll, expect, test } from 'vitest';
import { parseDate } from '../../fields/as-text/dates.ts';
import { aField } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';

/** Compares how lists and conditions read days with `parseDate`, where an offset leads into another day, month, year or era. */
const home = useHome({ env: { ROLES: 'http' } });

const DAY_MS = 86_400_000;
const DAY = aField('e1', 'text', 'Day');
const DAYS = [
  '0001-01-01',
  '0001-01-02',
  '1999-12-31',
  '2000-02-29',
  '2024-02-29',
  '2026-03-01',
  '9999-12-31',
];
const TIMES = [
  '',
  'T00:00',
  ' 00:30',
  'T23:30:59.999999999Z',
  'T00:30+14:00',
  'T10:00-05:45',
  'T23:30:00-14:00',
];
/** What a question for texts takes, and one for dates does not. */
const NO_DATES = [
  ...[
    '0000-01-01',
    '1900-02-29',
    '2026-02-30',
    '2026-04-31',
    '2026-13-01',
    '2026-00-10',
    '2026-01-32',
    '12026-01-01',
  ],
  ...[
    '2026-03-01 foo',
    '2026-03-01T',
    '2026-03-01T24:00',
    '2026-03-01T10:60',
    '2026-03-01T10:00:60',
    '2026-02-30T10:00+02:00',
  ],
  ...[
    '2026-03-01T10:00+14:30',
    '2026-03-01T10:00+0200',
    '2026-03-01T10:00:00.1234567890Z',
    'at 2026-03-01',
    '2026-03-01\n',
  ],
];
const WRITTEN = DAYS.flatMap((day) => TIMES.map((time) => day + time));

/** What each submission says, by its id. */
const answers = new Map<number, string>();
let form: any;

beforeAll(async () => {
  form = await home.form({ properties: [DAY] });
  const submissions = [...WRITTEN, ...NO_DATES].map((text) => ({ answers: { [DAY.id]: text } }));
  const stored = await home.call('POST', `/open/forms/${form.id}/submissions/import`, { submissions });
  for (const { index, id } of stored.body.submissions)
    answers.set(id, String(submissions[index]?.answers[DAY.id]));
  expect(answers.size).toBe(WRITTEN.length + NO_DATES.length);
  const properties = [{ ...DAY, type: 'date' }];
  expect((await home.call('PUT', `/open/forms/${form.id}`, { properties })).status).toBe(200);
});

const COMPARISONS: Record<string, (day: number, wanted: number) => boolean> = {
  equals: (day, wanted) => day === wanted,
  before: (day, wanted) => day < wanted,
  after: (day, wanted) => day > wanted,
  on_or_before: (day, wanted) => day <= wanted,
  on_or_after: (day, wanted) => day >= wanted,
};
const holds = (operator: string, text: string, wanted: string) => {
  const date = parseDate(text);
  return date !== null && COMPARISONS[operator]?.(date.day, Date.parse(wanted) / DAY_MS);
};

test.each(Object.keys(COMPARISONS))(
  'a list that is filtered by %s has exactly these days',
  async (operator) => {
    for (const wanted of [...DAYS, '0001-01-03', '2000-03-01', '9999-12-30']) {
      const query = new URLSearchParams({ [`filter[${DAY.id}][${operator}]`]: wanted, per_page: '100' });
      const { status, body, text } = await home.call('GET', `/open/forms/${form.id}/submissions?${query}`);
      expect(status, text).toBe(200);
      const found = body.data.map(({ id }: { id: number }) => answers.get(id)).sort();
      const expected = [...answers.values()].filter((text) => holds(operator, text, wanted)).sort();
      expect(found, `${operator} ${wanted}`).toEqual(expected);
    }
  },
);

test('conditions compare the same days', async () => {
  const date = { ...DAY, type: 'date' };
  const conditions = Object.keys(COMPARISONS).flatMap((operator) =>
    DAYS.map((value) => ({ operator, property_meta: { id: DAY.id, type: 'date' }, value })),
  );
  const fields = conditions.map((value, index) => ({
    ...aField('e2', 'text', `Asked ${index}`, { required: true }),
    id: `asked-${index}`,
    logic: { conditions: { identifier: DAY.id, value }, actions: ['hide-block'] },
  }));
  const own = await home.form({ properties: [date, ...fields] });
  for (const text of WRITTEN) {
    const { body } = await home.submit(own, { [DAY.id]: text }, { precognition: 'true' });
    const hidden = conditions.filter((_, index) => !(`asked-${index}` in (body?.errors ?? {})));
    expect(hidden, text).toEqual(conditions.filter(({ operator, value }) => holds(operator, text, value)));
  }
});
