import { describe, expect, test } from 'vitest';
import { aToken, aUser, aWorkspace } from '../setup/factories.ts';
import { expectInvalid, expectRefused, useHome } from '../setup/home.ts';

const home = useHome();

const setRole = (userId: number | string, body: unknown, token?: string, workspaceId = home.workspaceId) =>
  home.call('PUT', `/open/workspaces/${workspaceId}/users/${userId}/update-role`, body, token);
const members = (token?: string, workspaceId = home.workspaceId) =>
  home.call('GET', `/open/workspaces/${workspaceId}/users`, undefined, token);
const roleOf = async (userId: number) => {
  const { body } = await members();
  return body.find((member: { id: number }) => member.id === userId)?.pivot.role;
};

describe('PUT /open/workspaces/{workspaceId}/users/{userId}/update-role', () => {
  test.each(['admin', 'user', 'readonly'] as const)('an admin can set the role %s', async (role) => {
    const person = await home.newMember(role === 'user' ? 'readonly' : 'user');
    const answer = await setRole(person.id, { role });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ type: 'success', message: expect.any(String) });
    expect(await roleOf(person.id)).toBe(role);
  });

  test('a new role counts from the next request on', async () => {
    const person = await home.newMember('user');
    const body = { workspace_id: home.workspaceId, title: 'Mine' };
    expect((await home.call('POST', '/open/forms', body, person.token)).status).toBe(201);
    await setRole(person.id, { role: 'readonly' });
    expectRefused(await home.call('POST', '/open/forms', body, person.token), 403);
  });

  test('any other role is 422, and so is none', async () => {
    const person = await home.member('user');
    expect(expectInvalid(await setRole(person.id, { role: 'owner' }), 'role').role).toEqual([
      'The selected role is invalid.',
    ]);
    expect(expectInvalid(await setRole(person.id, {}), 'role').role).toEqual(['The role field is required.']);
    expect(await roleOf(person.id)).toBe('user');
  });

  test.each(['user', 'readonly'] as const)('a caller with the role %s is refused', async (role) => {
    const caller = await home.member(role);
    expectRefused(await setRole(caller.id, { role: 'admin' }, caller.token), 403);
    expect(await roleOf(caller.id)).toBe(role);
  });

  test('needs workspace-users-write; neither reading users nor writing workspaces is enough', async () => {
    const person = await home.member('user');
    const token = await home.tokenWith('workspace-users-read', 'workspaces-write', 'workspaces-read');
    expectRefused(await setRole(person.id, { role: 'admin' }, token), 403);
    const right = await home.tokenWith('workspace-users-write');
    expect((await setRole(person.id, { role: 'user' }, right)).status).toBe(200);
  });

  test('somebody who is not a member is 404', async () => {
    const stranger = await home.stranger();
    expectRefused(await setRole(stranger.id, { role: 'user' }), 404);
    expectRefused(await setRole(999_999, { role: 'user' }), 404);
    expectRefused(await setRole('abc', { role: 'user' }), 404);
  });

  test('the last admin cannot be demoted', async () => {
    const workspaceId = await aWorkspace(home.service, home.ada);
    const answer = await setRole(home.ada.id, { role: 'user' }, undefined, workspaceId);
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toBeTypeOf('object');
    const other = await home.newMember('admin', workspaceId);
    expect((await setRole(home.ada.id, { role: 'user' }, other.token, workspaceId)).status).toBe(200);
  });

  test('of two admins who demote each other at once, one stays', async () => {
    const workspaceId = await aWorkspace(home.service, home.ada);
    const other = await home.newMember('admin', workspaceId);
    const answers = await Promise.all([
      setRole(other.id, { role: 'readonly' }, home.ada.token, workspaceId),
      setRole(home.ada.id, { role: 'readonly' }, other.token, workspaceId),
    ]);
    const { body } = await members(home.ada.token, workspaceId);
    expect(body.filter((member: any) => member.pivot.role === 'admin')).toHaveLength(1);
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
  });
});

