import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  forgetFailedGuesses,
  guess,
  recordFailedGuess,
  refuseWhileGuessing,
} from '../../server/access/guesses.ts';
import { aForm, aMember, aUser, aWorkspace } from '../setup/factories.ts';
import { expectCheap } from '../setup/processor-time.ts';
import { startService, type TestService } from '../setup/service.ts';

const PASSWORD = 'correct horse battery';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

describe('registration', () => {
  test('signs in, shows the person and gives a workspace of one’s own', async () => {
    const answer = await register({ name: '  Ada  ', email: ' Ada.Lovelace@Example.com ' });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      type: 'success',
      user: { name: 'Ada', email: 'Ada.Lovelace@Example.com', service_sends_mail: false },
    });
    const me = await service.request('GET', '/user', { cookie: cookieOf(answer) });
    expect(me.body).toEqual(answer.body.user);
    const workspaces = await service.request('GET', '/open/workspaces', { cookie: cookieOf(answer) });
    expect(workspaces.body).toMatchObject([{ name: 'My Workspace', role: 'admin', users_count: 1 }]);
  });

  test('takes an address once, whatever its case', async () => {
    const { email } = await aUser(service);
    const answer = await register({ email: email.toUpperCase() });
    expect(answer.status).toBe(422);
    expect(answer.body).toEqual({
      message: 'The email has already been taken.',
      errors: { email: ['The email has already been taken.'] },
    });
  });

  test.each([
    ['no name', { name: undefined }, 'name'],
    ['a blank name', { name: '   ' }, 'name'],
    ['a short password', { password: '1234567' }, 'password'],
    ['no address', { email: 'ada' }, 'email'],
    ['two addresses', { email: 'a@example.com,b@example.com' }, 'email'],
    ['a line end in the address', { email: 'a@example.com\nBcc: b@example.com' }, 'email'],
    ['a number for an address', { email: 7 }, 'email'],
  ])('refuses %s', async (_what, member, key) => {
    const answer = await register(member);
    expect(answer.status).toBe(422);
    expect(Object.keys(answer.body.errors)).toEqual([key]);
  });

  test('tells everything that is wrong at once', async () => {
    const answer = await register({ name: ' ', email: 'ada', password: '1234567' });
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toEqual({
      name: ['The name field is required.'],
      email: ['The email must be a valid email address.'],
      password: ['The password must be at least 8 characters.'],
    });
  });

  test('refuses a very long address without thinking long', async () => {
    await expectCheap(3_000, async () => {
      const answer = await register({ email: `${'a'.repeat(900_000)}@` });
      expect(answer.status).toBe(422);
    });
  });
});

describe('REGISTRATION=first', () => {
  test('of two first registrations at once exactly one wins', async () => {
    const fresh = await startService({ env: { REGISTRATION: 'first' } });
    try {
      expect((await fresh.request('GET', '/registration')).body).toEqual({
        registration: 'open',
        single_sign_on: null,
        password_by_mail: false,
      });
      const answers = await Promise.all(['a', 'b', 'c', 'd'].map((name) => register({ name }, fresh)));
      expect(answers.map((answer) => answer.status).sort()).toEqual([201, 403, 403, 403]);
      expect((await fresh.request('GET', '/registration')).body).toMatchObject({ registration: 'invite' });
    } finally {
      await fresh.stop();
    }
  });
});

describe('REGISTRATION=closed', () => {
  test('nobody registers, not even the first', async () => {
    const closed = await startService({ env: { REGISTRATION: 'closed' } });
    try {
      expect((await register({}, closed)).status).toBe(403);
      expect((await closed.request('GET', '/registration')).body).toEqual({
        registration: 'closed',
        single_sign_on: null,
        password_by_mail: false,
      });
    } finally {
      await closed.stop();
    }
  });
});

