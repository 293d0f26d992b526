import type { ServerResponse } from 'node:http';
import { Writable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import type { JWTPayload } from 'jose';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { readConfig } from '../../server/config.ts';
import { createLog } from '../../server/log.ts';
import { startService as start } from '../../server/start/service.ts';
import { documentOf, type OidcProvider, startOidcProvider } from '../setup/oidc-provider.ts';
import { startService, type TestService } from '../setup/service.ts';
import { aVisitor, type Visitor } from '../setup/sign-on-visitor.ts';

let provider: OidcProvider;
let service: TestService;
beforeAll(async () => {
  provider = await startOidcProvider();
  service = await startService({ env: { ...provider.env, ROLES: 'http' } });
});
afterEach(() => {
  vi.useRealTimers();
  provider.reset();
});
afterAll(async () => {
  await service?.stop();
  await provider?.close();
});

const aBrowser = () => aVisitor(service, provider);

/** The final path, and whether the browser is signed in. */
async function endOf(visitor: Visitor, back: string): Promise<string> {
  const answer = await visitor.get(back);
  expect(answer.status).toBe(302);
  const isSignedIn = (await visitor.get('/user')).status === 200;
  return `${answer.headers.get('location')}${isSignedIn ? ', signed in' : ''}`;
}

describe('what the browser brings back is refused', () => {
  const expired = '/sign-in?problem=expired';

  test('with the state of another browser, with none, and in a browser that did not begin', async () => {
    const [one, other] = [aBrowser(), aBrowser()];
    const [back] = [await one.leave(), await other.leave()];
    expect(await endOf(other, back)).toBe(expired);
    expect(await endOf(one, back.replace(/state=[^&]*&?/, ''))).toBe(expired);
    expect(await endOf(aBrowser(), back)).toBe(expired);
    expect(await endOf(aBrowser(), '/auth/oidc/callback')).toBe(expired);
    // None of this has ended the sign-in that was begun.
    expect(await endOf(one, back)).toBe('/, signed in');
  });

  test('a second time, even with the cookie that was kept', async () => {
    const visitor = aBrowser();
    const back = await visitor.leave();
    const kept = new Map(visitor.cookies);
    expect(await endOf(visitor, back)).toBe('/, signed in');
    expect(await endOf(aBrowser(), back)).toBe(expired);
    const thief = aBrowser();
    for (const [name, value] of kept) thief.cookies.set(name, value);
    expect(await endOf(thief, back)).toBe('/sign-in?problem=failed');
  });

  test('after ten minutes', async () => {
    const visitor = aBrowser();
    const back = await visitor.leave('/auth/oidc?next=/account');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10 * 60_000 });
    // What the cookie contains no longer counts.
    expect(await endOf(visitor, back)).toBe(expired);
  });

  test('with a cookie that was changed or made up', async () => {
    const visitor = aBrowser();
    const back = await visitor.leave();
    const [[name = '', value = ''] = []] = visitor.cookies;
    for (const planted of [`${value.slice(0, -4)}AAAA`, value.slice(0, 40), 'garbage', '%00', '{}']) {
      visitor.cookies.set(name, planted);
      expect(await endOf(visitor, back)).toBe(expired);
    }
  });

  test('with the code of somebody else', async () => {
    const [one, other] = [aBrowser(), aBrowser()];
    const [theirs, own] = [await one.leave(), await other.leave()];
    const code = new URLSearchParams(theirs.split('?')[1]).get('code') ?? '';
    // The code needs the proof (PKCE) of the browser it belongs to.
    expect(await endOf(other, own.replace(/code=[^&]*/, `code=${code}`))).toBe('/sign-in?problem=failed');
  });

  test.each([
    ['/auth/oidc/callback?code=a&code=b', expired],
    ['/auth/oidc/callback?state=%00', expired],
    [`/auth/oidc/callback?state=${'a'.repeat(8000)}`, expired],
    ['/auth/oidc/callback?error=<script>', expired],
  ])('as %j', async (back, place) => expect(await endOf(aBrowser(), back)).toBe(place));

  test('when the provider says no', async () => {
    provider.person = null;
    const visitor = aBrowser();
    const back = await visitor.leave('/auth/oidc?next=/account');
    expect(await endOf(visitor, back)).toBe('/sign-in?problem=denied&next=%2Faccount');
    provider.reset();
    const again = await visitor.leave();
    const other = again.replace(/code=[^&]*/, 'error=login_required');
    expect(await endOf(visitor, other)).toBe('/sign-in?problem=failed');
  });
});

