import { describe, expect, test } from 'vitest';
import { aForm, aUser, aWorkspace, TEXT_FIELD_ID } from '../setup/factories.ts';
import { expectInvalid, expectRefused, useHome } from '../setup/home.ts';

const home = useHome();

const create = (body: unknown, token?: string) => home.call('POST', '/open/workspaces/create', body, token);
const update = (id: number, body: unknown, token?: string) =>
  home.call('PUT', `/open/workspaces/${id}`, body, token);
const workspaceOf = async (id: number, token?: string) => {
  const { body } = await home.call('GET', '/open/workspaces', undefined, token);
  return body.find((workspace: { id: number }) => workspace.id === id);
};

describe('POST /open/workspaces/create', () => {
  test('answers message, workspace_id and the workspace with its six fields', async () => {
    const answer = await create({ name: 'Design', emoji: '🎨' });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ type: 'success', message: expect.any(String) });
    expect(answer.body.workspace_id).toBeTypeOf('number');
    expect(answer.body.workspace).toMatchObject({
      id: answer.body.workspace_id,
      name: 'Design',
      icon: '🎨',
      settings: {},
      max_file_size: 25,
      is_readonly: false,
    });
  });

  test('the emoji is optional; the icon is a string all the same', async () => {
    const { body } = await create({ name: 'Plain' });
    expect(body.workspace.icon).toBe('');
  });

  test('the current user becomes admin of the new workspace', async () => {
    const person = await aUser(home.service);
    const { body } = await create({ name: 'Own' }, person.token);
    const members = await home.call(
      'GET',
      `/open/workspaces/${body.workspace_id}/users`,
      undefined,
      person.token,
    );
    expect(members.body).toHaveLength(1);
    expect(members.body[0]).toMatchObject({ id: person.id, pivot: { role: 'admin' } });
  });

  test('a token without workspaces-write is refused with 403', async () => {
    expectRefused(await create({ name: 'No' }, await home.tokenWith('workspaces-read')), 403);
  });

  test('the name is required, 1 to 255 characters', async () => {
    expect(expectInvalid(await create({}), 'name').name).toEqual(['The name field is required.']);
    expectInvalid(await create({ name: '' }), 'name');
    const blank = expectInvalid(await create({ name: '   ', emoji: 7 }), 'name', 'emoji');
    expect(blank.name).toEqual(['The name field is required.']);
    expectInvalid(await create({ name: null }), 'name');
    expectInvalid(await create({ name: 7 }), 'name');
    expectInvalid(await create({ name: 'n'.repeat(256) }), 'name');
    expect((await create({ name: 'n'.repeat(255) })).status).toBe(200);
    expect((await create({ name: '😀'.repeat(255) })).status).toBe(200);
  });

  test('icon is honoured as an alias of emoji', async () => {
    const { body } = await create({ name: 'Alias', icon: '🧪' });
    expect(body.workspace.icon).toBe('🧪');
  });
});

