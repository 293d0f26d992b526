import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { purgeSessions } from '../../server/jobs/queries.ts';
import { aUser, type TestUser } from '../setup/factories.ts';
import { cookieOf, signIn } from '../setup/second-factor.ts';
import { startService, type TestService } from '../setup/service.ts';

let service: TestService;
let other: TestService;
let secure: TestService;
beforeAll(async () => {
  service = await startService();
  const { database, dataDir } = service;
  other = await startService({ database, dataDir });
  secure = await startService({ env: { BASE_URL: 'https://forms.example.org' }, database, dataDir });
});
afterAll(async () => {
  await secure.stop();
  await other.stop();
  await service.stop();
});

const list = async ({ cookie }: { cookie: string }) =>
  (await service.request('GET', '/settings/sessions', { cookie })).body;
const isIn = async (cookie: string) => (await other.request('GET', '/user', { cookie })).status === 200;
const moveBack = (user: TestUser, column: string, interval: string) =>
  service.context.pool.query(`update sessions set ${column} = ${column} - $2::interval where user_id = $1`, [
    user.id,
    interval,
  ]);

describe('the list of sessions', () => {
  test('tells where one is signed in, and which of them asks', async () => {
    const user = await aUser(service);
    const headers = { 'user-agent': 'Firefox on a boat' };
    const body = { email: user.email, password: user.password };
    const second = await service.request('POST', '/login', { body, headers });
    const sessions = await list({ cookie: cookieOf(second) });
    expect(sessions).toHaveLength(2);
    const [current, former] = sessions;
    expect(current).toEqual({
      id: expect.any(Number),
      is_current: true,
      user_agent: 'Firefox on a boat',
      network: '127.0.0.1',
      created_at: expect.stringMatching(/Z$/),
      last_used_at: expect.stringMatching(/Z$/),
      ends_at: expect.stringMatching(/Z$/),
    });
    expect(former.is_current).toBe(false);
    const days = (Date.parse(current.ends_at) - Date.now()) / 86_400_000;
    expect(days).toBeCloseTo(7, 2);
    expect(JSON.stringify(sessions)).not.toContain(cookieOf(second).split('=')[1]);
  });

  test('notes from where one came last, exact to a minute', async () => {
    const proxied = await startService({
      database: service.database,
      dataDir: service.dataDir,
      env: { TRUST_PROXY: '127.0.0.1/32' },
    });
    const user = await aUser(service);
    await moveBack(user, 'last_used_at', '2 minutes');
    const headers = { 'x-forwarded-for': '2001:db8:1:2:3::9' };
    await proxied.request('GET', '/user', { cookie: user.cookie, headers });
    await proxied.stop();
    const [session] = await list(user);
    expect(session.network).toMatch(/^2001:0?db8:0*1:0*2:/);
    expect(session.network).not.toContain('9');
  });

  test('shows nobody the sessions of others, and lets nobody end them', async () => {
    const [user, eve] = await Promise.all([aUser(service), aUser(service, { name: 'Eve' })]);
    const [{ id }] = await list(user);
    expect((await list(eve)).map((session: { id: number }) => session.id)).not.toContain(id);
    for (const wrong of [id, 999_999_999, 'x', '0'])
      expect(
        (await service.request('DELETE', `/settings/sessions/${wrong}`, { cookie: eve.cookie })).status,
      ).toBe(404);
    expect(await isIn(user.cookie)).toBe(true);
  });
});