describe('a token is refused', () => {
  const without = (name: string) => (claims: JWTPayload) => {
    const { [name]: _gone, ...rest } = claims;
    return rest;
  };
  test.each<[string, OidcProvider['claims']]>([
    ['with another nonce', (claims) => ({ ...claims, nonce: 'another' })],
    ['without a nonce', without('nonce')],
    ['for somebody else', (claims) => ({ ...claims, aud: 'another' })],
    [
      'for us and somebody else who is to use it',
      (claims) => ({ ...claims, aud: ['formstead', 'b'], azp: 'b' }),
    ],
    ['of another issuer', (claims) => ({ ...claims, iss: 'https://login.example.org' })],
    ['that has expired', (claims) => ({ ...claims, exp: Math.floor(Date.now() / 1000) - 120 })],
    ['that never expires', without('exp')],
    ['without a subject', without('sub')],
    ['with an empty subject', (claims) => ({ ...claims, sub: '' })],
    ['with a subject nobody can store', (claims) => ({ ...claims, sub: 'a\u0000b' })],
    ['with a very long subject', (claims) => ({ ...claims, sub: 'a'.repeat(256) })],
  ])('%s', async (_why, claims) => {
    provider.claims = claims;
    const visitor = aBrowser();
    expect(await endOf(visitor, await visitor.leave())).toBe('/sign-in?problem=failed');
  });

  test('signed with a key the provider does not publish', async () => {
    provider.usesForeignKey = true;
    const visitor = aBrowser();
    expect(await endOf(visitor, await visitor.leave())).toBe('/sign-in?problem=failed');
  });

  test.each([['none'], ['HS256']])('signed by %s', async (alg) => {
    const visitor = aBrowser();
    const back = await visitor.leave();
    const now = Math.floor(Date.now() / 1000);
    const part = (content: object) => Buffer.from(JSON.stringify(content)).toString('base64url');
    const claims = { iss: provider.issuer, aud: 'formstead', sub: 'x', iat: now, exp: now + 60 };
    const id_token = `${part({ alg })}.${part(claims)}.${alg === 'none' ? '' : 'AAAA'}`;
    provider.instead.token = (response) =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ token_type: 'Bearer', access_token: 'x', id_token }));
    expect(await endOf(visitor, back)).toBe('/sign-in?problem=failed');
  });

  test('that tells of another person than the endpoint for it', async () => {
    provider.tellsInToken = false;
    provider.person = { sub: 'grace-1', email: 'grace@example.com', email_verified: true };
    provider.claims = (claims) => ({ ...claims, sub: 'mallory-1' });
    const visitor = aBrowser();
    expect(await endOf(visitor, await visitor.leave())).toBe('/sign-in?problem=failed');
  });
});

