import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { hashToken } from '../../server/access/token-format.ts';
import { deleteAccount } from '../../server/accounts/delete-account.ts';
import { CLI } from '../../server/audit/actor.ts';
import { aUser, aWorkspace } from '../setup/factories.ts';
import { type OidcProvider, type ProviderPerson, startOidcProvider } from '../setup/oidc-provider.ts';
import { withSecondFactor } from '../setup/second-factor.ts';
import { startService, type TestService } from '../setup/service.ts';
import { aVisitor } from '../setup/sign-on-visitor.ts';

let provider: OidcProvider;
let service: TestService;
/** The same installation where registration is by invitation, and where it is closed. */
let byInvitation: TestService;
let closed: TestService;
beforeAll(async () => {
  provider = await startOidcProvider();
  service = await startService({ env: { ...provider.env, ROLES: 'http' } });
  const same = { database: service.database, dataDir: service.dataDir };
  const env = { ...provider.env, ROLES: 'http' };
  byInvitation = await startService({ ...same, env: { ...env, REGISTRATION: 'first' } });
  closed = await startService({ ...same, env: { ...env, REGISTRATION: 'closed' } });
});
afterEach(() => provider.reset());
afterAll(async () => {
  await closed?.stop();
  await byInvitation?.stop();
  await service?.stop();
  await provider?.close();
});

/** A person known to the provider, but not to the service. */
function aStranger(overrides: Partial<ProviderPerson> = {}): ProviderPerson {
  const sub = randomBytes(6).toString('hex');
  provider.person = { sub, email: `${sub}@example.com`, email_verified: true, name: 'Grace', ...overrides };
  return provider.person;
}

async function verbsOf(userId: number): Promise<string[]> {
  const { rows } = await service.context.pool.query(
    'select verb from audit_events where user_id = $1 order by id',
    [userId],
  );
  return rows.map(({ verb }) => verb);
}

describe('who comes for the first time', () => {
  test('gets an account without a password and a workspace, and signs in to it the next time', async () => {
    const person = aStranger();
    const visitor = aVisitor(service, provider);
    expect(await visitor.signOn()).toBe('/');
    const me = (await visitor.get('/user')).body;
    expect(me).toMatchObject({ name: 'Grace', email: person.email, has_password: false });
    expect((await visitor.get('/open/workspaces')).body).toMatchObject([
      { name: 'My Workspace', role: 'admin' },
    ]);
    expect(await verbsOf(me.id)).toEqual([
      'account.registered',
      'single_sign_on.connected',
      'workspace.created',
      'session.started',
    ]);
    // The person is known by the subject, since the provider may give the address to somebody else.
    provider.person = { ...person, email: 'renamed@example.com', email_verified: false };
    const again = aVisitor(service, provider);
    expect(await again.signOn()).toBe('/');
    expect((await again.get('/user')).body.id).toBe(me.id);
    expect((await verbsOf(me.id)).slice(4)).toEqual(['session.started']);
  });

  test('may be told of by the endpoint for it', async () => {
    const person = aStranger({ name: ' \u0000Grace\nHopper ' });
    provider.tellsInToken = false;
    const visitor = aVisitor(service, provider);
    await visitor.signOn();
    expect((await visitor.get('/user')).body).toMatchObject({ name: 'GraceHopper', email: person.email });
    expect(provider.asked.at(-1)).toBe('userinfo');
  });

  test('is named by the address when the provider tells no name', async () => {
    const person = aStranger();
    delete person.name;
    const visitor = aVisitor(service, provider);
    await visitor.signOn();
    expect((await visitor.get('/user')).body.name).toBe(person.email);
  });

  test.each([
    ['not verified', { email_verified: false }],
    ['not said to be verified', { email_verified: undefined }],
    ['said to be verified in another way', { email_verified: 'true' }],
    ['missing', { email: undefined }],
    ['no address', { email: 'Grace' }],
  ])('makes no account when the address is %s', async (_what, overrides) => {
    aStranger(overrides);
    const visitor = aVisitor(service, provider);
    expect(await visitor.signOn()).toBe('/sign-in?problem=unverified');
    expect((await visitor.get('/user')).status).toBe(401);
  });

  test('is not let in to an account of the same address that did not connect', async () => {
    const owner = await aUser(service);
    aStranger({ email: owner.email.toUpperCase() });
    const visitor = aVisitor(service, provider);
    expect(await visitor.signOn('/auth/oidc?next=/account')).toBe(
      '/sign-in?problem=address_taken&next=%2Faccount',
    );
    expect((await visitor.get('/user')).status).toBe(401);
    expect(await verbsOf(owner.id)).not.toContain('single_sign_on.connected');
  });
});

