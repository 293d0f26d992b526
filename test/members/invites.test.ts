import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { aMember, aToken, aUser, aWorkspace, type TestUser } from '../setup/factories.ts';
import { expectRefused } from '../setup/home.ts';
import { runAllJobs } from '../setup/run-jobs.ts';
import { type ServiceOptions, startService, type TestService } from '../setup/service.ts';
import { useSmtpServer } from '../setup/smtp-server.ts';

let service: TestService;
let ada: TestUser;
let workspaceId: number;
beforeAll(async () => {
  service = await startService({ env: { ROLES: 'http' } });
  ada = await aUser(service);
});
beforeEach(async () => {
  workspaceId = await aWorkspace(service, ada);
});
afterAll(() => service.stop());

describe('inviting an unknown address', () => {
  test('answers the invite and, without mail, its link, which only the answer shows', async () => {
    const email = anEmail();
    const answer = await invite(email, 'user');
    expect(answer.status).toBe(200);
    expect(answer.body.invite).toEqual({
      id: expect.any(Number),
      workspace_id: workspaceId,
      email,
      role: 'user',
      status: 'pending',
      valid_until: expect.any(String),
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    const days = (Date.parse(answer.body.invite.valid_until) - Date.now()) / 86_400_000;
    expect(days).toBeCloseTo(7, 1);
    const link = new URL(answer.body.invite_link);
    expect(link.origin).toBe(service.url);
    expect(link.pathname).toBe('/register');
    expect(link.searchParams.get('email')).toBe(email);

    const list = await call('GET', '/invites');
    expect(list.body).toEqual([answer.body.invite]);
    const { rows } = await service.context.pool.query('select * from workspace_invites');
    for (const row of rows) {
      const stored = [row.token_encrypted, row.token_hash].map((bytes) => bytes.toString('latin1')).join();
      expect(stored).not.toContain(tokenOf(answer));
    }
  });

  test('is refused while an invite is open, and renews an expired one', async () => {
    const email = anEmail();
    const first = await invite(email, 'user');
    const again = await invite(email.toUpperCase(), 'admin');
    expect(again.status).toBe(400);
    expect(again.body).toEqual({ type: 'error', message: 'User has already been invited.' });
    await expire(first.body.invite.id);
    const renewed = await invite(email, 'readonly');
    expect(renewed.body.invite).toMatchObject({ id: first.body.invite.id, role: 'readonly' });
    expect(tokenOf(renewed)).not.toBe(tokenOf(first));
    expect((await register(email, tokenOf(first))).status).toBe(400);
  });

  test('of many invitations at once one is made', async () => {
    const email = anEmail();
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => invite(email, 'user')));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 400, 400, 400, 400]);
  });
});

