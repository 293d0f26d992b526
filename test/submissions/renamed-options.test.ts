import { describe, expect, test } from 'vitest';
import { renamedOptionsIn } from '../../fields/choices/renamed-options.ts';
import { aField, aTextField, TEXT_FIELD_ID } from '../setup/factories.ts';
import { expectInvalid, expectRefused, useHome } from '../setup/home.ts';
import { prepareRows } from '../setup/prepare-rows.ts';
import { runAllJobs } from '../setup/run-jobs.ts';

const home = useHome({ env: { ROLES: 'http' } });

type Form = { id: number; slug: string; properties?: any[] };
const options = (...names: string[]) => names.map((name, index) => ({ id: `o${index}`, name }));
const colour = (...names: string[]) =>
  aField('1', 'select', 'Colour', { select: { options: options(...names) } });
const likes = (...names: string[]) => aField('2', 'multi_select', 'Likes', { options: options(...names) });
const order = (...names: string[]) => aField('3', 'ranking', 'Order', { options: options(...names) });
const [COLOUR, LIKES, ORDER] = [colour().id, likes().id, order().id];

const rename = (form: Form, body: object, token?: string) =>
  home.call('POST', `/open/forms/${form.id}/submissions/rename-option`, body, token);
const save = async (form: Form, properties: object[]) =>
  expect((await home.call('PUT', `/open/forms/${form.id}`, { properties })).status).toBe(200);
/** Answers to a field, oldest first. */
const answersTo = async (form: Form, field: string) =>
  (await home.records(form)).map(({ data }) => data[field]).reverse();

async function aPaintShop() {
  const form = await home.form({
    properties: [aTextField(), colour('Red', 'Blue'), likes('Red', 'Blue'), order('Red', 'Blue')],
  });
  const send = (answers: object) => home.submit(form, answers);
  await send({ [TEXT_FIELD_ID]: 'Red', [COLOUR]: 'Red', [LIKES]: ['Blue', 'Red'], [ORDER]: ['Red', 'Blue'] });
  await send({ [COLOUR]: 'Blue', [LIKES]: ['Blue'], [ORDER]: ['Blue', 'Red'] });
  const names = ['Crimson', 'Blue'];
  await save(form, [aTextField(), colour(...names), likes(...names), order(...names)]);
  return form;
}