describe('who may register', () => {
  test('is the first one where REGISTRATION is first, and nobody uninvited after that', async () => {
    const fresh = await startService({ env: { ...provider.env, REGISTRATION: 'first', ROLES: 'http' } });
    try {
      aStranger();
      expect(await aVisitor(fresh, provider).signOn()).toBe('/');
      aStranger();
      expect(await aVisitor(fresh, provider).signOn()).toBe('/sign-in?problem=not_invited');
    } finally {
      await fresh.stop();
    }
  });

  test('is whoever was invited, into the workspaces of the invitations', async () => {
    const admin = await aUser(service);
    const person = aStranger();
    const workspaces = [await aWorkspace(service, admin), await aWorkspace(service, admin)];
    for (const id of workspaces) {
      const body = { email: person.email?.toUpperCase(), role: 'readonly' };
      await service.request('POST', `/open/workspaces/${id}/users/add`, { token: admin.token, body });
    }
    const visitor = aVisitor(byInvitation, provider);
    // This also uses up the link of the invitation.
    expect(await visitor.signOn('/auth/oidc?next=/register?invite_token=x')).toBe('/');
    const { body } = await visitor.get('/open/workspaces');
    expect(body.map(({ id, role }: { id: number; role: string }) => [id, role])).toEqual(
      workspaces.map((id) => [id, 'readonly']),
    );
    const me = (await visitor.get('/user')).body;
    expect((await verbsOf(me.id)).filter((verb) => verb === 'invite.accepted')).toHaveLength(2);
  });

  test('is not who has an invitation that has expired, or was sent to an address that is not verified', async () => {
    const admin = await aUser(service);
    const person = aStranger();
    const id = await aWorkspace(service, admin);
    const body = { email: person.email, role: 'user' };
    await service.request('POST', `/open/workspaces/${id}/users/add`, { token: admin.token, body });
    provider.person = { ...person, email_verified: false };
    expect(await aVisitor(byInvitation, provider).signOn()).toBe('/sign-in?problem=unverified');
    provider.person = person;
    await service.context.pool.query(
      `update workspace_invites set valid_until = now() - interval '1 second' where email = $1`,
      [person.email],
    );
    expect(await aVisitor(byInvitation, provider).signOn()).toBe('/sign-in?problem=not_invited');
  });

  test('is not who has an address that only looks like an invited one', async () => {
    const admin = await aUser(service);
    const users = `/open/workspaces/${await aWorkspace(service, admin)}/users/add`;
    const body = { email: 'head@ibm.example', role: 'admin' };
    expect((await service.request('POST', users, { token: admin.token, body })).status).toBe(200);
    aStranger({ email: 'head@İbm.example' });
    expect(await aVisitor(byInvitation, provider).signOn()).toBe('/sign-in?problem=not_invited');
    aStranger({ email: 'Head@IBM.example' });
    expect(await aVisitor(byInvitation, provider).signOn()).toBe('/');
  });

  test('is nobody where REGISTRATION is closed; who is known signs in all the same', async () => {
    const known = aStranger();
    expect(await aVisitor(service, provider).signOn()).toBe('/');
    aStranger();
    expect(await aVisitor(closed, provider).signOn()).toBe('/sign-in?problem=closed');
    provider.person = known;
    expect(await aVisitor(closed, provider).signOn()).toBe('/');
  });
});

