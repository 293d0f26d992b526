import { describe, expect, test } from 'vitest';
import { aField, aTextField } from '../setup/factories.ts';
import { expectInvalid, useHome } from '../setup/home.ts';
import { prepareRows } from '../setup/prepare-rows.ts';

const home = useHome();

const DAY = aField('7', 'select', 'Day').id;
const MEALS = aField('8', 'multi_select', 'Meals').id;
const FULL = 'The Saturday option has no places left.';

interface Limits {
  saturday?: number | null;
  soup?: number | null;
}

/** A question for one day, and one for any number of meals. */
function fields({ saturday = 2, soup = null }: Limits = {}) {
  return [
    aTextField(),
    aField('7', 'select', 'Day', {
      select: { options: [{ id: 'a', name: 'Saturday', max_submissions_count: saturday }, 'Sunday'] },
    }),
    aField('8', 'multi_select', 'Meals', {
      options: [
        { id: 's', name: 'Soup', max_submissions_count: soup },
        { id: 'p', name: 'Pie' },
      ],
    }),
  ];
}

const aFair = (limits: Limits = {}, overrides = {}) =>
  home.form({ properties: fields(limits), ...overrides });
const choose = (form: any, day: string | null, more = {}) => home.submit(form, { [DAY]: day, ...more });

async function taken(form: any): Promise<Record<string, number>> {
  const { body } = await home.call('GET', `/open/forms/${form.id}/places`);
  return Object.fromEntries(body.data.map((row: any) => [row.option, row.taken]));
}

test('an option takes as many submissions as it has places, others go on', async () => {
  const form = await aFair();
  expect((await choose(form, 'Saturday')).status).toBe(200);
  expect((await choose(form, 'Saturday')).status).toBe(200);
  const refused = await choose(form, 'Saturday');
  expect(expectInvalid(refused, DAY)).toEqual({ [DAY]: [FULL] });
  expect((await choose(form, 'Sunday')).status).toBe(200);
  expect((await choose(form, null)).status).toBe(200);
  const { body } = await home.call('GET', `/open/forms/${form.id}/places`);
  expect(body.data).toEqual([{ property_id: DAY, option: 'Saturday', max_submissions_count: 2, taken: 2 }]);
});

test('of 120 at once exactly as many get in as there are places', async () => {
  const form = await aFair({ saturday: 31, soup: 20 });
  const answers = await Promise.all(
    Array.from({ length: 120 }, (_, index) =>
      index % 2 === 0 ? choose(form, 'Saturday') : choose(form, 'Sunday', { [MEALS]: ['Pie', 'Soup'] }),
    ),
  );
  const statuses = (parity: number) =>
    answers.filter((_, index) => index % 2 === parity).map((a) => a.status);
  expect(statuses(0).filter((status) => status === 200)).toHaveLength(31);
  expect(statuses(1).filter((status) => status === 200)).toHaveLength(20);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 422]));
  expect(await taken(form)).toEqual({ Saturday: 31, Soup: 20 });
});

test('several options at once are exact while others change and go', async () => {
  const form = await aFair({ saturday: 12, soup: 9 }, { editable_submissions: true });
  const meals = [['Soup'], ['Soup', 'Pie'], ['Pie'], []];
  const days = ['Saturday', 'Sunday', 'Saturday'];
  const stored: string[] = [];
  await Promise.all(
    Array.from({ length: 90 }, async (_, n) => {
      const body = { [DAY]: days[n % 3], [MEALS]: meals[n % 4] };
      const { status, body: answer } = await home.submit(form, body);
      expect([200, 422]).toContain(status);
      if (status !== 200) return;
      const { submission_id } = answer;
      const path = `/open/forms/${form.id}/submissions/${submission_id}`;
      if (n % 5 === 0) await home.call('DELETE', path);
      else if (n % 7 === 0) await home.submit(form, { submission_id, [DAY]: 'Sunday', [MEALS]: [] });
      stored.push(submission_id);
    }),
  );
  const records = await home.records(form);
  const holding = (id: string, option: string) =>
    records.filter(({ data }) => [data[id]].flat().includes(option)).length;
  const held = { Saturday: holding(DAY, 'Saturday'), Soup: holding(MEALS, 'Soup') };
  expect(await taken(form)).toEqual(held);
  expect(held.Saturday).toBeLessThanOrEqual(12);
  expect(held.Soup).toBeLessThanOrEqual(9);
  expect(stored.length).toBeGreaterThan(12);
});

