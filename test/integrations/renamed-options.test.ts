import { expect, test } from 'vitest';
import { useHome } from '../setup/home.ts';

/** The conditions of an integration go on to mean the same answers when an option gets another name. */
const home = useHome({ env: { ROLES: 'http' } });
const named = (...names: [id: string, name: string][]) => ({
  id: 'drink',
  type: 'select',
  name: 'Drink',
  select: { options: names.map(([id, name]) => ({ id, name })) },
});
const DRINK = named(['t', 'Tea'], ['c', 'Coffee'], ['w', 'Water']);
const when = (operator: string, value: unknown) => ({
  operatorIdentifier: 'and',
  children: [
    { identifier: 'drink', value: { operator, property_meta: { id: 'drink', type: 'select' }, value } },
  ],
});

async function withWebhook() {
  const form = await home.form({ properties: [DRINK] });
  const path = `/open/forms/${form.id}/integrations`;
  const made = await home.call('POST', path, {
    integration_id: 'webhook',
    data: { webhook_url: 'https://hooks.example.com/', webhook_secret: 'a secret of some length' },
    logic: when('equals', 'Coffee'),
  });
  expect(made.status, made.text).toBe(200);
  const read = async () => (await home.call('GET', path)).body[0];
  const sends = async (drink: string) => {
    expect((await home.submit(form, { drink })).status).toBe(200);
    const { rows } = await home.service.context.pool.query(
      `select 1 from deliveries where form_id = $1 and body::text like '%' || $2 || '%'`,
      [form.id, drink],
    );
    return rows.length > 0;
  };
  return { form, read, sends, before: await read() };
}

test('saving the form with a renamed option changes only the condition', async () => {
  const { form, read, sends, before } = await withWebhook();
  const properties = [named(['t', 'Tea'], ['c', 'Espresso'], ['w', 'Coffee'])];
  expect((await home.call('PUT', `/open/forms/${form.id}`, { properties })).status).toBe(200);
  expect(await read()).toEqual({
    ...before,
    logic: when('equals', 'Espresso'),
    updated_at: expect.any(String),
  });
  expect(await sends('Espresso')).toBe(true);
  expect(await sends('Coffee')).toBe(false);
  const { body: events } = await home.call('GET', `/open/workspaces/${home.workspaceId}/audit-log`);
  const event = events.find(({ verb }: any) => verb === 'integration.changed');
  expect(event.details).toEqual({ fields: ['logic'], status: 'active', host: 'hooks.example.com' });
});

test('so does publishing a draft, and restoring the version before', async () => {
  const { form, read, sends, before } = await withWebhook();
  const path = `/open/forms/${form.id}`;
  const properties = [named(['t', 'Tea'], ['c', 'Espresso'], ['w', 'Water'])];
  await home.call('PUT', `${path}/draft`, { properties });
  expect((await read()).logic).toEqual(before.logic);
  expect((await home.call('POST', `${path}/draft/publish`)).status).toBe(200);
  expect((await read()).logic).toEqual(when('equals', 'Espresso'));
  const versions = (await home.call('GET', `${path}/versions`)).body;
  const restored = await home.call('POST', `${path}/versions/${versions[1].version}/restore`);
  expect(restored.status, restored.text).toBe(200);
  expect((await read()).logic).toEqual(before.logic);
  expect(await sends('Coffee')).toBe(true);
});

test('so does bringing a deleted question back with a renamed option', async () => {
  const { form, read, before } = await withWebhook();
  const save = (...properties: object[]) => home.call('PUT', `/open/forms/${form.id}`, { properties });
  await save();
  expect((await read()).logic).toEqual(before.logic);
  await save(named(['t', 'Tea'], ['c', 'Espresso'], ['w', 'Water']));
  expect((await read()).logic).toEqual(when('equals', 'Espresso'));
});

test('options without an id, and those that are removed, change nothing', async () => {
  const { form, read, before } = await withWebhook();
  for (const block of [
    named(['t', 'Tea'], ['w', 'Water']),
    named(['t', 'Tea'], ['w', 'Water'], ['x', 'Mocha']),
  ])
    await home.call('PUT', `/open/forms/${form.id}`, { properties: [block] });
  expect(await read()).toEqual(before);
});