describe('sessions', () => {
  test('a login opens a session that a logout ends', async () => {
    const user = await aUser(service);
    const login = await signIn(user.email.toUpperCase(), user.password);
    expect(login.status).toBe(200);
    expect(login.body.user.id).toBe(user.id);
    const cookie = cookieOf(login);
    expect((await service.request('GET', '/user', { cookie })).status).toBe(200);
    const logout = await service.request('POST', '/logout', { cookie });
    expect(logout.status).toBe(200);
    expect(logout.headers.get('set-cookie')).toMatch(/^formstead_session=; .*Expires=Thu, 01 Jan 1970/);
    expect((await service.request('GET', '/user', { cookie })).status).toBe(401);
    expect((await service.request('GET', '/user', { cookie: user.cookie })).status).toBe(200);
  });

  test('the cookie is kept from scripts and other sites, and the database holds no copy of it', async () => {
    const user = await aUser(service);
    const login = await signIn(user.email, user.password);
    const [header = ''] = login.headers.getSetCookie();
    expect(header).toMatch(/^formstead_session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/);
    const value = cookieOf(login).split('=')[1] ?? '';
    const { rows } = await service.context.pool.query('select * from sessions');
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) {
      expect(JSON.stringify(row)).not.toContain(value);
      expect(row.token_hash.toString('base64url')).not.toBe(value);
    }
  });

  test.each(['https://forms.example.org', 'HTTPS://例え.example'])(
    'the cookie is Secure where the service is reached over HTTPS, at %s',
    async (BASE_URL) => {
      const secure = await startService({ env: { BASE_URL } });
      try {
        expect((await register({}, secure)).headers.get('set-cookie')).toContain('; Secure');
        // The refusal has a header with the service's address.
        expect((await secure.request('POST', '/mcp', { body: {} })).status).toBe(401);
      } finally {
        await secure.stop();
      }
    },
  );

  test('an expired session is none', async () => {
    const user = await aUser(service);
    await service.context.pool.query(
      `update sessions set expires_at = now() - interval '1 second' where user_id = $1`,
      [user.id],
    );
    expect((await service.request('GET', '/user', { cookie: user.cookie })).status).toBe(401);
  });

  test('another site cannot write with the session of its visitor', async () => {
    const { cookie } = await aUser(service);
    const options = { cookie, body: { name: 'Eve' }, headers: { origin: 'https://evil.example' } };
    expect((await service.request('PUT', '/user', options)).status).toBe(403);
    expect(
      (await service.request('PUT', '/user', { ...options, headers: { origin: service.url } })).status,
    ).toBe(200);
  });

  test('a wrong password and an unknown address answer alike', async () => {
    const user = await aUser(service);
    const wrong = await signIn(user.email, 'wrong password');
    const unknown = await signIn('nobody@example.com', 'wrong password');
    expect(wrong.status).toBe(422);
    expect(unknown.text).toBe(wrong.text);
    expect(wrong.headers.get('set-cookie')).toBeNull();
  });
});