test('every option without a place is told, with everything else that is wrong', async () => {
  const form = await aFair({ saturday: 0, soup: 0 });
  const answer = await choose(form, 'Saturday', { [MEALS]: ['Soup', 'Pie'] });
  expect(expectInvalid(answer, DAY, MEALS)).toEqual({
    [DAY]: [FULL],
    [MEALS]: ['The Soup option has no places left.'],
  });
  const mail = aField('9', 'email', 'Mail');
  const strict = await home.form({ properties: [...fields({ saturday: 0 }), mail] });
  expectInvalid(await choose(strict, 'Saturday', { [mail.id]: 'no mail' }), DAY, mail.id);
});

describe('a place becomes free', () => {
  test('when its submission is deleted, alone or with others', async () => {
    const form = await aFair({ saturday: 2 });
    await choose(form, 'Saturday');
    await choose(form, 'Saturday');
    const [first, second] = await home.records(form);
    await home.call('DELETE', `/open/forms/${form.id}/submissions/${first.id}`);
    expect(await taken(form)).toEqual({ Saturday: 1 });
    await home.call('POST', `/open/forms/${form.id}/submissions/multi`, { submissionIds: [second.id] });
    expect(await taken(form)).toEqual({ Saturday: 0 });
    expect((await choose(form, 'Saturday')).status).toBe(200);
  });

  test('when its owner chooses another one', async () => {
    const form = await aFair({ saturday: 1 });
    await choose(form, 'Saturday');
    const [record] = await home.records(form);
    const path = `/open/forms/${form.id}/submissions/${record.id}`;
    await home.call('PUT', path, { [DAY]: 'Sunday' });
    expect(await taken(form)).toEqual({ Saturday: 0 });
    await home.call('PUT', path, { [DAY]: 'Saturday' });
    expect(await taken(form)).toEqual({ Saturday: 1 });
  });

  test('when who answered chooses another one; who keeps it is not refused', async () => {
    const form = await aFair({ saturday: 1 }, { editable_submissions: true });
    const { submission_id } = (await choose(form, 'Saturday')).body;
    expect((await choose(form, 'Saturday', { submission_id, [MEALS]: ['Pie'] })).status).toBe(200);
    expect(await taken(form)).toEqual({ Saturday: 1 });
    const other = (await choose(form, 'Sunday')).body;
    expectInvalid(await choose(form, 'Saturday', { submission_id: other.submission_id }), DAY);
    expect((await choose(form, 'Sunday', { submission_id })).status).toBe(200);
    expect((await choose(form, 'Saturday', { submission_id: other.submission_id })).status).toBe(200);
    expect(await taken(form)).toEqual({ Saturday: 1 });
  });
});

test('owners may overbook', async () => {
  const form = await aFair({ saturday: 1 });
  await choose(form, 'Saturday');
  await choose(form, 'Sunday');
  const [latest] = await home.records(form);
  const edited = await home.call('PUT', `/open/forms/${form.id}/submissions/${latest.id}`, {
    [DAY]: 'Saturday',
  });
  expect(edited.status).toBe(200);
  expect(await taken(form)).toEqual({ Saturday: 2 });
  expectInvalid(await choose(form, 'Saturday'), DAY);
});

test('a partial submission takes no place until it is complete', async () => {
  const form = await aFair({ saturday: 1 }, { enable_partial_submissions: true });
  const half = await choose(form, 'Saturday', { is_partial: true });
  expect(half.status).toBe(200);
  expect(await taken(form)).toEqual({ Saturday: 0 });
  expect((await choose(form, 'Saturday')).status).toBe(200);
  const { submission_hash } = half.body;
  expect((await choose(form, 'Saturday', { is_partial: true, submission_hash })).status).toBe(200);
  expectInvalid(await choose(form, 'Saturday', { submission_hash }), DAY);
  expect((await choose(form, 'Sunday', { submission_hash })).status).toBe(200);
  expect(await taken(form)).toEqual({ Saturday: 1 });
});

