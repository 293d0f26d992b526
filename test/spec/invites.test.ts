import { describe, expect, test } from 'vitest';
import { aWorkspace } from '../setup/factories.ts';
import { expectRefused, useHome } from '../setup/home.ts';

const home = useHome();

const invites = (workspaceId: number, token?: string) =>
  home.call('GET', `/open/workspaces/${workspaceId}/invites`, undefined, token);
const invite = (workspaceId: number, email: string) =>
  home.call('POST', `/open/workspaces/${workspaceId}/users/add`, { email, role: 'user' });

/** Registers the invited person by the link, which is shown when no mail server is set up. */
async function accept(link: string) {
  const query = new URL(link).searchParams;
  const body = {
    name: 'Invited',
    email: query.get('email'),
    password: 'correct horse battery',
    invite_token: query.get('invite_token'),
  };
  const answer = await home.service.request('POST', '/register', { body });
  expect(answer.status, answer.text).toBe(201);
}

describe('GET /open/workspaces/{workspaceId}/invites', () => {
  test('lists pending and accepted invites', async () => {
    const id = await aWorkspace(home.service, home.ada);
    await invite(id, 'pending@example.com');
    await accept((await invite(id, 'accepted@example.com')).body.invite_link);
    const answer = await invites(id);
    expect(answer.status).toBe(200);
    const seen = answer.body.map((entry: any) => [entry.email, entry.role, entry.status, entry.workspace_id]);
    expect(seen.sort()).toEqual([
      ['accepted@example.com', 'user', 'accepted', id],
      ['pending@example.com', 'user', 'pending', id],
    ]);
    for (const entry of answer.body) expect(Date.parse(entry.valid_until)).toBeGreaterThan(Date.now());
  });

  test('an accepted invite makes a member', async () => {
    const id = await aWorkspace(home.service, home.ada);
    await accept((await invite(id, 'new-member@example.com')).body.invite_link);
    const { body } = await home.call('GET', `/open/workspaces/${id}/users`);
    expect(body.map((member: any) => member.email)).toContain('new-member@example.com');
  });

  test('leaves the tokens out', async () => {
    const id = await aWorkspace(home.service, home.ada);
    const { invite_link } = (await invite(id, 'secret@example.com')).body;
    const answer = await invites(id);
    expect(answer.text).not.toContain(new URL(invite_link).searchParams.get('invite_token'));
    expect(answer.text).not.toMatch(/token|link/);
  });

  test.each(['user', 'readonly'] as const)('refuses a member with the role %s', async (role) => {
    const person = await home.member(role);
    expectRefused(await invites(home.workspaceId, person.token), 403);
  });

  test('refuses strangers, and tokens without workspaces-write', async () => {
    expectRefused(await invites(home.workspaceId, (await home.stranger()).token), 403);
    const token = await home.tokenWith('workspaces-read', 'workspace-users-read', 'workspace-users-write');
    expectRefused(await invites(home.workspaceId, token), 403);
    expect((await invites(home.workspaceId, await home.tokenWith('workspaces-write'))).status).toBe(200);
  });
});

describe('resend and cancel', () => {
  const path = (workspaceId: number, inviteId: number, verb: string) =>
    `/open/workspaces/${workspaceId}/invites/${inviteId}/${verb}`;

  test('an open invite can be sent again and cancelled', async () => {
    const id = await aWorkspace(home.service, home.ada);
    const { invite: made, invite_link } = (await invite(id, 'again@example.com')).body;
    const resent = await home.call('POST', path(id, made.id, 'resend'));
    expect(resent.status).toBe(200);
    expect(resent.body.type).toBe('success');
    const cancelled = await home.call('DELETE', path(id, made.id, 'cancel'));
    expect(cancelled.status).toBe(200);
    expect((await invites(id)).body).toEqual([]);
    const answer = await home.service.request('POST', '/register', {
      body: {
        name: 'Late',
        email: 'again@example.com',
        password: 'correct horse battery',
        invite_token: new URL(invite_link).searchParams.get('invite_token'),
      },
    });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
  });

  test('an invite of another workspace is not found', async () => {
    const [one, other] = [await aWorkspace(home.service, home.ada), await aWorkspace(home.service, home.ada)];
    const { invite: made } = (await invite(one, 'elsewhere@example.com')).body;
    for (const [method, verb] of [
      ['POST', 'resend'],
      ['DELETE', 'cancel'],
    ] as const) {
      const answer = await home.call(method, path(other, made.id, verb));
      expect([400, 404]).toContain(answer.status);
    }
    expect((await invites(one)).body).toHaveLength(1);
  });

  test('only admins with workspace-users-write may', async () => {
    const person = await home.member('user');
    const { invite: made } = (await invite(home.workspaceId, 'mine@example.com')).body;
    const weak = await home.tokenWith('workspaces-write', 'workspace-users-read');
    for (const token of [person.token, weak]) {
      expectRefused(
        await home.call('POST', path(home.workspaceId, made.id, 'resend'), undefined, token),
        403,
      );
      expectRefused(
        await home.call('DELETE', path(home.workspaceId, made.id, 'cancel'), undefined, token),
        403,
      );
    }
  });
});