describe('guessing', () => {
  test('is slowed down after five wrong passwords, for this address only', async () => {
    const user = await aUser(service);
    for (let turn = 0; turn < 5; turn++) expect((await signIn(user.email, `wrong ${turn}`)).status).toBe(422);
    const stopClock = `update failed_guesses set last_failed_at = now() + interval '1 minute' where subject = $1`;
    await service.context.pool.query(stopClock, [`account:${user.email}`]);
    const refused = await signIn(user.email, user.password);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);

    // With the guesses moved to another address, the owner gets in from this one.
    await service.context.pool.query(`update failed_guesses set address = '203.0.113.9' where subject = $1`, [
      `account:${user.email}`,
    ]);
    expect((await signIn(user.email, user.password)).status).toBe(200);
  });

  test('pauses grow, and end', async () => {
    const user = await aUser(service);
    const subject = `account:${user.email}`;
    const set = (failures: number, secondsAgo: number) =>
      service.context.pool.query(
        `insert into failed_guesses (subject, address, failures, last_failed_at)
         values ($1, '127.0.0.1', $2, now() - make_interval(secs => $3))
         on conflict (subject, address) do update set failures = $2, last_failed_at = now() - make_interval(secs => $3)`,
        [subject, failures, secondsAgo],
      );
    await set(10, 0);
    const refused = await signIn(user.email, user.password);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(25);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(32);
    await set(1_000_000, 0);
    const longest = await signIn(user.email, user.password);
    expect(Number(longest.headers.get('retry-after'))).toBeLessThanOrEqual(900);
    await set(10, 33);
    expect((await signIn(user.email, user.password)).status).toBe(200);
    const { rowCount } = await service.context.pool.query('select 1 from failed_guesses where subject = $1', [
      subject,
    ]);
    expect(rowCount).toBe(0);
  });

  test('a right guess among many sent at once is not told', async () => {
    const { db } = service.context;
    const rightAfterManyWrongOnes = async () => {
      for (let turn = 0; turn < 12; turn++)
        await recordFailedGuess(db, { subject: 'account:a', address: '203.0.113.9' });
      return true;
    };
    await expect(
      guess(db, { subject: 'account:a', address: '203.0.113.9' }, rightAfterManyWrongOnes),
    ).rejects.toMatchObject({
      statusCode: 429,
    });
    expect(await guess(db, { subject: 'account:a', address: '203.0.113.10' }, async () => true)).toBe(true);
  });

  test('one IPv6 network is one guesser', async () => {
    const { db } = service.context;
    for (let host = 1; host <= 12; host++)
      await recordFailedGuess(db, { subject: 'account:b', address: `2001:db8:1:2::${host}` });
    await expect(
      refuseWhileGuessing(db, { subject: 'account:b', address: '2001:db8:1:2:ffff::1' }),
    ).rejects.toMatchObject({
      statusCode: 429,
    });
    await refuseWhileGuessing(db, { subject: 'account:b', address: '2001:db8:1:3::1' });
    await forgetFailedGuesses(db, { subject: 'account:b', address: '2001:db8:1:2::77' });
    await refuseWhileGuessing(db, { subject: 'account:b', address: '2001:db8:1:2:ffff::1' });
  });
});

describe('one’s own account', () => {
  test('is renamed by a session, read by a token, and not changed by a token', async () => {
    const user = await aUser(service);
    const renamed = await service.request('PUT', '/user', { cookie: user.cookie, body: { name: 'Grace' } });
    expect(renamed.body.user.name).toBe('Grace');
    const read = await service.request('GET', '/user', { token: user.token });
    expect(read.body).toMatchObject({ id: user.id, name: 'Grace', email: user.email });
    expect(read.body).not.toHaveProperty('password_hash');
    const refused = await service.request('PUT', '/user', { token: user.token, body: { name: 'Eve' } });
    expect(refused.status).toBe(403);
  });

  test('of two new passwords at once one counts: who knew the old one cannot undo what puts them out', async () => {
    const user = await aUser(service);
    const thief = cookieOf(await signIn(user.email, user.password));
    const change = (cookie: string, password: string) =>
      service.request('PUT', '/user/password', {
        cookie,
        body: { current_password: user.password, password },
      });
    const answers = await Promise.all([
      change(user.cookie, 'of the owner'),
      change(thief, 'of somebody else'),
    ]);
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    const kept = statuses[0] === 200 ? 'of the owner' : 'of somebody else';
    expect((await signIn(user.email, kept)).status).toBe(200);
  });

  test('a new password needs the old one and ends the other sessions', async () => {
    const user = await aUser(service);
    const other = cookieOf(await signIn(user.email, user.password));
    const change = (current_password: string) =>
      service.request('PUT', '/user/password', {
        cookie: user.cookie,
        body: { current_password, password: 'a whole new one' },
      });
    const refused = await change('wrong');
    expect(refused.status).toBe(422);
    expect(Object.keys(refused.body.errors)).toEqual(['current_password']);
    expect((await change(user.password)).status).toBe(200);
    expect((await service.request('GET', '/user', { cookie: other })).status).toBe(401);
    expect((await service.request('GET', '/user', { cookie: user.cookie })).status).toBe(200);
    expect((await signIn(user.email, user.password)).status).toBe(422);
    expect((await signIn(user.email, 'a whole new one')).status).toBe(200);
  });
});