describe('accepting', () => {
  test('by registering joins the workspace, once, and makes no workspace of one’s own', async () => {
    const email = anEmail();
    const invited = await invite(email, 'readonly');
    const registered = await register(email, tokenOf(invited));
    expect(registered.status).toBe(201);
    const workspaces = await service.request('GET', '/open/workspaces', { cookie: cookieOf(registered) });
    expect(workspaces.body).toMatchObject([{ id: workspaceId, role: 'readonly' }]);
    expect((await call('GET', '/invites')).body).toMatchObject([{ status: 'accepted' }]);
    const again = await register(anEmail(), tokenOf(invited));
    expect(again.status).toBe(400);
    expect(again.body).toEqual({ type: 'error', message: 'Invite token is invalid.' });
  });

  test('by many at once lets one in', async () => {
    const body = { invite_token: tokenOf(await invite(anEmail(), 'user')) };
    const people = await Promise.all([1, 2, 3].map(() => aUser(service)));
    const answers = await Promise.all(
      people.map(({ cookie }) => service.request('POST', '/invites/accept', { cookie, body })),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 400, 400]);
  });

  test('by registering is for the address that was invited', async () => {
    const email = anEmail();
    const token = tokenOf(await invite(email, 'user'));
    const other = await register('ceo@corp.example', token);
    expect(other.status).toBe(422);
    expect(Object.keys(other.body.errors)).toEqual(['email']);
    expect((await invite('ceo@corp.example', 'user')).body.invite).toBeDefined();
    expect((await register(email.toUpperCase(), token)).status).toBe(201);
  });

  test('by registering is for no address that only looks like the invited one', async () => {
    const token = tokenOf(await invite('chief@ibm.example', 'user'));
    for (const email of ['chief@İbm.example', 'chİef@ibm.example', 'ｃhief@ibm.example'])
      expect((await register(email, token)).body.errors, email).toEqual({
        email: ['This invite is for another e-mail address.'],
      });
    // Full-width letters are the same domain.
    const registered = await register('chief@ｉｂｍ.example', token);
    expect(registered.body.user.email).toBe('chief@ibm.example');
    expect((await register('chief@IBM.example')).body.errors).toEqual({
      email: ['The email has already been taken.'],
    });
    const other = await invite('chief@İbm.example', 'user');
    expect(other.body.invite.email).toBe('chief@xn--ibm-8dc.example');
    expect((await register('chief@İBM.example', tokenOf(other))).status).toBe(201);
  });

  test('with a session joins too, and keeps the role of a member', async () => {
    const bob = await aUser(service, { name: 'Bob' });
    const accept = async (role: string) => {
      const token = tokenOf(await invite(anEmail(), role));
      return service.request('POST', '/invites/accept', {
        cookie: bob.cookie,
        body: { invite_token: token },
      });
    };
    const answer = await accept('user');
    expect(answer.body).toEqual({
      type: 'success',
      message: 'You are now a member of the workspace.',
      workspace_id: workspaceId,
    });
    expect((await accept('admin')).status).toBe(200);
    expect((await call('GET', '/users')).body).toMatchObject([{ id: ada.id }, { id: bob.id, role: 'user' }]);
    const withToken = await service.request('POST', '/invites/accept', {
      token: bob.token,
      body: { invite_token: 'x' },
    });
    expect(withToken.status).toBe(403);
  });

  test('once more, as after an answer that was lost, leads a member on, and nobody else', async () => {
    const bob = await aUser(service, { name: 'Bob' });
    const body = { invite_token: tokenOf(await invite(anEmail(), 'user')) };
    const accept = (person: TestUser) =>
      service.request('POST', '/invites/accept', { cookie: person.cookie, body });
    const answers = await Promise.all([accept(bob), accept(bob)]);
    answers.push(await accept(bob));
    for (const { status, body } of answers) expect([status, body.workspace_id]).toEqual([200, workspaceId]);
    expect((await call('GET', '/audit-log?verb=invite.accepted')).body).toHaveLength(1);
    expect((await accept(await aUser(service, { name: 'Eve' }))).status).toBe(400);
    // A removed member cannot return by it.
    await call('DELETE', `/users/${bob.id}/remove`);
    expect((await accept(bob)).status).toBe(400);
    expect((await call('GET', '/users')).body).toHaveLength(1);
  });

  test('is refused for an expired, cancelled or made-up token, and registers nobody', async () => {
    const invited = await invite(anEmail(), 'user');
    await expire(invited.body.invite.id);
    const email = anEmail();
    const expired = await register(email, tokenOf(invited));
    expect(expired.status).toBe(400);
    expect(expired.body.message).toBe('Invite token has expired.');
    expect((await register(email, 'made up')).body.message).toBe('Invite token is invalid.');
    await call('DELETE', `/invites/${invited.body.invite.id}/cancel`);
    expect((await register(email, tokenOf(invited))).body.message).toBe('Invite token is invalid.');
    expect((await register(email)).status).toBe(201);
  });

  test.each([
    ['first', 201],
    ['closed', 403],
  ])('under REGISTRATION=%s answers %i', async (registration, status) => {
    const email = anEmail();
    const token = tokenOf(await invite(email, 'user'));
    const { database, dataDir } = service;
    const strict = await startService({
      database,
      dataDir,
      env: { REGISTRATION: registration, ROLES: 'http' },
    });
    try {
      expect((await register(anEmail(), undefined, strict)).status).toBe(403);
      expect((await register(email, token, strict)).status).toBe(status);
    } finally {
      await strict.stop();
    }
  });

  test('an added account closes the open invite of its address', async () => {
    const email = anEmail();
    await invite(email, 'user');
    expect((await register(email)).status).toBe(201);
    expect((await invite(email, 'user')).body.message).toBe('User has been successfully added to workspace.');
    expect((await call('GET', '/invites')).body).toMatchObject([{ status: 'accepted' }]);
  });
});

