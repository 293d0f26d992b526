import { beforeEach, describe, expect, test } from 'vitest';
import { aField, aTextField, TEXT_FIELD_ID } from '../setup/factories.ts';
import { expectInvalid, expectRefused, useHome } from '../setup/home.ts';

const home = useHome();
const guests = aField('02', 'number', 'Guests');
const day = aField('03', 'date', 'Day');
/** What a view shows when nothing is said about it. */
const PLAIN = {
  status: 'completed',
  review: null,
  ending: null,
  search: null,
  from: null,
  to: null,
  filters: [],
  sort: 'created_at',
  order: 'desc',
  columns: null,
};
const MANY = [{ id: guests.id, operator: 'greater_than', value: '3' }];

let form: { id: number; slug: string };
beforeEach(async () => {
  form = await home.form({ properties: [aTextField(), guests, day] });
});
const path = (id?: number, of = form) =>
  `/open/forms/${of.id}/saved-views${id === undefined ? '' : `/${id}`}`;
const views = async (of = form) => (await home.call('GET', path(undefined, of))).body;
const save = (definition: unknown, name = 'To call back') => home.call('POST', path(), { name, definition });
async function aView(definition: unknown = { filters: MANY }, name?: string): Promise<any> {
  const answer = await save(definition, name);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.view;
}
/** Publishes other questions. */
async function ask(...properties: unknown[]): Promise<void> {
  const changed = await home.call('PUT', `/open/forms/${form.id}`, { properties });
  expect(changed.status, changed.text).toBe(200);
}

describe('a saved view', () => {
  test('has filters, search, order and columns, for everybody who may read the form', async () => {
    const definition = {
      status: 'all',
      review: 'approved',
      search: 'Ada',
      from: '2026-01-01',
      to: '2026-12-31',
      filters: [...MANY, { id: TEXT_FIELD_ID, operator: 'is_not_empty', value: '' }],
      sort: guests.id,
      order: 'asc',
      columns: [guests.id, 'created_at', 'meta.attribution.utm_source'],
    };
    const made = await aView(definition, ' To call back ');
    expect(made).toMatchObject({ name: 'To call back', definition, left_out: [], created_by: 'Ada' });
    const { token } = await home.member('readonly');
    const listed = await home.call('GET', path(), undefined, token);
    expect(listed.body).toEqual([made]);
  });

  test('shows all complete submissions unless told otherwise', async () => {
    expect((await aView({})).definition).toEqual(PLAIN);
    expect((await aView({ search: ' ' }, 'Blank')).definition).toEqual(PLAIN);
  });

  test('is taken by the list and by exports as it is', async () => {
    await home.submit(form, { [TEXT_FIELD_ID]: 'Ada', [guests.id]: 4 });
    await home.submit(form, { [TEXT_FIELD_ID]: 'Bob', [guests.id]: 2 });
    const { definition } = await aView({ filters: MANY, sort: guests.id, columns: [guests.id] });
    const query = new URLSearchParams({ status: definition.status, sort: definition.sort });
    for (const { id, operator, value } of definition.filters) query.set(`filter[${id}][${operator}]`, value);
    const list = await home.call('GET', `/open/forms/${form.id}/submissions?${query}`);
    expect(list.body.data.map(({ data }: any) => data[TEXT_FIELD_ID])).toEqual(['Ada']);
    const columns = Object.fromEntries(definition.columns.map((name: string) => [name, true]));
    query.delete('sort');
    const file = await home.call('POST', `/open/forms/${form.id}/submissions/export?${query}`, { columns });
    expect(file.text).toBe('Guests\n4\n');
  });

  test('is renamed without touching what it shows, and replaced without touching its name', async () => {
    const { id } = await aView();
    const renamed = await home.call('PUT', path(id), { name: ' Large groups ' });
    expect(renamed.body.view).toMatchObject({ name: 'Large groups', definition: { filters: MANY } });
    const replaced = await home.call('PUT', path(id), { definition: { search: 'tent' } });
    expect(replaced.body.view).toMatchObject({
      name: 'Large groups',
      definition: { ...PLAIN, search: 'tent' },
    });
    expect(await views()).toEqual([replaced.body.view]);
  });

  test('is deleted, and then unknown', async () => {
    const { id } = await aView();
    const other = await home.form();
    expectRefused(await home.call('DELETE', path(id, other)), 404);
    expect((await home.call('DELETE', path(id))).status).toBe(200);
    expectRefused(await home.call('DELETE', path(id)), 404);
    expectRefused(await home.call('PUT', path(id), { name: 'Gone' }), 404);
    expectRefused(await home.call('PUT', `${path()}/one`, { name: 'Gone' }), 404);
    expect(await views()).toEqual([]);
  });

  test('goes with its form, and is copied with it', async () => {
    await aView({ filters: MANY }, 'First');
    await aView({ status: 'partial' }, 'Second');
    const { body } = await home.call('POST', `/open/forms/${form.id}/duplicate`);
    const copied = await views(body.new_form);
    expect(copied).toMatchObject([
      { name: 'First', definition: { filters: MANY }, left_out: [] },
      { name: 'Second', definition: { status: 'partial' } },
    ]);
    await home.call('DELETE', path(copied[0].id, body.new_form));
    expect(await views()).toHaveLength(2);
    expect((await home.call('DELETE', `/open/forms/${form.id}`)).status).toBe(204);
    const { rows } = await home.service.context.pool.query('select from saved_views where form_id = $1', [
      form.id,
    ]);
    expect(rows).toEqual([]);
  });

  test('leaves events that tell what was changed, and none when nothing was', async () => {
    const { id } = await aView();
    await home.call('PUT', path(id), { name: 'Large groups' });
    await home.call('PUT', path(id), { name: 'Large groups', definition: { filters: MANY } });
    await home.call('PUT', path(id), {});
    await home.call('PUT', path(id), { definition: {} });
    await home.call('DELETE', path(id));
    const log = `/open/workspaces/${home.workspaceId}/audit-log?verb=saved_view&form_id=${form.id}`;
    const { body: events } = await home.call('GET', log);
    expect(events.map(({ verb, target, details }: any) => [verb, target.name, details])).toEqual([
      ['saved_view.deleted', 'Large groups', {}],
      ['saved_view.changed', 'Large groups', { fields: ['definition'] }],
      ['saved_view.changed', 'Large groups', { fields: ['name'] }],
      ['saved_view.created', 'To call back', {}],
    ]);
  });
});