describe('deleting one’s own account', () => {
  const remove = (cookie: string, current_password: string, on = service) =>
    on.request('DELETE', '/user', { cookie, body: { current_password } });

  /** A new person, the workspace made at registration, and a call that deletes it. */
  async function aGuest() {
    const user = await aUser(service);
    const [own] = (await service.request('GET', '/open/workspaces', { token: user.token })).body;
    const deleteOwn = () => service.request('DELETE', `/open/workspaces/${own.id}`, { cookie: user.cookie });
    return { ...user, own, deleteOwn };
  }

  test('needs the password, and no workspace that would be left alone', async () => {
    const user = await aGuest();
    const wrong = await remove(user.cookie, 'wrong');
    expect(wrong.status).toBe(422);
    expect(Object.keys(wrong.body.errors)).toEqual(['current_password']);
    const alone = await remove(user.cookie, user.password);
    expect(alone.status).toBe(409);
    expect(alone.body.message).toBe(`Nobody else is in the workspace "${user.own.name}". Delete it first.`);
    expect((await service.request('GET', '/user', { cookie: user.cookie })).status).toBe(200);
  });

  test('ends sessions and tokens, and leaves what others are in', async () => {
    const [ada, user] = [await aUser(service), await aGuest()];
    const workspaceId = await aWorkspace(service, ada);
    await aMember(service, ada, workspaceId, user, 'admin');
    await service.request('POST', `/open/workspaces/${workspaceId}/leave`, { cookie: ada.cookie });
    await aMember(service, user, workspaceId, ada, 'user');
    const form = await aForm(service, user, workspaceId);
    await user.deleteOwn();
    const lastAdmin = await remove(user.cookie, user.password);
    expect(lastAdmin.status).toBe(409);
    expect(lastAdmin.body.message).toContain('Make somebody else its admin first.');
    const path = `/open/workspaces/${workspaceId}/users/${ada.id}/update-role`;
    await service.request('PUT', path, { cookie: user.cookie, body: { role: 'admin' } });

    const answer = await remove(user.cookie, user.password);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.headers.get('set-cookie')).toMatch(/^formstead_session=;/);
    expect((await service.request('GET', '/user', { cookie: user.cookie })).status).toBe(401);
    expect((await service.request('GET', '/user', { token: user.token })).status).toBe(401);
    expect((await signIn(user.email, user.password)).status).toBe(422);
    const read = await service.request('GET', `/open/forms/${form.id}`, { cookie: ada.cookie });
    expect(read.status).toBe(200);
    const log = await service.request('GET', `/open/workspaces/${workspaceId}/audit-log`, {
      cookie: ada.cookie,
    });
    expect(log.text).toContain('member.removed');
  });

  test('is not for the only one, whose place a stranger could take', async () => {
    const own = await startService();
    try {
      const registered = await register({}, own);
      const cookie = cookieOf(registered);
      const [workspace] = (await own.request('GET', '/open/workspaces', { cookie })).body;
      await own.request('DELETE', `/open/workspaces/${workspace.id}`, { cookie });
      const refused = await remove(cookie, PASSWORD, own);
      expect(refused.status).toBe(409);
      expect(refused.body.message).toBe('This is the only account here. The operator can delete it.');
    } finally {
      await own.stop();
    }
  });
});

function register(member: Record<string, unknown> = {}, on = service) {
  const email = `someone-${randomBytes(5).toString('hex')}@example.com`;
  return on.request('POST', '/register', { body: { name: 'Ada', email, password: PASSWORD, ...member } });
}

function signIn(email: string, password: string) {
  return service.request('POST', '/login', { body: { email, password } });
}

function cookieOf(answer: { headers: Headers }): string {
  return answer.headers.get('set-cookie')?.split(';')[0] ?? '';
}
