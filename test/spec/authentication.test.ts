import { describe, expect, test } from 'vitest';
import { aToken, aUser } from '../setup/factories.ts';
import { expectInvalid, expectRefused, useHome } from '../setup/home.ts';
import { until } from '../setup/until.ts';

const home = useHome();

const ABILITIES = [
  'workspaces-read',
  'workspaces-write',
  'workspace-users-read',
  'workspace-users-write',
  'forms-read',
  'forms-write',
  'manage-integrations',
];
const DAY_MS = 24 * 60 * 60 * 1000;

const make = (body: object, cookie = home.ada.cookie) =>
  home.service.request('POST', '/settings/tokens', { cookie, body });
const validate = (token: string | null) => home.call('GET', '/external/partner/validate', undefined, token);

describe('the bearer token', () => {
  test('is taken from Authorization: Bearer', async () => {
    expect((await validate(home.ada.token)).status).toBe(200);
    const answer = await home.service.request('GET', '/external/partner/validate', {
      headers: { authorization: `bearer ${home.ada.token}` },
    });
    expect(answer.status).toBe(200);
  });

  const tamper = (token: string) => token.slice(0, -1) + (token.endsWith('A') ? 'B' : 'A');
  test.each([
    ['none', () => ({})],
    ['an empty one', () => ({ authorization: 'Bearer ' })],
    ['another scheme', () => ({ authorization: `Basic ${home.ada.token}` })],
    ['a bare token', () => ({ authorization: home.ada.token })],
    ['nonsense', () => ({ authorization: 'Bearer nonsense' })],
    ['one wrong character', () => ({ authorization: `Bearer ${tamper(home.ada.token)}` })],
    ['one more character', () => ({ authorization: `Bearer ${home.ada.token}0` })],
    ['two tokens', () => ({ authorization: `Bearer ${home.ada.token} ${home.ada.token}` })],
  ])('%s is 401 Unauthenticated with WWW-Authenticate', async (_name, headers) => {
    const answer = await home.service.request('GET', '/open/workspaces', { headers: headers() as any });
    expectRefused(answer, 401);
    expect(answer.body).toEqual({ message: 'Unauthenticated.' });
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  });

  test.each(['Basic YTpi', 'basic YTpi', 'Digest username="a"', 'Negotiate YII=', 'NTLM TlRM'])(
    '%s is for a proxy in front: who has a session is let in, nobody else',
    async (authorization) => {
      const me = (headers: Record<string, string>, cookie?: string) =>
        home.service.request('GET', '/user', { cookie, headers });
      expect((await me({ authorization }, home.ada.cookie)).body).toMatchObject({ id: home.ada.id });
      expectRefused(await me({ authorization }), 401);
      // With a wrong token the session does not count.
      expectRefused(await me({ authorization: 'Bearer nonsense' }, home.ada.cookie), 401);
      expectRefused(await me({ authorization: 'BasicBearer nonsense' }, home.ada.cookie), 401);
      const foreign = { authorization, origin: 'https://evil.example' };
      const cookie = home.ada.cookie;
      const body = { name: 'Mallory' };
      expectRefused(await home.service.request('PUT', '/user', { cookie, headers: foreign, body }), 403);
    },
  );

  test('in the query or the body does not count', async () => {
    expectRefused(await home.call('GET', `/open/workspaces?token=${home.ada.token}`, undefined, null), 401);
    const body = { name: 'X', access_token: home.ada.token };
    expectRefused(await home.call('POST', '/open/workspaces/create', body, null), 401);
  });
});

describe('abilities', () => {
  const workspace = (rest: string) => `/open/workspaces/${home.workspaceId}${rest}`;
  /** For each ability, a request that only it allows; a 404 or 422 shows that the request was let in. */
  const probes: Record<string, () => Promise<[method: string, path: string, body?: object]>> = {
    'workspaces-read': async () => ['GET', '/open/workspaces'],
    'workspaces-write': async () => ['POST', '/open/workspaces/create', {}],
    'workspace-users-read': async () => ['GET', workspace('/users')],
    'workspace-users-write': async () => ['PUT', workspace(`/users/${home.ada.id}/update-role`), {}],
    'forms-read': async () => ['GET', workspace('/forms')],
    'forms-write': async () => ['DELETE', `/open/forms/${(await home.form()).id}/submissions/1`],
    'manage-integrations': async () => ['GET', `/open/forms/${(await home.form()).id}/integrations`],
  };

  test.each(ABILITIES)('%s grants its own calls and implies no other', async (ability) => {
    const token = await home.tokenWith(ability);
    for (const [needed, probe] of Object.entries(probes)) {
      const [method, path, body] = await probe();
      const answer = await home.call(method, path, body, token);
      if (needed === ability) expect([200, 404, 422], `${ability} → ${needed}`).toContain(answer.status);
      else expectRefused(answer, 403);
    }
  });

  test('workspaces-write is also required to list invites', async () => {
    const list = (token: string) => home.call('GET', workspace('/invites'), undefined, token);
    expect((await list(await home.tokenWith('workspaces-write'))).status).toBe(200);
    const others = ABILITIES.filter((ability) => ability !== 'workspaces-write');
    expectRefused(await list(await home.tokenWith(...others)), 403);
  });

  test('forms-read covers export and export status, forms-write deleting submissions', async () => {
    const form = await home.form();
    const path = `/open/forms/${form.id}/submissions`;
    const [reads, writes] = [await home.tokenWith('forms-read'), await home.tokenWith('forms-write')];
    const columns = { columns: { status: true } };
    expect((await home.call('POST', `${path}/export`, columns, reads)).status).toBe(200);
    expectRefused(await home.call('GET', `${path}/export/status/export_x`, undefined, reads), 404);
    expectRefused(await home.call('POST', `${path}/export`, columns, writes), 403);
    expectRefused(await home.call('DELETE', `${path}/1`, undefined, writes), 404);
    expectRefused(await home.call('DELETE', `${path}/1`, undefined, reads), 403);
  });
});