describe('resending and cancelling', () => {
  test('resending renews the same link, also an expired one', async () => {
    const invited = await invite(anEmail(), 'user');
    const { id, email } = invited.body.invite;
    await expire(id);
    const resent = await call('POST', `/invites/${id}/resend`);
    expect(resent.status).toBe(200);
    expect(resent.body.invite_link).toBe(invited.body.invite_link);
    expect((await register(email, tokenOf(invited))).status).toBe(201);
    const used = await call('POST', `/invites/${id}/resend`);
    expect(used.status).toBe(400);
    expect(used.body).toEqual({ type: 'error', message: 'Invite already accepted.' });
    expect((await call('DELETE', `/invites/${id}/cancel`)).status).toBe(400);
  });

  test('an invite of another workspace is not found', async () => {
    const invited = await invite(anEmail(), 'user');
    const { id } = invited.body.invite;
    workspaceId = await aWorkspace(service, ada);
    for (const unknown of [id, 999_999, 'x']) {
      expect((await call('POST', `/invites/${unknown}/resend`)).status).toBe(404);
      expect((await call('DELETE', `/invites/${unknown}/cancel`)).status).toBe(404);
    }
    workspaceId = invited.body.invite.workspace_id;
    const cancelled = await call('DELETE', `/invites/${id}/cancel`);
    expect(cancelled.body).toEqual({ type: 'success', message: 'Invite deleted successfully.' });
    expect((await call('GET', '/invites')).body).toEqual([]);
  });

  test('listing needs workspaces-write and an admin', async () => {
    const bob = await aUser(service, { name: 'Bob' });
    await aMember(service, ada, workspaceId, bob, 'user');
    const status = async (token?: string) => (await call('GET', '/invites', undefined, token ?? '')).status;
    expect(await status('')).toBe(401);
    expect(await status(bob.token)).toBe(403);
    expect(await status(await aToken(service, ada, ['workspace-users-read', 'workspaces-read']))).toBe(403);
    expect(await status(await aToken(service, ada, ['workspaces-write']))).toBe(200);
  });
});

