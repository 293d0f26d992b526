import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { aMember, aToken, aUser, aWorkspace, type TestUser } from '../setup/factories.ts';
import { startService, type TestService } from '../setup/service.ts';

let service: TestService;
let ada: TestUser;
let bob: TestUser;
let eve: TestUser;
let workspaceId: number;
beforeAll(async () => {
  service = await startService();
  ada = await aUser(service);
  bob = await aUser(service, { name: 'Bob' });
  eve = await aUser(service, { name: 'Eve' });
});
beforeEach(async () => {
  workspaceId = await aWorkspace(service, ada);
});
afterAll(() => service.stop());

describe('listing', () => {
  test('shows every member with their role, in the order they joined', async () => {
    await aMember(service, ada, workspaceId, bob, 'readonly');
    const answer = await call('GET', '/users', bob.token);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual(
      [
        { ...ada, role: 'admin' },
        { ...bob, role: 'readonly' },
      ].map(({ id, name, email, role }) => ({
        id,
        name,
        email,
        role,
        created_at: expect.stringMatching(/^\d{4}-.*Z$/),
        joined_at: expect.stringMatching(/^\d{4}-.*Z$/),
        pivot: { workspace_id: workspaceId, user_id: id, role },
      })),
    );
    expect((await call('GET', '/users', eve.token)).status).toBe(403);
  });
});

test('a member is told of since they are one, not since they have an account', async () => {
  await service.context.pool.query(`update users set created_at = '2020-02-02' where id = $1`, [bob.id]);
  await aMember(service, ada, workspaceId, bob, 'user');
  const [, member] = (await call('GET', '/users', ada.token)).body;
  expect(member).toMatchObject({ id: bob.id, created_at: '2020-02-02T00:00:00.000Z' });
  expect(Math.abs(Date.parse(member.joined_at) - Date.now())).toBeLessThan(60_000);
});

describe('adding', () => {
  test('takes a known account in at once, and keeps the role of whoever is in', async () => {
    const added = await add(bob.email.toUpperCase(), 'user');
    expect(added.status).toBe(200);
    expect(added.body).toEqual({
      type: 'success',
      message: 'User has been successfully added to workspace.',
    });
    const again = await add(bob.email, 'admin');
    expect(again.body.message).toBe('User is already in workspace.');
    expect(await roles()).toEqual({ [ada.id]: 'admin', [bob.id]: 'user' });
  });

  test.each([
    ['no address', { role: 'user' }, 'email'],
    ['a bad address', { email: 'bob', role: 'user' }, 'email'],
    ['no role', { email: 'bob@example.com' }, 'role'],
    ['an unknown role', { email: 'bob@example.com', role: 'owner' }, 'role'],
  ])('refuses %s', async (_what, body, key) => {
    const answer = await call('POST', '/users/add', ada.token, body);
    expect(answer.status).toBe(422);
    expect(Object.keys(answer.body.errors)).toEqual([key]);
  });
});

describe('changing a role', () => {
  test('counts on the next request', async () => {
    await aMember(service, ada, workspaceId, bob, 'admin');
    expect((await call('GET', '/invites', bob.token)).status).toBe(200);
    const answer = await setRole(bob.id, 'readonly');
    expect(answer.body).toEqual({ type: 'success', message: 'User role changed successfully.' });
    expect((await call('GET', '/invites', bob.token)).status).toBe(403);
  });

  test('refuses a bad role, and strangers before that', async () => {
    expect(await setRole(ada.id, 'owner')).toMatchObject({
      status: 422,
      body: { errors: { role: ['The selected role is invalid.'] } },
    });
    for (const id of [bob.id, 999_999, 'x', '0'])
      expect([id, (await setRole(id, 'owner')).status]).toEqual([id, 404]);
    expect((await setRole(ada.id, 'owner', eve.token)).status).toBe(403);
  });
});