describe('/settings/tokens', () => {
  test('a session makes a token that is shown once', async () => {
    const person = await aUser(home.service);
    const answer = await make({ name: 'CI', abilities: ['forms-read'] }, person.cookie);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ token: expect.any(String), message: expect.any(String) });
    expect((await validate(answer.body.token)).body.email).toBe(person.email);
    const listed = await home.service.request('GET', '/settings/tokens', { cookie: person.cookie });
    expect(listed.body).toContainEqual(expect.objectContaining({ name: 'CI', abilities: ['forms-read'] }));
    expect(listed.text).not.toContain(answer.body.token);
    expect(listed.text).not.toContain(answer.body.token.slice(-20));
  });

  test('a token has a prefix and a checksum and never repeats', async () => {
    const tokens = await Promise.all(Array.from({ length: 5 }, () => home.tokenWith('forms-read')));
    expect(new Set(tokens).size).toBe(5);
    const prefix = tokens[0]?.slice(0, 4);
    for (const token of tokens) {
      expect(token).toMatch(/^[a-z]+_[0-9A-Za-z]{45,}$/);
      expect(token.slice(0, 4)).toBe(prefix);
    }
  });

  test('takes the seven abilities and nothing else, no wildcard', async () => {
    expect((await make({ name: 'All', abilities: ABILITIES })).status).toBe(200);
    for (const ability of ['*', 'forms-*', 'admin', '', 7]) {
      const answer = await make({ name: 'Bad', abilities: ['forms-read', ability] });
      expect(answer.status, `${ability}`).toBe(422);
    }
    expectInvalid(await make({ name: 'None' }), 'abilities');
    expectInvalid(await make({ abilities: ['forms-read'] }), 'name');
  });

  test('a token ends after 365 days unless something else is asked for', async () => {
    const days = ({ body }: { body: any }) => (Date.parse(body.expires_at) - Date.now()) / DAY_MS;
    const abilities = ['forms-read'];
    expect(days(await make({ name: 'Default', abilities }))).toBeCloseTo(365, 1);
    expect(days(await make({ name: 'Month', abilities, expires_in_days: 30 }))).toBeCloseTo(30, 1);
    expect((await make({ name: 'Never', abilities, expires_in_days: null })).body.expires_at).toBeNull();
    const past = new Date(Date.now() - DAY_MS).toISOString();
    expectInvalid(await make({ name: 'Past', abilities, expires_at: past }), 'expires_at');
    const noOffset = await make({ name: 'UTC', abilities, expires_at: '2999-01-02T03:04:05' });
    expect(noOffset.body.expires_at).toBe('2999-01-02T03:04:05.000Z');
  });

  test('an expired token is 401', async () => {
    const expires_at = new Date(Date.now() + 2_500).toISOString();
    const { body } = await make({ name: 'Short', abilities: ['forms-read'], expires_at });
    expect([200, 401]).toContain((await validate(body.token)).status);
    await until(async () => (await validate(body.token)).status === 401);
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(expires_at));
    expect((await validate(body.token)).body).toEqual({ message: 'Unauthenticated.' });
  });

  test('a revoked token is 401 on the next request everywhere', async () => {
    const { body } = await make({ name: 'Gone', abilities: ABILITIES });
    expect((await validate(body.token)).status).toBe(200);
    const { cookie } = home.ada;
    expect((await home.service.request('DELETE', `/settings/tokens/${body.id}`, { cookie })).status).toBe(
      200,
    );
    expectRefused(await validate(body.token), 401);
    expectRefused(await home.call('GET', '/open/workspaces', undefined, body.token), 401);
    expectRefused(await home.service.request('DELETE', `/settings/tokens/${body.id}`, { cookie }), 404);
  });

  test('a token can neither make, list nor revoke tokens', async () => {
    const { body } = await make({ name: 'Weak', abilities: ABILITIES });
    const create = { name: 'X', abilities: ['forms-read'] };
    expectRefused(await home.call('POST', '/settings/tokens', create, body.token), 403);
    expectRefused(await home.call('GET', '/settings/tokens', undefined, body.token), 403);
    expectRefused(await home.call('DELETE', `/settings/tokens/${body.id}`, undefined, body.token), 403);
    expectRefused(await home.call('GET', '/settings/tokens', undefined, null), 401);
  });

  test('nobody sees or revokes the tokens of another person', async () => {
    const { body } = await make({ name: 'Private', abilities: ['forms-read'] });
    const { cookie } = await home.stranger();
    const answer = await home.service.request('DELETE', `/settings/tokens/${body.id}`, { cookie });
    expect([403, 404]).toContain(answer.status);
    expect((await validate(body.token)).status).toBe(200);
    const listed = await home.service.request('GET', '/settings/tokens', { cookie });
    expect(listed.body.map((token: any) => token.id)).not.toContain(body.id);
  });

  test('a member’s rights follow the person, not the token', async () => {
    const person = await home.newMember('user');
    const token = await aToken(home.service, person);
    const forms = () => home.call('GET', `/open/workspaces/${home.workspaceId}/forms`, undefined, token);
    expect((await forms()).status).toBe(200);
    await home.call('DELETE', `/open/workspaces/${home.workspaceId}/users/${person.id}/remove`);
    expectRefused(await forms(), 403);
  });
});
