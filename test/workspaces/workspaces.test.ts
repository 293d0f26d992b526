import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  aForm,
  aMember,
  aToken,
  aUser,
  aWorkspace,
  TEXT_FIELD_ID,
  type TestUser,
} from '../setup/factories.ts';
import { startService, type TestService } from '../setup/service.ts';

let service: TestService;
let ada: TestUser;
let bob: TestUser;
beforeAll(async () => {
  service = await startService();
  [ada, bob] = await Promise.all([aUser(service), aUser(service, { name: 'Bob' })]);
});
afterAll(() => service.stop());

describe('creating', () => {
  test('answers the workspace as the specification shows it', async () => {
    const answer = await create({ name: ' Design ', emoji: '🎨', icon: 'ignored', settings: { a: 1 } });
    const id = answer.body.workspace_id;
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      type: 'success',
      message: 'Workspace created.',
      workspace_id: expect.any(Number),
      workspace: { id, name: 'Design', icon: '🎨', settings: {}, max_file_size: 25, is_readonly: false },
    });
    const members = await service.request('GET', `/open/workspaces/${id}/users`, { token: ada.token });
    expect(members.body).toMatchObject([{ id: ada.id, role: 'admin' }]);
  });

  test.each([
    ['no icon', {}, ''],
    ['a null emoji', { emoji: null }, ''],
    ['the alias', { icon: '📦' }, '📦'],
  ])('takes %s', async (_what, member, icon) => {
    expect((await create({ name: 'Design', ...member })).body.workspace.icon).toBe(icon);
  });

  test.each([
    ['no name', {}, 'name', 'The name field is required.'],
    ['an empty name', { name: '' }, 'name', 'The name field is required.'],
    ['a blank name', { name: ' \t' }, 'name', 'The name field is required.'],
    ['null', { name: null }, 'name', 'The name field is required.'],
    ['a number', { name: 5 }, 'name', 'The name must be a valid text.'],
    ['a long name', { name: '🎨'.repeat(256) }, 'name', 'The name may not be greater than 255 characters.'],
    ['a long emoji', { name: 'A', emoji: 'x'.repeat(256) }, 'emoji', expect.any(String)],
    ['an object for an emoji', { name: 'A', emoji: {} }, 'emoji', expect.any(String)],
    ['U+0000', { name: 'a\u0000b' }, 'name', expect.any(String)],
  ])('refuses %s', async (_what, body, key, message) => {
    const answer = await create(body);
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toEqual({ [key]: [message] });
  });

  test('takes a name of 255 characters outside the basic plane', async () => {
    const name = '🎨'.repeat(255);
    expect((await create({ name })).body.workspace.name).toBe(name);
  });
});

describe('listing', () => {
  test('shows the workspaces one is in, with one’s role, and no others', async () => {
    const reader = await aUser(service, { name: 'Rea' });
    const id = await aWorkspace(service, ada, 'Shared');
    await aWorkspace(service, ada, 'Private');
    await aMember(service, ada, id, reader, 'readonly');
    const list = await service.request('GET', '/open/workspaces', { token: reader.token });
    expect(list.body.map((workspace: { name: string }) => workspace.name)).toEqual([
      'My Workspace',
      'Shared',
    ]);
    expect(list.body[1]).toEqual({
      id,
      name: 'Shared',
      icon: '',
      settings: {},
      max_file_size: 25,
      is_readonly: true,
      role: 'readonly',
      pivot: { user_id: reader.id, workspace_id: id, role: 'readonly' },
      is_admin: false,
      users_count: 2,
      mail_is_set_up: false,
      takes_payments: false,
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      updated_at: expect.stringMatching(/^\d{4}-.*Z$/),
    });
  });
});

describe('updating', () => {
  test('renames; an absent emoji keeps the icon, a blank one clears it', async () => {
    const { id } = (await create({ name: 'Design', emoji: '🎨' })).body.workspace;
    const update = async (body: object) =>
      (await service.request('PUT', `/open/workspaces/${id}`, { token: ada.token, body })).body;
    expect(await update({ name: 'Craft', settings: { custom_code: 'x' } })).toEqual({
      type: 'success',
      message: 'Workspace updated.',
      workspace: { id, name: 'Craft', icon: '🎨', max_file_size: 25, is_readonly: false },
    });
    expect((await update({ name: 'Craft', icon: '📦' })).workspace.icon).toBe('📦');
    expect((await update({ name: 'Craft', emoji: ' ' })).workspace.icon).toBe('');
    expect((await update({ name: 'Craft', emoji: '🎨', icon: '' })).workspace.icon).toBe('🎨');
    expect((await update({ name: 'Craft', emoji: null })).workspace.icon).toBe('');
  });
});