describe('what is refused', () => {
  test.each<[string, unknown, string]>([
    [
      'a question the form never had',
      { filters: [{ id: 'no', operator: 'equals', value: '1' }] },
      '.filters.0',
    ],
    ['a comparison the field has not', { filters: [{ ...MANY[0], operator: 'contains' }] }, '.filters.0'],
    ['a value that is no number', { filters: [...MANY, { ...MANY[0], value: 'many' }] }, '.filters.1'],
    ['no value', { filters: [{ id: guests.id, operator: 'equals' }] }, '.filters.0'],
    [
      'a day with a time',
      { filters: [{ id: day.id, operator: 'after', value: '2026-01-01T10:00' }] },
      '.filters.0',
    ],
    ['an operator that is none', { filters: [{ ...MANY[0], operator: 'IS][' }] }, '.filters.0'],
    ['more than 20 comparisons', { filters: Array(21).fill(MANY[0]) }, '.filters'],
    ['a day that does not exist', { from: '2026-02-30' }, '.from'],
    ['a moment for a day', { to: '2026-02-03T10:00:00Z' }, '.to'],
    ['a review that is none', { review: 'done' }, '.review'],
    ['a long search', { search: 'a'.repeat(201) }, '.search'],
    ['an order by an unknown question', { sort: 'no' }, '.sort'],
    ['a column that does not exist', { columns: ['created_at', 'no'] }, '.columns'],
    ['no column', { columns: [] }, '.columns'],
    ['a column twice', { columns: ['id', 'id'] }, '.columns'],
    ['a member that is misspelt', { filter: MANY }, '.filter'],
    ['a status that is none', { status: 'sent' }, '.status'],
  ])('%s', async (_what, definition, key) => {
    expectInvalid(await save(definition), `definition${key}`);
    const { id } = await aView();
    expectInvalid(await home.call('PUT', path(id), { definition }), `definition${key}`);
    expect(await views()).toMatchObject([{ definition: { filters: MANY } }]);
  });

  test('a definition beyond 50,000 characters', async () => {
    const long = (value: string) => ({ id: TEXT_FIELD_ID, operator: 'contains', value });
    // A quotation mark takes two characters in JSON.
    const filters = Array.from({ length: 20 }, () => long('"'.repeat(1_000)));
    await aView({ filters });
    const more = Array.from({ length: 500 }, (_, index) => aField(String(index), 'text', 'More'));
    const wide = more.slice(0, 400).map((field) => ({ ...field, id: `${field.id}-${'x'.repeat(20)}` }));
    await ask(...wide);
    expectInvalid(await save({ filters, columns: wide.map(({ id }) => id) }, 'Wide'), 'definition');
  });

  test('a name that is missing, blank, too long, or taken in any letter case', async () => {
    const { id } = await aView({}, 'Unhappy');
    await aView({}, 'Happy');
    for (const name of [undefined, '', '  ', 'n'.repeat(101), 'UNHAPPY'])
      expectInvalid(await home.call('POST', path(), { name, definition: {} }), 'name');
    expectInvalid(await home.call('PUT', path(id), { name: 'happy' }), 'name');
    expect((await home.call('PUT', path(id), { name: 'unhappy' })).status).toBe(200);
    const other = await home.form();
    expect((await home.call('POST', path(undefined, other), { name: 'Happy', definition: {} })).status).toBe(
      200,
    );
  });

  test('more than 50, also when they come at once', async () => {
    for (let count = 0; count < 48; count++) await aView({}, `View ${count}`);
    const answers = await Promise.all(Array.from({ length: 6 }, (_, index) => save({}, `Late ${index}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 422, 422, 422, 422]);
    expect(await views()).toHaveLength(50);
  });
});

describe('when the form changes', () => {
  test('a question that is no longer asked still filters, because its answers are kept', async () => {
    await home.submit(form, { [guests.id]: 4 });
    await aView({ filters: MANY, sort: guests.id, columns: [guests.id] });
    await ask(aTextField());
    expect(await views()).toMatchObject([{ definition: { filters: MANY, sort: guests.id }, left_out: [] }]);
  });

  test('what another type does not allow is left out with its reason, and comes back with the type', async () => {
    const before = { id: TEXT_FIELD_ID, operator: 'contains', value: 'Ada' };
    const { id } = await aView({ filters: [before, ...MANY], sort: guests.id, order: 'asc' });
    await ask(aTextField({ type: 'number' }), guests, day);
    const [view] = await views();
    expect(view).toMatchObject({
      definition: { filters: MANY, sort: guests.id, order: 'asc' },
      left_out: [{ member: 'filters', ...before, message: expect.stringContaining('can be asked for') }],
    });
    // A new name keeps it, another definition does not.
    await home.call('PUT', path(id), { name: 'Renamed' });
    await ask(aTextField(), guests, day);
    expect(await views()).toMatchObject([{ definition: { filters: [before, ...MANY] }, left_out: [] }]);
    await ask(aTextField({ type: 'number' }), guests, day);
    await home.call('PUT', path(id), { definition: view.definition });
    await ask(aTextField(), guests, day);
    expect(await views()).toMatchObject([{ definition: { filters: MANY }, left_out: [] }]);
  });

  test('what became a text between questions is no question any more', async () => {
    await aView({ filters: MANY, sort: guests.id, order: 'asc', columns: [guests.id, 'created_at'] });
    await ask(aTextField(), { ...guests, type: 'nf-text', content: 'Guests' });
    // The former question with the id is not kept beside the block that has it now.
    const [view] = await views();
    expect(view.definition).toEqual({ ...PLAIN, columns: ['created_at'] });
    expect(view.left_out).toMatchObject([
      { member: 'filters', id: guests.id, operator: 'greater_than', value: '3' },
      { member: 'sort', id: guests.id, operator: null, value: null },
      { member: 'columns', id: guests.id, operator: null, value: null },
    ]);
    const list = await home.call('GET', `/open/forms/${form.id}/submissions?sort=${view.definition.sort}`);
    expect(list.status).toBe(200);
  });
});