describe('invites by an admin who is none any more', () => {
  let bob: TestUser;
  beforeEach(async () => {
    bob = await aUser(service, { name: 'Bob' });
    await aMember(service, ada, workspaceId, bob, 'admin');
  });
  const member = () => `/users/${bob.id}`;
  const accept = (invited: { body: any }) =>
    service.request('POST', '/invites/accept', {
      cookie: bob.cookie,
      body: { invite_token: tokenOf(invited) },
    });

  test.each([
    ['is removed', () => call('DELETE', `${member()}/remove`)],
    ['is demoted', () => call('PUT', `${member()}/update-role`, { role: 'user' })],
    ['leaves', () => call('POST', '/leave', undefined, bob.token)],
    [
      'deletes the account',
      async () => {
        const { token, cookie, password } = bob;
        const { body } = await service.request('GET', '/open/workspaces', { token });
        const [own] = body.filter(({ id }: any) => id !== workspaceId);
        await service.request('DELETE', `/open/workspaces/${own.id}`, { token });
        return service.request('DELETE', '/user', { cookie, body: { current_password: password } });
      },
    ],
  ])('are cancelled when he %s, and nobody comes in by them', async (how, end) => {
    const [own, ran, sent, others] = [anEmail(), anEmail(), anEmail(), anEmail()];
    const spare = await inviteAs(bob, own);
    const expired = await inviteAs(bob, ran);
    await expire(expired.body.invite.id);
    // Without a mail server, resending an invite shows its link.
    const byAda = await invite(sent, 'admin');
    const again = await call('POST', `/invites/${byAda.body.invite.id}/resend`, undefined, bob.token);
    expect(tokenOf(again)).toBe(tokenOf(byAda));
    const kept = await invite(others, 'user');
    const ended = await end();
    expect(ended.status, ended.text).toBe(200);
    expect((await call('GET', '/invites')).body).toMatchObject([
      { id: kept.body.invite.id, status: 'pending' },
    ]);
    const log = await call('GET', '/audit-log?verb=invite.cancelled');
    expect(log.body.map(({ target }: any) => target.name).sort()).toEqual([own, ran, sent].sort());
    if (how !== 'deletes the account') {
      for (const invited of [spare, expired, byAda]) expect((await accept(invited)).status).toBe(400);
      const mine = await service.request('GET', `/open/workspaces/${workspaceId}/invites`, {
        token: bob.token,
      });
      expect(mine.status).toBe(403);
    }
    expect((await register(own, tokenOf(spare))).status).toBe(400);
    expect((await register(others, tokenOf(kept))).status).toBe(201);
  });

  test('stay with him while he is one, and what was accepted stays', async () => {
    const [accepted, open] = [anEmail(), anEmail()];
    expect((await register(accepted, tokenOf(await inviteAs(bob, accepted)))).status).toBe(201);
    await inviteAs(bob, open);
    await call('PUT', `${member()}/update-role`, { role: 'admin' });
    expect((await call('GET', '/invites')).body).toMatchObject([
      { status: 'accepted' },
      { status: 'pending' },
    ]);
    await call('DELETE', `${member()}/remove`);
    expect((await call('GET', '/invites')).body).toMatchObject([{ email: accepted, status: 'accepted' }]);
    expect((await call('GET', '/users')).body).toHaveLength(2);
  });

  const inviteAs = (person: TestUser, email: string) =>
    call('POST', '/users/add', { email, role: 'admin' }, person.token);
});