describe('deleting', () => {
  test('leaves nothing that refers to the workspace, and the others alone', async () => {
    const id = await aWorkspace(service, ada);
    const kept = await aForm(service, ada, await aWorkspace(service, ada));
    const form = await aForm(service, ada, id);
    const path = `/forms/${form.slug}/answer`;
    expect((await service.request('POST', path, { body: { [TEXT_FIELD_ID]: 'Hello' } })).status).toBe(200);
    await aMember(service, ada, id, bob, 'user');
    await service.request('POST', `/open/workspaces/${id}/users/add`, {
      token: ada.token,
      body: { email: 'new@example.com', role: 'user' },
    });

    const answer = await service.request('DELETE', `/open/workspaces/${id}`, { token: ada.token });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      type: 'success',
      message: 'Workspace successfully deleted.',
      workspace_id: id,
    });
    expect((await service.request('POST', path, { body: { [TEXT_FIELD_ID]: 'Hello' } })).status).toBe(404);
    expect((await service.request('DELETE', `/open/workspaces/${id}`, { token: ada.token })).status).toBe(
      404,
    );
    // The operator keeps the events of the deleted workspace.
    const { audit_events, ...left } = await rowsOf('workspace_id', id);
    expect(audit_events).toBeGreaterThan(0);
    expect(left).toEqual({});
    expect((await rowsOf('form_id', form.id)).audit_events).toBeGreaterThan(0);
    await expect.poll(async () => Object.keys(await rowsOf('form_id', form.id))).toEqual(['audit_events']);
    const other = await service.request('POST', `/forms/${kept.slug}/answer`, {
      body: { [TEXT_FIELD_ID]: 'Hi' },
    });
    expect(other.status).toBe(200);
  });

  test('holds nobody up while what was stored for its forms goes', async () => {
    const id = await aWorkspace(service, ada);
    const [held, other] = [await aForm(service, ada, id), await aForm(service, ada, id)];
    const answer = (slug: string) =>
      service.request('POST', `/forms/${slug}/answer`, { body: { [TEXT_FIELD_ID]: 'Hello' } });
    await Promise.all([answer(held.slug), answer(other.slug)]);
    const holding = await service.context.pool.connect();
    try {
      await holding.query('begin');
      await holding.query('select from submissions where form_id = $1 for update', [held.id]);
      const deleted = await service.request('DELETE', `/open/workspaces/${id}`, { token: ada.token });
      expect(deleted.status).toBe(200);
      for (const { slug } of [held, other]) expect((await answer(slug)).status).toBe(404);
      await holding.query('commit');
    } finally {
      holding.release(true);
    }
    for (const form of [held, other])
      await expect.poll(async () => Object.keys(await rowsOf('form_id', form.id))).toEqual(['audit_events']);
  });
});

describe('who may change a workspace', () => {
  test.each(['PUT', 'DELETE'])('%s is for admins with the ability', async (method) => {
    const id = await aWorkspace(service, ada);
    const [user, reader] = await Promise.all([aUser(service), aUser(service)]);
    await aMember(service, ada, id, user, 'user');
    await aMember(service, ada, id, reader, 'readonly');
    const weak = await aToken(service, ada, ['workspaces-read', 'forms-write']);
    const call = async (token?: string, path = `/open/workspaces/${id}`) =>
      (await service.request(method, path, { token, body: { name: 5 } })).status;
    expect(await call()).toBe(401);
    expect(await call(weak)).toBe(403);
    expect(await call(weak, '/open/workspaces/999999')).toBe(403);
    expect(await call(bob.token)).toBe(403);
    expect(await call(user.token)).toBe(403);
    expect(await call(reader.token)).toBe(403);
    for (const unknown of ['999999', '0', '01', 'x', '9'.repeat(20), '1e3'])
      expect(await call(ada.token, `/open/workspaces/${unknown}`)).toBe(404);
    const list = await service.request('GET', '/open/workspaces', { token: ada.token });
    expect(list.body.find((workspace: { id: number }) => workspace.id === id).name).toBe('Research');
  });

  test('no route reads a single workspace', async () => {
    const id = await aWorkspace(service, ada);
    const answer = await service.request('GET', `/open/workspaces/${id}`, { token: ada.token });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('PUT, DELETE');
  });
});

function create(body: object) {
  return service.request('POST', '/open/workspaces/create', { token: ada.token, body });
}

/** The number of rows per table with this id in this column; tables without any are left out. */
async function rowsOf(column: 'workspace_id' | 'form_id', id: number): Promise<Record<string, number>> {
  const { pool } = service.context;
  const { rows: tables } = await pool.query(
    `select table_name from information_schema.columns where table_schema = 'public' and column_name = $1`,
    [column],
  );
  expect(tables.length).toBeGreaterThan(1);
  const counts: Record<string, number> = {};
  for (const { table_name } of tables) {
    const { rows } = await pool.query(
      `select count(*)::int as count from ${table_name} where ${column} = $1`,
      [id],
    );
    if (rows[0].count > 0) counts[table_name] = rows[0].count;
  }
  return counts;
}