describe('a session', () => {
  test('that is ended from another one is over in every process', async () => {
    const user = await aUser(service);
    const lost = cookieOf(await signIn(service, user));
    expect(await isIn(lost)).toBe(true);
    const { id } = (await list(user)).find((session: { is_current: boolean }) => !session.is_current);
    const ended = await service.request('DELETE', `/settings/sessions/${id}`, { cookie: user.cookie });
    expect(ended.status).toBe(200);
    expect(await isIn(lost)).toBe(false);
    expect(await isIn(user.cookie)).toBe(true);
  });

  test('can end all others', async () => {
    const user = await aUser(service);
    const others = [cookieOf(await signIn(service, user)), cookieOf(await signIn(other, user))];
    const answer = await service.request('DELETE', '/settings/sessions', { cookie: user.cookie });
    expect(answer.body).toMatchObject({ type: 'success', ended: 2 });
    for (const cookie of others) expect(await isIn(cookie)).toBe(false);
    expect(await isIn(user.cookie)).toBe(true);
    expect(await list(user)).toHaveLength(1);
  });

  test('nobody uses for seven days is over, and not listed', async () => {
    const user = await aUser(service);
    await moveBack(user, 'last_used_at', '6 days 23 hours');
    expect(await isIn(user.cookie)).toBe(true);
    await moveBack(user, 'last_used_at', '7 days');
    expect(await isIn(user.cookie)).toBe(false);
    const now = { cookie: cookieOf(await signIn(service, user)) };
    expect(await list(now)).toHaveLength(1);
    await purgeSessions(service.context.db);
    const { rows } = await service.context.pool.query('select 1 from sessions where user_id = $1', [user.id]);
    expect(rows).toHaveLength(1);
  });

  test('ends after thirty days, however often it is used', async () => {
    const user = await aUser(service);
    await moveBack(user, 'expires_at', '29 days 23 hours');
    expect(await isIn(user.cookie)).toBe(true);
    await moveBack(user, 'expires_at', '1 hour');
    expect(await isIn(user.cookie)).toBe(false);
  });
});

describe('the cookie over HTTPS', () => {
  test('can be planted by no neighbouring host', async () => {
    const user = await aUser(secure);
    const login = await signIn(secure, user);
    expect(login.headers.getSetCookie()[0]).toMatch(
      /^__Host-formstead_session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    const cookie = cookieOf(login);
    expect((await secure.request('GET', '/user', { cookie })).status).toBe(200);
    const planted = cookie.replace('__Host-', '');
    expect((await secure.request('GET', '/user', { cookie: planted })).status).toBe(401);
    const logout = await secure.request('POST', '/logout', { cookie });
    expect(logout.headers.get('set-cookie')).toMatch(/^__Host-formstead_session=; .*Path=\/.*Secure/);
  });
});

describe('a page of another site', () => {
  const foreign = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ];

  test.each(['/login', '/login/second-factor', '/register'])(
    'cannot sign its visitor in at %s',
    async (path) => {
      const user = await aUser(service);
      const body = {
        name: 'Eve',
        email: path === '/register' ? 'eve@example.com' : user.email,
        password: user.password,
        pending_token: 'x',
        code: 'x',
      };
      for (const headers of foreign) {
        const answer = await service.request('POST', path, {
          body,
          headers: headers as Record<string, string>,
        });
        expect([path, answer.status]).toEqual([path, 403]);
        expect(answer.headers.get('set-cookie')).toBeNull();
      }
      const own = await service.request('POST', path, { body, headers: { origin: service.url } });
      expect(own.status).not.toBe(403);
    },
  );

  test('cannot pass for ours by a name that leads here', async () => {
    for (const host of ['rebind.evil.example', '127.0.0.1.evil.example'])
      expect([host, await mayWrite(service, `http://${host}:4118`)]).toEqual([host, false]);
    for (const host of [
      '127.0.0.1',
      'localhost',
      '[::1]',
      '192.0.2.7',
      'forms',
      'a.localhost',
      'nas.local',
      'forms.home.arpa',
    ])
      expect([host, await mayWrite(service, `http://${host}:4118`)]).toEqual([host, true]);
    // Whatever protocol a proxy passes on, the host of BASE_URL is the service's own.
    expect(await mayWrite(secure, 'http://forms.example.org')).toBe(true);
    expect(await mayWrite(secure, 'https://forms.example.org', '127.0.0.1:3000')).toBe(true);
    expect(await mayWrite(secure, 'http://forms.example.com')).toBe(false);
  });
});

/** Whether a page of this origin can sign its visitor out, with `host` as the Host header. */
async function mayWrite(to: TestService, origin: string, host = new URL(origin).host): Promise<boolean> {
  const cookie = cookieOf(await signIn(to, await aUser(to)));
  const outgoing = httpRequest(`${to.url}/logout`, { method: 'POST', headers: { host, origin, cookie } });
  outgoing.end();
  const [answer] = await once(outgoing, 'response');
  answer.resume();
  expect([200, 403]).toContain(answer.statusCode);
  return answer.statusCode === 200;
}