describe('PUT /open/workspaces/{workspaceId}', () => {
  test('renames and re-icons; the answer carries the workspace', async () => {
    const id = await aWorkspace(home.service, home.ada);
    const answer = await update(id, { name: 'Renamed', emoji: '🚀' });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      type: 'success',
      message: expect.any(String),
      workspace: { id, name: 'Renamed', icon: '🚀', max_file_size: 25, is_readonly: false },
    });
    expect(await workspaceOf(id)).toMatchObject({ name: 'Renamed', icon: '🚀' });
  });

  test('a blank emoji clears the icon, an absent one keeps it', async () => {
    const id = (await create({ name: 'Icons', emoji: '🌵' })).body.workspace_id;
    expect((await update(id, { name: 'Icons' })).body.workspace.icon).toBe('🌵');
    expect((await update(id, { name: 'Icons', emoji: '' })).body.workspace.icon).toBe('');
    await update(id, { name: 'Icons', emoji: '🌵' });
    expect((await update(id, { name: 'Icons', emoji: '  ' })).body.workspace.icon).toBe('');
  });

  test('icon is an alias of emoji; settings is ignored', async () => {
    const id = await aWorkspace(home.service, home.ada);
    const answer = await update(id, { name: 'Example', icon: '🍋', settings: { anything: true } });
    expect(answer.status).toBe(200);
    expect(answer.body.workspace.icon).toBe('🍋');
    expect((await workspaceOf(id)).settings).toEqual({});
  });

  test('the name is required', async () => {
    const id = await aWorkspace(home.service, home.ada);
    expectInvalid(await update(id, { emoji: '🚀' }), 'name');
    expectInvalid(await update(id, { name: 'n'.repeat(256) }), 'name');
  });

  test.each(['user', 'readonly'] as const)('a member with the role %s is refused', async (role) => {
    const person = await home.member(role);
    expectRefused(await update(home.workspaceId, { name: 'Taken' }, person.token), 403);
    expect((await workspaceOf(home.workspaceId)).name).toBe('Research');
  });

  test('an admin whose token lacks workspaces-write is refused', async () => {
    const token = await home.tokenWith('workspaces-read', 'workspace-users-write');
    expectRefused(await update(home.workspaceId, { name: 'No' }, token), 403);
  });
});

describe('DELETE /open/workspaces/{workspaceId}', () => {
  test('answers message and workspace_id and takes forms, submissions and settings along', async () => {
    const id = await aWorkspace(home.service, home.ada);
    const form = await aForm(home.service, home.ada, id);
    await home.submit(form, { [TEXT_FIELD_ID]: 'gone soon' });
    const answer = await home.call('DELETE', `/open/workspaces/${id}`);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ type: 'success', message: expect.any(String), workspace_id: id });
    expect(await workspaceOf(id)).toBeUndefined();
    expectRefused(await home.call('GET', `/open/forms/${form.id}`), 404);
    expectRefused(await home.call('GET', `/open/forms/${form.id}/submissions`), 404);
    expectRefused(await home.submit(form, { [TEXT_FIELD_ID]: 'too late' }), 404);
    expectRefused(await home.call('DELETE', `/open/workspaces/${id}`), 404);
  });

  test.each(['user', 'readonly'] as const)('a member with the role %s is refused', async (role) => {
    const person = await home.member(role);
    expectRefused(
      await home.call('DELETE', `/open/workspaces/${home.workspaceId}`, undefined, person.token),
      403,
    );
    expect(await workspaceOf(home.workspaceId)).toBeDefined();
  });

  test('a token without workspaces-write is refused', async () => {
    const token = await home.tokenWith('workspaces-read');
    expectRefused(await home.call('DELETE', `/open/workspaces/${home.workspaceId}`, undefined, token), 403);
  });
});

describe('GET /open/workspaces', () => {
  test('lists the caller’s own workspaces as a bare array', async () => {
    const person = await aUser(home.service);
    const id = await aWorkspace(home.service, person, 'Mine');
    const answer = await home.call('GET', '/open/workspaces', undefined, person.token);
    expect(answer.status).toBe(200);
    const mine = answer.body.find((workspace: { id: number }) => workspace.id === id);
    expect(mine).toMatchObject({
      id,
      name: 'Mine',
      icon: '',
      settings: {},
      max_file_size: 25,
      is_readonly: false,
      is_admin: true,
      users_count: 1,
      pivot: { role: 'admin' },
    });
    expect(answer.body.some((workspace: { id: number }) => workspace.id === home.workspaceId)).toBe(false);
  });

  test('is_readonly tells whether the caller may only read', async () => {
    const reader = await home.member('readonly');
    const writer = await home.member('user');
    expect(await workspaceOf(home.workspaceId, reader.token)).toMatchObject({
      is_readonly: true,
      is_admin: false,
    });
    expect(await workspaceOf(home.workspaceId, writer.token)).toMatchObject({
      is_readonly: false,
      is_admin: false,
    });
  });

  test('needs workspaces-read', async () => {
    const token = await home.tokenWith('workspaces-write', 'workspace-users-read');
    expectRefused(await home.call('GET', '/open/workspaces', undefined, token), 403);
  });
});