test('the same request sent often at once takes one place, and keeps nobody from the others', async () => {
  const form = await aFair({ saturday: 3 });
  const again = () => home.submit(form, { [DAY]: 'Saturday' }, { 'Idempotency-Key': 'again' });
  const sent = Array.from({ length: 40 }, again);
  const others = [choose(form, 'Saturday'), choose(form, 'Saturday')];
  const answers = await Promise.all(sent);
  expect(new Set(answers.map(({ status, body }) => `${status} ${body.submission_id}`)).size).toBe(1);
  for (const { status } of await Promise.all(others)) expect(status).toBe(200);
  expect(await taken(form)).toEqual({ Saturday: 3 });
});

test('the same request sent twice takes one place', async () => {
  const form = await aFair({ saturday: 1 });
  const body = { [DAY]: 'Saturday' };
  const key = { 'idempotency-key': 'a-place-for-Ada' };
  expect((await home.submit(form, body, key)).status).toBe(200);
  const again = await home.submit(form, body, key);
  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
  expect(await taken(form)).toEqual({ Saturday: 1 });
});

describe('a limit that is set later', () => {
  const save = (form: any, limits: Limits) =>
    home.call('PUT', `/open/forms/${form.id}`, { properties: fields(limits) });

  test('counts those who have chosen the option before', async () => {
    const form = await aFair({ saturday: null }, { enable_partial_submissions: true });
    expect(await taken(form)).toEqual({});
    await choose(form, 'Saturday');
    await choose(form, 'Saturday');
    await choose(form, 'Sunday', { [MEALS]: ['Soup', 'Pie'] });
    await choose(form, 'Saturday', { is_partial: true });
    expect((await save(form, { saturday: 3, soup: 1 })).status).toBe(200);
    expect(await taken(form)).toEqual({ Saturday: 2, Soup: 1 });
    expect((await choose(form, 'Saturday')).status).toBe(200);
    expectInvalid(await choose(form, 'Saturday', { [MEALS]: ['Soup'] }), DAY, MEALS);
  });

  test('may be raised, lowered below what is taken, and go again', async () => {
    const form = await aFair({ saturday: 1 });
    await choose(form, 'Saturday');
    await save(form, { saturday: 2 });
    expect((await choose(form, 'Saturday')).status).toBe(200);
    await save(form, { saturday: 1 });
    expect(await taken(form)).toEqual({ Saturday: 2 });
    expectInvalid(await choose(form, 'Saturday'), DAY);
    await save(form, { saturday: null });
    expect(await taken(form)).toEqual({});
    expect((await choose(form, 'Saturday')).status).toBe(200);
    await save(form, { saturday: 4 });
    expect(await taken(form)).toEqual({ Saturday: 3 });
  });

  test('may be set for a thousand options of a form with many submissions', async () => {
    const options = (places: number | null) =>
      Array.from({ length: 1_000 }, (_, index) => ({ name: `Seat ${index}`, max_submissions_count: places }));
    const properties = (places: number | null) => [
      aField('7', 'select', 'Seat', { select: { options: options(places) } }),
    ];
    const form = await home.form({ properties: properties(null) });
    await prepareRows(home.service, [
      `insert into submissions (form_id, public_id, status, data)
       select $1, gen_random_uuid(), 'completed', jsonb_build_object($2::text, 'Seat ' || number % 600)
       from generate_series(1, 30000) as number`,
      [form.id, DAY],
    ]);
    const saved = await home.call('PUT', `/open/forms/${form.id}`, { properties: properties(50) });
    expect(saved.status).toBe(200);
    const counts = await taken(form);
    expect([counts['Seat 0'], counts['Seat 599'], counts['Seat 600']]).toEqual([50, 50, 0]);
    expectInvalid(await choose(form, 'Seat 7'), DAY);
    expect((await choose(form, 'Seat 700')).status).toBe(200);
  });

  test('may be set for as many options with names as long as a form can have', async () => {
    const nameOf = (index: number) => `${index}`.padEnd(250, '.');
    const options = Array.from({ length: 2_000 }, (_, index) => ({
      name: nameOf(index),
      max_submissions_count: 1,
    }));
    const form = await home.form({ properties: [aField('7', 'select', 'Seat', { select: { options } })] });
    expect((await choose(form, nameOf(1_999))).status).toBe(200);
    expectInvalid(await choose(form, nameOf(1_999)), DAY);
  });

  test('of a form that was changed while answers came in is exact', async () => {
    const form = await aFair({ saturday: null });
    const answers = Array.from({ length: 60 }, () => choose(form, 'Saturday'));
    const [saved] = await Promise.all([save(form, { saturday: 25 }), ...answers]);
    expect(saved.status).toBe(200);
    const stored = (await Promise.all(answers)).filter(({ status }) => status === 200).length;
    expect((await taken(form)).Saturday).toBe(stored);
  });
});