describe('with mail', () => {
  const smtp = useSmtpServer();

  test('the link goes out by mail and stands nowhere else', async () => {
    const { database, dataDir } = service;
    const options: ServiceOptions = { database, dataDir, env: { ROLES: 'http', SMTP_URL: smtp.url } };
    const mailing = await startService(options);
    try {
      const email = anEmail();
      const path = `/open/workspaces/${workspaceId}`;
      const answer = await mailing.request('POST', `${path}/users/add`, {
        token: ada.token,
        body: { email, role: 'user' },
      });
      expect(answer.body).toEqual({
        type: 'success',
        message: 'Registration invitation email sent to user.',
        invite: expect.any(Object),
      });
      const { rows: jobs } = await mailing.context.pool.query(
        `select payload from graphile_worker._private_jobs`,
      );
      expect(jobs).toContainEqual({ payload: { inviteId: answer.body.invite.id } });
      expect(JSON.stringify(jobs)).not.toContain('invite_token');

      await runAllJobs(mailing.context);
      expect(smtp.mails).toHaveLength(1);
      expect(smtp.mails[0]?.recipients).toEqual([email]);
      const [, token = ''] = /invite_token=([\w-]{43})/.exec(smtp.mails[0]?.text ?? '') ?? [];
      expect((await register(email, token)).status).toBe(201);
    } finally {
      await mailing.stop();
    }
  });

  test('one whose mail the server refuses says so, until it is taken', async () => {
    const { database, dataDir } = service;
    const mailing = await startService({ database, dataDir, env: { ROLES: 'http', SMTP_URL: smtp.url } });
    try {
      const path = `/open/workspaces/${workspaceId}`;
      const options = { token: ada.token };
      const email = anEmail();
      const body = { email, role: 'user' };
      const { invite } = (await mailing.request('POST', `${path}/users/add`, { ...options, body })).body;
      const listed = async () => (await mailing.request('GET', `${path}/invites`, options)).body;
      expect(await listed()).toEqual([invite]);
      smtp.refusals.set(email, '550 nobody here');
      await expect(runAllJobs(mailing.context)).rejects.toThrow('send_invite');
      expect(await listed()).toEqual([{ ...invite, mail_failed: true }]);
      smtp.refusals.clear();
      await mailing.request('POST', `${path}/invites/${invite.id}/resend`, options);
      expect((await listed())[0]).not.toHaveProperty('mail_failed');
      await runAllJobs(mailing.context);
      expect(smtp.mails.at(-1)?.recipients).toEqual([email]);
      expect((await listed())[0]).not.toHaveProperty('mail_failed');
    } finally {
      await mailing.stop();
    }
  });

  test('few of them go to one address, however often it is invited, sent another or cancelled', async () => {
    const { database, dataDir } = service;
    const mailing = await startService({ database, dataDir, env: { ROLES: 'http', SMTP_URL: smtp.url } });
    try {
      const email = anEmail();
      const path = `/open/workspaces/${workspaceId}`;
      const options = { token: ada.token };
      const add = () =>
        mailing.request('POST', `${path}/users/add`, { ...options, body: { email, role: 'user' } });
      const before = smtp.mails.length;
      for (let round = 0; round < 5; round++) {
        const { id } = (await add()).body.invite;
        await runAllJobs(mailing.context);
        const resent = await mailing.request('POST', `${path}/invites/${id}/resend`, options);
        expect(resent.status).toBe(200);
        await runAllJobs(mailing.context);
        await mailing.request('DELETE', `${path}/invites/${id}/cancel`, options);
      }
      await mailing.context.pool.query(
        `update failed_guesses set last_failed_at = now() + interval '5 minutes' where subject = $1`,
        [`invite mail:${email}`],
      );
      const refused = await add();
      expectRefused(refused, 429);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(1);
      await runAllJobs(mailing.context);
      expect(smtp.mails.slice(before).map(({ recipients }) => recipients)).toEqual(Array(10).fill([email]));
    } finally {
      await mailing.stop();
    }
  });

  test('a cancelled invite is not mailed', async () => {
    const { database, dataDir } = service;
    const mailing = await startService({ database, dataDir, env: { ROLES: 'http', SMTP_URL: smtp.url } });
    try {
      const before = smtp.mails.length;
      const path = `/open/workspaces/${workspaceId}`;
      const options = { token: ada.token };
      const body = { email: anEmail(), role: 'user' };
      const { id } = (await mailing.request('POST', `${path}/users/add`, { ...options, body })).body.invite;
      const resent = await mailing.request('POST', `${path}/invites/${id}/resend`, options);
      expect(resent.body).toEqual({ type: 'success', message: 'Invite email resent successfully.' });
      await mailing.request('DELETE', `${path}/invites/${id}/cancel`, options);
      await runAllJobs(mailing.context);
      expect(smtp.mails).toHaveLength(before);
    } finally {
      await mailing.stop();
    }
  });
});

function call(method: string, path: string, body?: unknown, token = ada.token) {
  return service.request(method, `/open/workspaces/${workspaceId}${path}`, { token, body });
}

function invite(email: string, role: string) {
  return call('POST', '/users/add', { email, role });
}

function register(email: string, invite_token?: string, on = service) {
  const body = { name: 'New', email, password: 'correct horse battery', invite_token };
  return on.request('POST', '/register', { body });
}

function expire(inviteId: number) {
  const sql = `update workspace_invites set valid_until = now() - interval '1 second' where id = $1`;
  return service.context.pool.query(sql, [inviteId]);
}

function anEmail(): string {
  return `invited-${randomBytes(5).toString('hex')}@example.com`;
}

function tokenOf(answer: { body: { invite_link: string } }): string {
  return new URL(answer.body.invite_link).searchParams.get('invite_token') ?? '';
}

function cookieOf(answer: { headers: Headers }): string {
  return answer.headers.get('set-cookie')?.split(';')[0] ?? '';
}
