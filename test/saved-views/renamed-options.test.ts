import { expect, test } from 'vitest';
import { useHome } from '../setup/home.ts';

/** Saved views go on to find the same answers when these get the present name of an option. */
const home = useHome({ env: { ROLES: 'http' } });

const options = (...names: string[]) => names.map((name, index) => ({ id: `o${index}`, name }));
const fields = (...names: string[]) => [
  { id: 'workshop', type: 'select', name: 'Workshop', select: { options: options(...names) } },
  { id: 'other', type: 'select', name: 'Other', select: { options: options('Baking', 'Bread, Baking') } },
  { id: 'likes', type: 'multi_select', name: 'Likes', options: options(...names) },
  { id: 'order', type: 'ranking', name: 'Order', options: options(...names) },
];
const filter = (id: string, operator: string, value: string) => ({ id, operator, value });

async function withView(filters: object[]) {
  const form = await home.form({ properties: fields('Baking', 'Pottery') });
  await home.submit(form, { workshop: 'Baking', likes: ['Baking'], order: ['Pottery', 'Baking'] });
  await home.submit(form, { workshop: 'Pottery', likes: ['Pottery'], order: ['Baking', 'Pottery'] });
  const path = `/open/forms/${form.id}/saved-views`;
  const made = await home.call('POST', path, { name: 'Bakers', definition: { filters } });
  expect(made.status, made.text).toBe(200);
  const read = async () => (await home.call('GET', path)).body[0];
  const found = async () => {
    const { definition } = await read();
    const query = definition.filters.map(
      ({ id, operator, value }: any) => `filter[${id}][${operator}]=${encodeURIComponent(value)}`,
    );
    const { body } = await home.call('GET', `/open/forms/${form.id}/submissions?${query.join('&')}`);
    return body.data.map(({ data }: any) => data.workshop);
  };
  const rename = async (property_id: string) => {
    const body = { property_id, from: 'Baking', to: 'Bread' };
    const answer = await home.call('POST', `/open/forms/${form.id}/submissions/rename-option`, body);
    expect(answer.body).toMatchObject({ renamed: property_id === 'order' ? 2 : 1, next_after: null });
  };
  const publish = (...names: string[]) =>
    home.call('PUT', `/open/forms/${form.id}`, { properties: fields(...names) });
  return { read, found, rename, publish };
}

test.each([
  ['workshop', 'equals', 'Baking', 'Bread'],
  ['likes', 'contains', 'Baking', 'Bread'],
  ['order', 'ends_with', 'Baking', 'Bread'],
  ['order', 'equals', 'Pottery, Baking', 'Pottery, Bread'],
])('a view of %s that %s %s', async (id, operator, before, after) => {
  const others = [filter('other', 'does_not_equal', 'Baking'), filter('workshop', 'does_not_contain', 'Bak')];
  const { read, found, rename, publish } = await withView([filter(id, operator, before)]);
  expect(await found()).toEqual(['Baking']);
  await publish('Bread', 'Pottery');
  // Until past answers are renamed, the former name is the one that finds them.
  expect(await found()).toEqual(['Baking']);
  const was = await read();
  await rename(id);
  expect(await found()).toHaveLength(1);
  expect(await read()).toEqual({
    ...was,
    definition: { ...was.definition, filters: [filter(id, operator, after)] },
    updated_at: expect.any(String),
  });
  const { body: events } = await home.call('GET', `/open/workspaces/${home.workspaceId}/audit-log`);
  expect(events[0]).toMatchObject({ verb: 'saved_view.changed', details: { fields: ['definition'] } });
  const untouched = await withView(others);
  await untouched.publish('Bread', 'Pottery');
  const view = await untouched.read();
  await untouched.rename(id);
  expect(await untouched.read()).toEqual(view);
});