describe('an option that is renamed', () => {
  const option = (id: string, name: string, places: number | null) => ({
    id,
    name,
    max_submissions_count: places,
  });
  const save = (form: any, ...options: object[]) =>
    home.call('PUT', `/open/forms/${form.id}`, {
      properties: [aField('7', 'select', 'Day', { allow_creation: true, select: { options } })],
    });

  test('keeps its places, with those who chose it by its former names', async () => {
    const form = await aFair({ saturday: 2 });
    await save(form, option('a', 'Saturday', 2));
    await choose(form, 'Saturday');
    await save(form, option('a', 'Sat', 2));
    expect(await taken(form)).toEqual({ Sat: 1 });
    await save(form, option('a', 'Samstag', 2));
    expect((await choose(form, 'Samstag')).status).toBe(200);
    expectInvalid(await choose(form, 'Samstag'), DAY);
    const [, first] = await home.records(form);
    await home.call('DELETE', `/open/forms/${form.id}/submissions/${first.id}`);
    expect(await taken(form)).toEqual({ Samstag: 1 });
  });

  test('leaves a name to the option that has it now', async () => {
    const form = await aFair({ saturday: null });
    await save(form, option('a', 'A', 3), option('b', 'B', 3));
    await choose(form, 'A');
    await choose(form, 'B');
    await choose(form, 'B');
    await save(form, option('a', 'B', 3), option('b', 'A', 3));
    expect(await taken(form)).toEqual({ A: 1, B: 2 });
    await save(form, option('a', 'C', 3), option('b', 'A', 3));
    expect(await taken(form)).toEqual({ A: 1, C: 2 });
    await save(form, option('a', 'C', 3), option('b', 'A', 3), option('c', 'B', null));
    expect(await taken(form)).toEqual({ A: 1, C: 0 });
    expect((await choose(form, 'B')).status).toBe(200);
    for (const { id } of await home.records(form))
      await home.call('DELETE', `/open/forms/${form.id}/submissions/${id}`);
    expect(await taken(form)).toEqual({ A: 0, C: 0 });
  });

  test('two options of one id are two', async () => {
    const form = await aFair({ saturday: null });
    expect((await save(form, option('a', 'A', 1), option('a', 'B', 1), option('a', 'A', 2))).status).toBe(
      200,
    );
    await choose(form, 'B');
    expect(await taken(form)).toEqual({ A: 0, B: 1 });
    expect((await choose(form, 'Something else')).status).toBe(200);
  });
});

test('a copy of a form has the same places, all free', async () => {
  const form = await aFair({ saturday: 1 });
  await choose(form, 'Saturday');
  const { body } = await home.call('POST', `/open/forms/${form.id}/duplicate`);
  const copy = body.new_form ?? body;
  expect(await taken(copy)).toEqual({ Saturday: 0 });
});

test('a limit that is none is refused, also for a name that is too long for one', async () => {
  const save = (option: object) =>
    home.call('POST', '/open/forms', {
      workspace_id: home.workspaceId,
      title: 'Fair',
      properties: [aField('7', 'select', 'Day', { select: { options: [option] } })],
    });
  const path = 'properties.0.select.options.0.max_submissions_count';
  for (const count of [-1, 1.5, 'many', []])
    expectInvalid(await save({ name: 'Saturday', max_submissions_count: count }), 'properties', path);
  expectInvalid(await save({ name: 'S'.repeat(251), max_submissions_count: 1 }), 'properties', path);
  expect((await save({ name: '🌞'.repeat(250), max_submissions_count: '12' })).status).toBe(201);
  expect((await save({ name: 'S'.repeat(251), max_submissions_count: null })).status).toBe(201);
});
