import { randomBytes } from 'node:crypto';
import type { PoolClient } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { aMember, aUser, aWorkspace, type TestUser } from '../setup/factories.ts';
import { inLine } from '../setup/meanwhile.ts';
import { type Answer, startService, type TestService } from '../setup/service.ts';

let service: TestService;
let ada: TestUser;
let bob: TestUser;
let eve: TestUser;
let workspaceId: number;
let inviteId: number;
beforeAll(async () => {
  service = await startService({ env: { ROLES: 'http' } });
  ada = await aUser(service);
  bob = await aUser(service, { name: 'Bob' });
  eve = await aUser(service, { name: 'Eve' });
});
beforeEach(async () => {
  workspaceId = await aWorkspace(service, ada);
});
afterAll(() => service.stop());

describe('an admin who is being demoted', () => {
  test.each([
    ['gives a role', () => call('PUT', `/users/${eve.id}/update-role`, bob, { role: 'admin' })],
    ['takes the own role back', () => call('PUT', `/users/${bob.id}/update-role`, bob, { role: 'admin' })],
    ['removes somebody', () => call('DELETE', `/users/${eve.id}/remove`, bob)],
    ['cancels an invitation', () => call('DELETE', `/invites/${inviteId}/cancel`, bob)],
  ])('and %s is too late', async (_what, act) => {
    await aMember(service, ada, workspaceId, bob, 'admin');
    await aMember(service, ada, workspaceId, eve, 'user');
    const invited = await call('POST', '/users/add', ada, { email: anEmail(), role: 'user' });
    inviteId = invited.body.invite.id;
    const demote = () => call('PUT', `/users/${bob.id}/update-role`, ada, { role: 'user' });
    // Whoever demotes locks all members one by one, whoever acts perhaps only this one.
    const lock = (client: PoolClient) =>
      client.query('select from workspace_members where workspace_id = $1 and user_id = $2 for update', [
        workspaceId,
        bob.id,
      ]);
    const [demoted, late] = await inLine(service.context.pool, lock, [demote, act]);
    expect(demoted.status).toBe(200);
    expect(late.status).toBe(403);
    const { body } = await call('GET', '/users', ada);
    expect(body.map((member: any) => [member.id, member.role])).toEqual([
      [ada.id, 'admin'],
      [bob.id, 'user'],
      [eve.id, 'user'],
    ]);
    expect((await call('GET', '/invites', ada)).body).toHaveLength(1);
  });
});

describe('a workspace is deleted', () => {
  const deletion = () => call('DELETE', '', ada);

  test.each([
    [
      'is added',
      'workspace_members',
      () => call('POST', '/users/add', ada, { email: bob.email, role: 'user' }),
    ],
    [
      'is invited',
      'workspace_members',
      () => call('POST', '/users/add', ada, { email: anEmail(), role: 'user' }),
    ],
    ['accepts an invitation', 'workspace_invites', null],
  ])('while somebody %s, and both succeed', async (_what, table, act) => {
    const { invite_link } = (await call('POST', '/users/add', ada, { email: anEmail(), role: 'user' })).body;
    const invite_token = new URL(invite_link).searchParams.get('invite_token');
    const accept = () =>
      service.request('POST', '/invites/accept', { cookie: bob.cookie, body: { invite_token } });
    const [done, deleted] = await oneAfterTheOther(table, act ?? accept, deletion);
    expect([done.status, deleted.status]).toEqual([200, 200]);
    // A later call finds nothing.
    expect((await accept()).status).toBe(400);
    expect((await call('GET', '/users', ada)).status).toBe(404);
  });
});

/** Locks rows of the workspace, lets two calls wait for them in this order, and then lets both go on. */
function oneAfterTheOther(
  table: string,
  first: () => Promise<Answer>,
  second: () => Promise<Answer>,
): Promise<[Answer, Answer]> {
  return inLine(
    service.context.pool,
    (client) => client.query(`select from ${table} where workspace_id = $1 for update`, [workspaceId]),
    [first, second],
  );
}

function call(method: string, path: string, { token }: TestUser, body?: unknown) {
  return service.request(method, `/open/workspaces/${workspaceId}${path}`, { token, body });
}

function anEmail(): string {
  return `invited-${randomBytes(5).toString('hex')}@example.com`;
}