describe('the session', () => {
  test('is a new one, whatever cookie the browser brought', async () => {
    aStranger();
    const visitor = aVisitor(service, provider);
    const planted = 'a'.repeat(43);
    visitor.cookies.set('formstead_session', planted);
    await visitor.signOn();
    expect(visitor.cookies.get('formstead_session')).not.toBe(planted);
    const { rows } = await service.context.pool.query('select 1 from sessions where token_hash = $1', [
      hashToken(planted),
    ]);
    expect(rows).toEqual([]);
  });

  test('is not begun while the second factor is owed', async () => {
    const person = aStranger();
    const first = aVisitor(service, provider);
    await first.signOn();
    const me = (await first.get('/user')).body;
    const password = 'correct horse battery';
    expect((await first.call('PUT', '/user/password', { password })).status).toBe(200);
    const cookie = `formstead_session=${first.cookies.get('formstead_session')}`;
    const factor = await withSecondFactor(service, { ...me, password, cookie, token: '' });
    provider.person = person;
    const visitor = aVisitor(service, provider);
    expect(await visitor.signOn('/auth/oidc?next=/account')).toBe('/sign-in?step=second&next=%2Faccount');
    expect((await visitor.get('/user')).status).toBe(401);
    expect((await visitor.call('POST', '/login/second-factor', { code: '000000' })).status).toBe(422);
    const code = await factor.freshCode();
    // The token is in a cookie that scripts cannot read, and in no address.
    expect((await service.request('POST', '/login/second-factor', { body: { code } })).status).toBe(422);
    expect((await visitor.call('POST', '/login/second-factor', { code })).status).toBe(200);
    expect((await visitor.get('/user')).body.id).toBe(me.id);
    expect([...visitor.cookies.keys()]).toEqual(['formstead_session', 'formstead_device']);
  });

  test.each([
    ['/workspaces/1/forms?page=2#top', '/workspaces/1/forms?page=2#top'],
    ['https://evil.example', '/'],
    ['//evil.example', '/'],
    ['/\\evil.example', '/'],
    ['/\t/evil.example', '/'],
    ['/.//evil.example', '/'],
    ['/x/..//evil.example', '/'],
    ['\\\\evil.example', '/'],
    ['javascript:alert(1)', '/'],
    ['evil', '/'],
    ['', '/'],
    [`/connect#state=${'a'.repeat(2385)}`, `/connect#state=${'a'.repeat(2385)}`],
    [`/${'a'.repeat(2400)}`, '/'],
    // Each byte becomes three characters, which is more than a cookie holds.
    [`/${'日'.repeat(600)}`, '/'],
  ])('of who wanted %j begins at %j', async (next, place) => {
    aStranger();
    const query = new URLSearchParams({ next });
    expect(await aVisitor(service, provider).signOn(`/auth/oidc?${query}`)).toBe(place);
  });
});