describe('GET /open/workspaces/{workspaceId}/users', () => {
  test('lists the accepted members as a bare array, without secrets', async () => {
    const workspaceId = await aWorkspace(home.service, home.ada);
    const person = await home.newMember('readonly', workspaceId);
    await home.call('POST', `/open/workspaces/${workspaceId}/users/add`, {
      email: 'not-here-yet@example.com',
      role: 'user',
    });
    const answer = await members(undefined, workspaceId);
    expect(answer.status).toBe(200);
    expect(
      answer.body.map((member: any) => [member.id, member.name, member.email, member.pivot.role]),
    ).toEqual([
      [home.ada.id, home.ada.name, home.ada.email, 'admin'],
      [person.id, person.name, person.email, 'readonly'],
    ]);
    expect(answer.text).not.toMatch(/password|token|hash/i);
  });

  test('every member may list them, nobody else', async () => {
    const reader = await home.member('readonly');
    expect((await members(reader.token)).status).toBe(200);
    expectRefused(await members((await home.stranger()).token), 403);
  });

  test('needs workspace-users-read', async () => {
    expect((await members(await home.tokenWith('workspace-users-read'))).status).toBe(200);
    expectRefused(await members(await home.tokenWith('workspaces-read', 'workspace-users-write')), 403);
  });
});

describe('add, remove and leave', () => {
  const add = (body: unknown, token?: string) =>
    home.call('POST', `/open/workspaces/${home.workspaceId}/users/add`, body, token);
  const remove = (userId: number, token?: string, workspaceId = home.workspaceId) =>
    home.call('DELETE', `/open/workspaces/${workspaceId}/users/${userId}/remove`, undefined, token);
  const leave = (token?: string, workspaceId = home.workspaceId) =>
    home.call('POST', `/open/workspaces/${workspaceId}/leave`, undefined, token);

  test('a person with an account is a member at once; adding again changes nothing', async () => {
    const person = await aUser(home.service);
    const added = await add({ email: person.email, role: 'user' });
    expect(added.status).toBe(200);
    expect(added.body).toMatchObject({ type: 'success', message: expect.any(String) });
    expect(await roleOf(person.id)).toBe('user');
    expect((await add({ email: person.email, role: 'admin' })).status).toBe(200);
    expect(await roleOf(person.id)).toBe('user');
  });

  test('email and role are checked', async () => {
    expectInvalid(await add({}), 'email', 'role');
    expectInvalid(await add({ email: 'nobody', role: 'user' }), 'email');
    expectInvalid(await add({ email: 'a@example.com', role: 'boss' }), 'role');
    expectInvalid(await add({ email: 'nobody', role: 'boss' }), 'email', 'role');
  });

  test('a removed member has no access any more', async () => {
    const person = await home.newMember('user');
    const answer = await remove(person.id);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ type: 'success', message: expect.any(String) });
    expectRefused(await members(person.token), 403);
    expectRefused(await remove(person.id), 404);
  });

  test('adding and removing are for admins with workspace-users-write', async () => {
    const person = await home.member('user');
    expectRefused(await add({ email: 'x@example.com', role: 'user' }, person.token), 403);
    expectRefused(await remove(home.ada.id, person.token), 403);
    const token = await home.tokenWith('workspaces-write', 'workspace-users-read');
    expectRefused(await add({ email: 'x@example.com', role: 'user' }, token), 403);
    expectRefused(await remove(person.id, token), 403);
  });

  test('any member may leave with workspace-users-write', async () => {
    const person = await home.newMember('readonly');
    const weak = await aToken(home.service, person, ['workspaces-read']);
    expectRefused(await leave(weak), 403);
    const answer = await leave(person.token);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ type: 'success', message: expect.any(String) });
    expectRefused(await leave(person.token), 403);
  });

  test('the last admin can neither be removed nor leave', async () => {
    const workspaceId = await aWorkspace(home.service, home.ada);
    await home.newMember('user', workspaceId);
    expect((await leave(home.ada.token, workspaceId)).status).toBe(422);
    expect((await remove(home.ada.id, home.ada.token, workspaceId)).status).toBe(422);
    await home.newMember('admin', workspaceId);
    expect((await leave(home.ada.token, workspaceId)).status).toBe(200);
  });
});