describe('the last admin', () => {
  test('cannot be demoted, removed or leave', async () => {
    await aMember(service, ada, workspaceId, bob, 'user');
    expect((await setRole(ada.id, 'user')).status).toBe(422);
    expect((await setRole(ada.id, 'admin')).status).toBe(200);
    expect((await remove(ada.id)).status).toBe(422);
    expect((await call('POST', '/leave', ada.token)).status).toBe(422);
    expect(await roles()).toEqual({ [ada.id]: 'admin', [bob.id]: 'user' });
  });

  test('is there after two admins demoted each other at once', async () => {
    for (let round = 0; round < 10; round++) {
      workspaceId = await aWorkspace(service, ada);
      await aMember(service, ada, workspaceId, bob, 'admin');
      const answers = await Promise.all([
        setRole(bob.id, 'user', ada.token),
        setRole(ada.id, 'user', bob.token),
      ]);
      expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
      expect(Object.values(await roles()).sort()).toEqual(['admin', 'user']);
    }
  });

  test('is there after all admins left at once', async () => {
    for (let round = 0; round < 10; round++) {
      workspaceId = await aWorkspace(service, ada);
      await aMember(service, ada, workspaceId, bob, 'admin');
      const answers = await Promise.all([
        call('POST', '/leave', ada.token),
        call('POST', '/leave', bob.token),
      ]);
      expect(answers.map((answer) => answer.status).sort()).toEqual([200, 422]);
    }
  });
});

describe('removing and leaving', () => {
  test('end the access with the next request', async () => {
    await aMember(service, ada, workspaceId, bob, 'user');
    const removed = await remove(bob.id);
    expect(removed.body).toEqual({ type: 'success', message: 'User removed from workspace successfully.' });
    expect((await call('GET', '/users', bob.token)).status).toBe(403);
    expect((await remove(bob.id)).status).toBe(404);

    await aMember(service, ada, workspaceId, bob, 'readonly');
    const left = await call('POST', '/leave', bob.token);
    expect(left.body).toEqual({ type: 'success', message: 'You have left the workspace successfully.' });
    expect((await call('POST', '/leave', bob.token)).status).toBe(403);
  });

  test('a member of another workspace is not found in this one', async () => {
    const other = await aWorkspace(service, bob);
    expect((await remove(bob.id)).status).toBe(404);
    expect((await setRole(bob.id, 'readonly')).status).toBe(404);
    const list = await service.request('GET', `/open/workspaces/${other}/users`, { token: bob.token });
    expect(list.body).toMatchObject([{ id: bob.id, role: 'admin' }]);
  });
});

describe('who may manage members', () => {
  test.each([
    ['POST', '/users/add'],
    ['PUT', '/users/:bob/update-role'],
    ['DELETE', '/users/:bob/remove'],
  ])('%s %s is for admins with workspace-users-write', async (method, path) => {
    const [user, reader] = await Promise.all([aUser(service), aUser(service)]);
    await aMember(service, ada, workspaceId, user, 'user');
    await aMember(service, ada, workspaceId, reader, 'readonly');
    const weak = await aToken(service, ada, ['workspace-users-read', 'workspaces-write']);
    const status = async (token?: string) =>
      (await call(method, path.replace(':bob', String(bob.id)), token, { role: 'owner' })).status;
    expect(await status()).toBe(401);
    expect(await status(weak)).toBe(403);
    expect(await status(eve.token)).toBe(403);
    expect(await status(user.token)).toBe(403);
    expect(await status(reader.token)).toBe(403);
  });

  test('listing needs workspace-users-read', async () => {
    const weak = await aToken(service, ada, ['workspace-users-write', 'workspaces-read']);
    expect((await call('GET', '/users', weak)).status).toBe(403);
    expect((await call('GET', '/users', await aToken(service, ada, ['workspace-users-read']))).status).toBe(
      200,
    );
  });
});

function call(method: string, path: string, token?: string, body?: unknown) {
  return service.request(method, `/open/workspaces/${workspaceId}${path}`, { token, body });
}

function add(email: string, role: string) {
  return call('POST', '/users/add', ada.token, { email, role });
}

function setRole(userId: number | string, role: string, token = ada.token) {
  return call('PUT', `/users/${userId}/update-role`, token, { role });
}

function remove(userId: number) {
  return call('DELETE', `/users/${userId}/remove`, ada.token);
}

async function roles(): Promise<Record<string, string>> {
  const { rows } = await service.context.pool.query(
    'select user_id, role from workspace_members where workspace_id = $1',
    [workspaceId],
  );
  return Object.fromEntries(rows.map((row) => [row.user_id, row.role]));
}