describe('a provider in trouble leads back to the screen', () => {
  const answers = {
    'an error': [(response) => response.writeHead(503).end('down'), 'unreachable'],
    'no answer': [(response) => response.destroy(), 'unreachable'],
    'another page': [
      (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>'),
      'failed',
    ],
    'half a document': [
      (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"issuer'),
      'failed',
    ],
    'a list': [
      (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('[]'),
      'failed',
    ],
  } satisfies Record<string, [NonNullable<OidcProvider['instead']['token']>, string]>;

  test.each(Object.entries(answers))(
    'which gives %s for its document, and is asked again',
    async (_what, [say, why]) => {
      const fresh = await startService({ env: { ...provider.env, ROLES: 'http' } });
      try {
        provider.instead.discovery = say;
        const visitor = aVisitor(fresh, provider);
        const refused = await visitor.get('/auth/oidc?next=/account');
        expect(refused.headers.get('location')).toBe(`/sign-in?problem=${why}&next=%2Faccount`);
        expect(visitor.cookies.size).toBe(0);
        provider.reset();
        expect(await visitor.signOn()).toBe('/');
      } finally {
        await fresh.stop();
      }
    },
  );

  test.each(Object.entries(answers))('which gives %s for a code', async (_what, [say, why]) => {
    const visitor = aBrowser();
    const back = await visitor.leave();
    provider.instead.token = say;
    expect(await endOf(visitor, back)).toBe(`/sign-in?problem=${why}`);
  });

  test('which leads elsewhere for its document, or writes more than anybody reads', async () => {
    const fresh = await startService({ env: { ...provider.env, ROLES: 'http' } });
    const text = JSON.stringify(documentOf(provider.issuer));
    const answer = (document: string) => (response: ServerResponse) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(document);
    provider.instead.jwks = answer(text);
    provider.instead.discovery = (response) => response.writeHead(302, { location: '/jwks' }).end();
    const asked = provider.asked.length;
    const begin = async () => (await fresh.request('GET', '/auth/oidc')).headers.get('location');
    expect(await begin()).toBe('/sign-in?problem=failed');
    expect(provider.asked.slice(asked)).toEqual(['discovery']);
    provider.instead.discovery = answer(text + ' '.repeat(2 * 1024 * 1024));
    expect(await begin()).toBe('/sign-in?problem=failed');
    // A compressed answer counts with its unpacked size.
    const packed = gzipSync(text + ' '.repeat(2 * 1024 * 1024));
    provider.instead.discovery = (response) =>
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(packed);
    expect(await begin()).toBe('/sign-in?problem=failed');
    provider.instead.discovery = answer(text);
    expect(await begin()).toMatch(/\/authorize\?/);
    await fresh.stop();
  });

  test.each<[string, NonNullable<OidcProvider['instead']['token']>]>([
    ['answer at all', () => {}],
    [
      'end its answer',
      (response) => response.writeHead(200, { 'content-type': 'application/json' }).write('{'),
    ],
  ])('which does not %s', async (_what, say) => {
    const visitor = aBrowser();
    const back = await visitor.leave();
    provider.instead.token = say;
    expect(await endOf(visitor, back)).toBe('/sign-in?problem=unreachable');
  });

  test.each([
    ['names another issuer', { issuer: 'https://login.example.org' }],
    ['names no place for codes', { token_endpoint: undefined }],
    ['names no keys', { jwks_uri: undefined }],
  ])('whose document %s', async (_what, change) => {
    const fresh = await startService({ env: { ...provider.env, ROLES: 'http' } });
    try {
      const text = JSON.stringify({ ...documentOf(provider.issuer), ...change });
      provider.instead.discovery = (response) =>
        response.writeHead(200, { 'content-type': 'application/json' }).end(text);
      const answer = await fresh.request('GET', '/auth/oidc');
      expect(answer.headers.get('location')).toBe('/sign-in?problem=failed');
    } finally {
      await fresh.stop();
    }
  });

  test('and does not keep the service from starting', async () => {
    const away = await startOidcProvider();
    await away.close();
    const fresh = await startService({ env: { ...away.env, ROLES: 'http' } });
    const answer = await fresh.request('GET', '/auth/oidc');
    expect(answer.headers.get('location')).toBe('/sign-in?problem=unreachable');
    await fresh.stop();
  });
});

describe('what is sent', () => {
  test('to the provider is asked for with state, nonce and S256, and proven with the verifier', async () => {
    const visitor = aBrowser();
    const begun = await visitor.get('/auth/oidc');
    const { origin, pathname, searchParams } = new URL(begun.headers.get('location') ?? '');
    expect(origin + pathname).toBe(`${provider.issuer}/authorize`);
    expect(Object.fromEntries(searchParams)).toEqual({
      client_id: 'formstead',
      response_type: 'code',
      scope: 'openid email profile',
      redirect_uri: `${service.url}/auth/oidc/callback`,
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
    const [cookie = ''] = begun.headers.getSetCookie();
    expect(cookie).toMatch(/^formstead_single_sign_on=[\w-]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/);
    const content = Buffer.from(cookie.split(/[=;]/)[1] ?? '', 'base64url').toString('latin1');
    expect(content).not.toContain(searchParams.get('state'));
    await visitor.signOn();
    expect(provider.tokenRequests.at(-1)?.form.get('code_verifier')).toMatch(/^[\w-]{43}$/);
    expect(provider.tokenRequests.at(-1)?.authorization).toMatch(/^Basic /);
  });

  test('comes in the body where the provider asks for that', async () => {
    const fresh = await startService({ env: { ...provider.env, ROLES: 'http' } });
    const methods = { token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'] };
    const text = JSON.stringify({ ...documentOf(provider.issuer), ...methods });
    provider.instead.discovery = (response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(text);
    expect(await aVisitor(fresh, provider).signOn()).toBe('/');
    expect(provider.tokenRequests.at(-1)?.form.get('client_secret')).toBe(provider.clientSecret);
    await fresh.stop();
  });

  test('is Secure where the service is reached over HTTPS, and names the public address', async () => {
    const env = { ...provider.env, BASE_URL: 'https://forms.example.org', ROLES: 'http' };
    const fresh = await startService({ env });
    const begun = await fresh.request('GET', '/auth/oidc');
    expect(begun.headers.get('set-cookie')).toMatch(/^__Host-formstead_single_sign_on=.*; Secure;/);
    const { searchParams } = new URL(begun.headers.get('location') ?? '');
    expect(searchParams.get('redirect_uri')).toBe('https://forms.example.org/auth/oidc/callback');
    await fresh.stop();
  });

  test('asks for the document once, however many come', async () => {
    const fresh = await startService({ env: { ...provider.env, ROLES: 'http' } });
    provider.asked.length = 0;
    await Promise.all(Array.from({ length: 5 }, () => fresh.request('GET', '/auth/oidc')));
    await fresh.request('GET', '/auth/oidc');
    expect(provider.asked).toEqual(['discovery']);
    await fresh.stop();
  });
});

test('the log says what failed, and neither secrets nor codes nor what the provider says of them', async () => {
  const lines: string[] = [];
  const log = createLog(
    { logLevel: 'trace' },
    new Writable({
      write(chunk, _encoding, done) {
        lines.push(String(chunk));
        done();
      },
    }),
  );
  const env = { PORT: '0', DATA_DIR: service.dataDir, ROLES: 'http', LOG_LEVEL: 'trace' };
  const config = readConfig({ ...env, ...provider.env });
  const other = await start(config, service.database.connection, log);
  const call = (path: string, cookie?: string) =>
    fetch(`${other.url}${path}`, { redirect: 'manual', ...(cookie && { headers: { cookie } }) });
  const begun = await call('/auth/oidc');
  const back = await provider.authorize(begun.headers.get('location') ?? '');
  const cookie = begun.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const { code = '', state = '' } = Object.fromEntries(back.searchParams);
  const secrets = [provider.clientSecret, code, state, cookie.split('=')[1] ?? ''];
  provider.usesForeignKey = true;
  expect((await call(back.pathname + back.search, cookie)).headers.get('location')).toContain('failed');
  // The code is used up, and the provider repeats it in its error.
  expect((await call(back.pathname + back.search, cookie)).headers.get('location')).toContain('failed');
  await other.stop();
  const text = lines.join('');
  expect(text).toContain('single sign-on: failed');
  expect(text).toContain('"reason":"invalid_grant"');
  for (const secret of secrets) expect(text).not.toContain(secret);
});

test('an address that comes with many codes that were made up has to wait', async () => {
  const env = { ...provider.env, ROLES: 'http', TRUST_PROXY: '127.0.0.1/32' };
  const same = { database: service.database, dataDir: service.dataDir };
  const behindProxy = await startService({ ...same, env });
  const from = (address: string) => aVisitor(behindProxy, provider, { 'x-forwarded-for': address });
  const places = new Set<string>();
  provider.usesForeignKey = true;
  for (let i = 0; i < 30; i++) places.add(await from('192.0.2.7').signOn());
  expect(places).toEqual(new Set(['/sign-in?problem=failed']));
  const asked = provider.tokenRequests.length;
  expect(await from('192.0.2.7').signOn()).toBe('/sign-in?problem=busy');
  expect(provider.tokenRequests.length).toBe(asked);
  provider.reset();
  expect(await from('192.0.2.8').signOn()).toBe('/');
  await behindProxy.stop();
});