describe('the connection of an account', () => {
  const path = '/settings/single-sign-on';

  async function aSignedIn() {
    const user = await aUser(service);
    const visitor = aVisitor(service, provider);
    visitor.cookies.set('formstead_session', user.cookie.split('=')[1] ?? '');
    return { user, visitor };
  }

  async function begunBy({ user, visitor }: Awaited<ReturnType<typeof aSignedIn>>): Promise<string> {
    const begun = await visitor.call('POST', path, { current_password: user.password });
    expect(begun.status, begun.text).toBe(200);
    return begun.body.continue_at;
  }

  test('is made with the password, lets in, and is undone with the password', async () => {
    const { user, visitor } = await aSignedIn();
    aStranger({ email: 'else@example.com', email_verified: false });
    expect((await visitor.get(path)).body).toEqual({ provider: 'Acme', connected_at: null });
    expect((await visitor.call('POST', path, { current_password: 'wrong' })).status).toBe(422);
    expect(await visitor.signOn(await begunBy({ user, visitor }))).toBe('/account/security');
    expect((await visitor.get(path)).body.connected_at).toEqual(expect.any(String));
    expect((await visitor.call('POST', path, { current_password: user.password })).status).toBe(409);

    const elsewhere = aVisitor(service, provider);
    expect(await elsewhere.signOn()).toBe('/');
    expect((await elsewhere.get('/user')).body.id).toBe(user.id);

    expect((await visitor.call('DELETE', path, { current_password: 'wrong' })).status).toBe(422);
    expect((await visitor.call('DELETE', path, { current_password: user.password })).status).toBe(200);
    // Sessions begun through the provider end; that of the asking browser stays.
    expect((await elsewhere.get('/user')).status).toBe(401);
    expect((await visitor.call('DELETE', path, { current_password: user.password })).status).toBe(404);
    expect(await aVisitor(service, provider).signOn()).toBe('/sign-in?problem=unverified');
    const verbs = (await verbsOf(user.id)).filter((verb) => verb.startsWith('single_sign_on'));
    expect(verbs).toEqual(['single_sign_on.connected', 'single_sign_on.disconnected']);
  });

  test('is not begun while the provider is away', async () => {
    const { user, visitor } = await aSignedIn();
    const away = await startService({
      database: service.database,
      dataDir: service.dataDir,
      env: { ...provider.env, ROLES: 'http' },
    });
    provider.instead.discovery = (response) => response.destroy();
    const begun = await away.request('POST', path, {
      cookie: `formstead_session=${visitor.cookies.get('formstead_session')}`,
      body: { current_password: user.password },
    });
    expect(begun.body.continue_at).toBe('/account/security?problem=unreachable');
    expect(begun.headers.getSetCookie()).toEqual([]);
    await away.stop();
  });

  test('is not made with an identity that belongs to another account', async () => {
    const first = await aSignedIn();
    const second = await aSignedIn();
    aStranger();
    await first.visitor.signOn(await begunBy(first));
    expect(await second.visitor.signOn(await begunBy(second))).toBe(
      '/account/security?problem=identity_taken',
    );
    expect((await second.visitor.get(path)).body.connected_at).toBeNull();
  });

  test('is not made for who is somebody else, or nobody, when they come back', async () => {
    const first = await aSignedIn();
    const second = await aSignedIn();
    aStranger();
    // A connection begun in another browser.
    expect(await second.visitor.signOn(await begunBy(first))).toBe('/sign-in?problem=expired');
    const expired = '/account/security?problem=expired';
    const back = await first.visitor.leave(await begunBy(first));
    first.visitor.cookies.set('formstead_session', second.visitor.cookies.get('formstead_session') ?? '');
    expect((await first.visitor.get(back)).headers.get('location')).toBe(expired);
    const late = await second.visitor.leave(await begunBy(second));
    provider.claims = async (claims) => {
      await service.context.pool.query('delete from sessions where user_id = $1', [second.user.id]);
      return claims;
    };
    expect((await second.visitor.get(late)).headers.get('location')).toBe(expired);
    for (const { user } of [first, second])
      expect(await verbsOf(user.id)).not.toContain('single_sign_on.connected');
  });

  test('is kept while there is no password; one is set after signing in anew', async () => {
    aStranger();
    const visitor = aVisitor(service, provider);
    await visitor.signOn();
    const me = (await visitor.get('/user')).body;
    for (const current_password of ['', 'guess']) {
      const refused = await visitor.call('DELETE', path, { current_password });
      expect(refused.status).toBe(422);
      expect(refused.body.message).toContain('has no password yet');
    }
    const login = { email: me.email, password: 'whatever it is' };
    expect((await visitor.call('POST', '/login', login)).status).toBe(422);
    const body = { password: 'correct horse battery' };
    await service.context.pool.query(
      `update sessions set created_at = now() - interval '11 minutes' where user_id = $1`,
      [me.id],
    );
    const late = await visitor.call('PUT', '/user/password', body);
    expect(late.status).toBe(422);
    expect(Object.keys(late.body.errors)).toEqual(['password']);
    await visitor.signOn();
    expect((await visitor.call('PUT', '/user/password', body)).status).toBe(200);
    expect((await visitor.get('/user')).body.has_password).toBe(true);
    // Once there is a password, a new session is not enough to change it.
    expect((await visitor.call('PUT', '/user/password', { password: 'another horse' })).status).toBe(422);
    expect((await visitor.call('POST', '/login', { email: me.email, ...body })).status).toBe(200);
    expect((await visitor.call('DELETE', path, { current_password: body.password })).status).toBe(200);
  });

  test('goes with the account', async () => {
    aStranger();
    const visitor = aVisitor(service, provider);
    await visitor.signOn();
    const { id, email } = (await visitor.get('/user')).body;
    await deleteAccount(service.context.db, email, { withWorkspaces: true }, CLI);
    expect(await aVisitor(byInvitation, provider).signOn()).toBe('/sign-in?problem=not_invited');
    const anew = aVisitor(service, provider);
    expect(await anew.signOn()).toBe('/');
    expect((await anew.get('/user')).body.id).not.toBe(id);
  });
});

test('without a provider nothing of it is there', async () => {
  const without = await startService({ env: { ROLES: 'http' } });
  try {
    const user = await aUser(without);
    expect((await without.request('GET', '/registration')).body.single_sign_on).toBeNull();
    for (const path of ['/auth/oidc', '/auth/oidc/callback?code=x&state=y'])
      expect((await without.request('GET', path)).status).toBe(404);
    const { cookie } = user;
    const path = '/settings/single-sign-on';
    expect((await without.request('GET', path, { cookie })).body).toEqual({
      provider: null,
      connected_at: null,
    });
    const body = { current_password: user.password };
    expect((await without.request('POST', path, { cookie, body })).status).toBe(404);
  } finally {
    await without.stop();
  }
  expect((await service.request('GET', '/registration')).body.single_sign_on).toEqual({ name: 'Acme' });
});