describe('an option that was renamed', () => {
  test('is called in past answers as it is now, when that is asked for; nothing else changes', async () => {
    const form = await aPaintShop();
    const before = await home.records(form);
    expect(await answersTo(form, COLOUR)).toEqual(['Red', 'Blue']);
    const { status, body } = await rename(form, { property_id: COLOUR, from: 'Red', to: 'Crimson' });
    expect([status, body]).toEqual([
      200,
      { type: 'success', message: 'Option successfully renamed.', renamed: 1, next_after: null },
    ]);
    expect(await answersTo(form, COLOUR)).toEqual(['Crimson', 'Blue']);
    await rename(form, { property_id: LIKES, from: 'Red', to: 'Crimson' });
    expect(await answersTo(form, LIKES)).toEqual([['Blue', 'Crimson'], ['Blue']]);
    expect((await rename(form, { property_id: ORDER, from: 'Red', to: 'Crimson' })).body.renamed).toBe(2);
    expect(await answersTo(form, ORDER)).toEqual([
      ['Crimson', 'Blue'],
      ['Blue', 'Crimson'],
    ]);
    expect(await answersTo(form, TEXT_FIELD_ID)).toEqual(['Red', undefined]);
    const after = await home.records(form);
    expect(after.map(({ data: _, ...rest }) => rest)).toEqual(before.map(({ data: _, ...rest }) => rest));
    expect((await rename(form, { property_id: COLOUR, from: 'Red', to: 'Crimson' })).body.renamed).toBe(0);
    const { body: events } = await home.call('GET', `/open/workspaces/${home.workspaceId}/audit-log?limit=3`);
    expect(events.map(({ verb }: any) => verb)).toEqual(Array(3).fill('submission.option_renamed'));
  });

  test('is counted under its name in figures, and goes on having its places', async () => {
    const limited = (name: string) =>
      aField('1', 'select', 'Colour', {
        select: {
          options: [{ id: 'o0', name, max_submissions_count: 5 }, ...options('Red', 'Blue').slice(1)],
        },
      });
    const form = await home.form({ properties: [limited('Red')] });
    for (let n = 0; n < 3; n++) await home.submit(form, { [COLOUR]: 'Red' });
    await save(form, [limited('Crimson')]);
    await home.submit(form, { [COLOUR]: 'Crimson' });
    const count = () => home.service.context.pool.query(`select graphile_worker.add_job('count_answers')`);
    await count();
    await runAllJobs(home.service.context);
    const figures = async () => {
      const { body } = await home.call('GET', `/open/forms/${form.id}/statistics/fields`);
      return body.fields[0].values;
    };
    expect(await figures()).toEqual([
      { value: 'Red', count: 3 },
      { value: 'Crimson', count: 1 },
    ]);
    await rename(form, { property_id: COLOUR, from: 'Red', to: 'Crimson' });
    expect(await figures()).toEqual([{ value: 'Crimson', count: 4 }]);
    const places = (await home.call('GET', `/open/forms/${form.id}/places`)).body.data;
    expect(places).toMatchObject([{ option: 'Crimson', taken: 4 }]);
  });

  test('stands once where both names were chosen; and inside of repeated questions', async () => {
    const guests = (...names: string[]) =>
      aField('4', 'repeat', 'Guests', {
        questions: [
          { id: 'meal', type: 'select', name: 'Meal', select: { options: options(...names) } },
          { id: 'who', type: 'text', name: 'Who' },
        ],
      });
    const form = await home.form({ properties: [likes('Red', 'Crimson'), guests('Fish', 'Pie')] });
    const id = guests().id;
    const entries = [{ meal: 'Fish', who: 'Fish' }, { meal: 'Pie' }, { who: 'Ben' }];
    const sent = await home.submit(form, { [LIKES]: ['Red', 'Crimson'], [id]: entries });
    expect(sent.status, sent.text).toBe(200);
    await save(form, [likes('Crimson'), guests('Salmon', 'Pie')]);
    await rename(form, { property_id: LIKES, from: 'Red', to: 'Crimson' });
    expect(await answersTo(form, LIKES)).toEqual([['Crimson']]);
    const { body } = await rename(form, { property_id: 'meal', from: 'Fish', to: 'Salmon' });
    expect(body.renamed).toBe(1);
    const [[first, second, third]] = await answersTo(form, id);
    expect([first, second, third]).toMatchObject([
      { meal: 'Salmon', who: 'Fish' },
      { meal: 'Pie' },
      { who: 'Ben' },
    ]);
  });

  test('is renamed in the trash, too, and not in answers of another shape', async () => {
    const form = await aPaintShop();
    const [, first] = await home.records(form);
    await home.call('POST', `/open/forms/${form.id}/submissions/trash`, { submissionIds: [first.id] });
    const strange = JSON.stringify({ [COLOUR]: { Red: 'Good' } });
    await prepareRows(home.service, [
      `insert into submissions (form_id, public_id, status, data) values ($1, gen_random_uuid(), 'completed', $2)`,
      [form.id, strange],
    ]);
    const { body } = await rename(form, { property_id: COLOUR, from: 'Red', to: 'Crimson' });
    expect(body.renamed).toBe(1);
    const trash = (await home.call('GET', `/open/forms/${form.id}/submissions/trash`)).body.data;
    expect(trash[0].data[COLOUR]).toBe('Crimson');
    expect(await answersTo(form, COLOUR)).toEqual(['Blue', { Red: 'Good' }]);
  });

  test('is renamed in many, step by step', async () => {
    const form = await home.form({ properties: [colour('Red', 'Blue')] });
    await prepareRows(home.service, [
      `insert into submissions (form_id, public_id, status, data)
       select $1, gen_random_uuid(), 'completed', jsonb_build_object($2::text, case when n % 3 = 0 then 'Blue' else 'Red' end)
       from generate_series(1, 6000) n`,
      [form.id, COLOUR],
    ]);
    await save(form, [colour('Crimson', 'Blue')]);
    let [after, renamed]: [number | null, number] = [0, 0];
    while (after !== null) {
      const { body } = await rename(form, { property_id: COLOUR, from: 'Red', to: 'Crimson', after });
      renamed += body.renamed;
      after = body.next_after;
    }
    expect(renamed).toBe(4000);
    const found = await home.call(
      'GET',
      `/open/forms/${form.id}/submissions?filter[${COLOUR}]=Red&total=true`,
    );
    expect(found.body.meta.total).toBe(0);
  });
});

test('of names that may mean two options none is offered', () => {
  const renames = (before: string[], after: [id: string, name: string][]) => {
    const named = after.map(([id, name]) => ({ id, name }));
    const now = aField('1', 'select', 'Colour', { select: { options: named } });
    return renamedOptionsIn([colour(...before)] as any, [now] as any).map(
      ({ from, to }) => `${from} → ${to}`,
    );
  };
  expect(
    renames(
      ['A', 'B'],
      [
        ['o0', 'C'],
        ['o1', 'B'],
      ],
    ),
  ).toEqual(['A → C']);
  // Names exchanged, passed on, or taken by a new option.
  expect(
    renames(
      ['A', 'B'],
      [
        ['o0', 'B'],
        ['o1', 'A'],
      ],
    ),
  ).toEqual([]);
  expect(
    renames(
      ['A', 'B'],
      [
        ['o0', 'B'],
        ['o1', 'C'],
      ],
    ),
  ).toEqual([]);
  expect(renames(['A', 'B'], [['o0', 'B']])).toEqual([]);
  expect(
    renames(
      ['A'],
      [
        ['o0', 'B'],
        ['new', 'A'],
      ],
    ),
  ).toEqual([]);
});

test('what cannot be renamed is told', async () => {
  const form = await aPaintShop();
  const wrong = (body: object) => rename(form, { property_id: COLOUR, from: 'Red', to: 'Crimson', ...body });
  expectInvalid(await wrong({ property_id: TEXT_FIELD_ID }), 'property_id');
  expectInvalid(await wrong({ property_id: 'none' }), 'property_id');
  expectInvalid(await wrong({ to: 'Green' }), 'to');
  expectInvalid(await wrong({ from: 'Blue' }), 'from');
  expectInvalid(await wrong({ from: '' }), 'from');
  expectInvalid(await wrong({ after: -1 }), 'after');
  const { token } = await home.member('readonly');
  const named = { property_id: COLOUR, from: 'Red', to: 'Crimson' };
  expectRefused(await rename(form, named, token), 403);
  expect(await answersTo(form, COLOUR)).toEqual(['Red', 'Blue']);
});
