import { createHash, randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { setPassword } from '../../server/accounts/replace-password.ts';
import { CLI } from '../../server/audit/actor.ts';
import { clientId as idOf } from '../../server/oauth/client.ts';
import { createSecretBox } from '../../server/secret-box.ts';
import { useHome } from '../setup/home.ts';
import type { Answer } from '../setup/service.ts';

const home = useHome();
const VERIFIER = 'a-verifier.of_the~right-length'.padEnd(43, 'x');
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');
const BACK = 'https://assistant.example/back?kept=1';

type Parameters = Record<string, string>;

let client: string;
beforeAll(async () => {
  client = (await register({ client_name: 'Assistant', redirect_uris: [BACK] })).body.client_id;
});

const register = (metadata: unknown): Promise<Answer> =>
  home.service.request('POST', '/oauth/register', { body: metadata });

const request = (changes: Partial<Record<string, string | undefined>> = {}): Parameters => {
  const parameters = {
    response_type: 'code',
    client_id: client,
    redirect_uri: BACK,
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    state: 'a+b c&d=1e5',
    ...changes,
  };
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as Parameters;
};

/** The request of the consent screen, with Ada signed in. */
const ask = (parameters: Parameters): Promise<Answer> =>
  home.service.request('GET', `/oauth/consent?${new URLSearchParams(parameters)}`, {
    cookie: home.ada.cookie,
  });

const allow = (
  parameters: Parameters,
  body: Record<string, unknown> = {},
  cookie = home.ada.cookie,
): Promise<Answer> =>
  home.service.request('POST', '/oauth/consent', {
    cookie,
    body: { request: parameters, abilities: ['forms-read'], expires_in_days: 30, ...body },
  });

/** The code that the program gets through the browser. */
async function codeFor(
  parameters = request(),
  body?: Record<string, unknown>,
  cookie?: string,
): Promise<string> {
  const answer = await allow(parameters, body, cookie);
  expect(answer.status, answer.text).toBe(200);
  return new URL(answer.body.return_url).searchParams.get('code') ?? '';
}

const post = (path: string, parameters: Parameters | string): Promise<Answer> =>
  home.service.request('POST', path, {
    body: typeof parameters === 'string' ? parameters : String(new URLSearchParams(parameters)),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });

const take = (code: string, changes: Parameters = {}): Promise<Answer> =>
  post('/oauth/token', {
    grant_type: 'authorization_code',
    code,
    client_id: client,
    redirect_uri: BACK,
    code_verifier: VERIFIER,
    ...changes,
  });

const expectError = ({ status, body, headers }: Answer, error: string) => {
  expect([status, body.error]).toEqual([400, error]);
  expect(body.error_description).toBe(body.message);
  expect(headers.get('cache-control')).toBe('no-store');
};

describe('what a program reads first', () => {
  test('who gives out tokens, and where', async () => {
    const base = home.service.context.baseUrl();
    for (const end of ['', '/mcp']) {
      const { body } = await home.service.request('GET', `/.well-known/oauth-protected-resource${end}`);
      expect(body).toMatchObject({ resource: `${base}/mcp`, authorization_servers: [base] });
    }
    const { body } = await home.service.request('GET', '/.well-known/oauth-authorization-server');
    expect(body).toMatchObject({
      issuer: base,
      authorization_endpoint: `${base}/oauth/authorize`,
      token_endpoint: `${base}/oauth/token`,
      registration_endpoint: `${base}/oauth/register`,
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
    });
  });
});

describe('introducing itself', () => {
  test('a program is told its id, and that it needs no secret', async () => {
    const { status, body } = await register({
      client_name: 'Editor',
      redirect_uris: ['http://127.0.0.1:33418/', 'editor://callback', 'https://editor.example/back'],
      token_endpoint_auth_method: 'client_secret_post',
      grant_types: ['authorization_code', 'refresh_token'],
    });
    expect([status, body]).toEqual([
      201,
      {
        client_id: expect.stringMatching(/^[\w-]+\.[0-9a-f]{64}$/),
        client_id_issued_at: expect.any(Number),
        client_name: 'Editor',
        redirect_uris: ['http://127.0.0.1:33418/', 'editor://callback', 'https://editor.example/back'],
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ]);
  });

  test.each([
    'http://assistant.example/back',
    'http://127.0.0.1.example/back',
    'https://assistant.example/back#part',
    'https://assistant.example/back#',
    'https://ada@assistant.example/back',
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'blob:https://assistant.example/1',
    'nonsense',
    '',
    `https://assistant.example/${'x'.repeat(500)}`,
    7,
  ])('people are not sent to %s', async (uri) => {
    expectError(await register({ redirect_uris: [uri] }), 'invalid_redirect_uri');
    expectError(await register({ redirect_uris: [BACK, uri] }), 'invalid_redirect_uri');
  });

  test('what is no registration is refused in the words of the protocol', async () => {
    for (const metadata of [{}, { redirect_uris: [] }, { redirect_uris: Array(11).fill(BACK) }])
      expectError(await register(metadata), 'invalid_redirect_uri');
    for (const metadata of [[], 'null', { redirect_uris: [BACK], client_name: 7 }])
      expectError(await register(metadata), 'invalid_client_metadata');
    const long = Array.from({ length: 10 }, (_, n) => `https://${n}.example/${'x'.repeat(450)}`);
    expectError(await register({ redirect_uris: long }), 'invalid_client_metadata');
  });

  test('its name has no tricks, and one without a name is called by its place', async () => {
    const named = async (client_name?: string) =>
      (await register({ redirect_uris: [BACK], client_name })).body.client_name;
    expect(await named(' Claude\u202e\n\u0000 for  you ')).toBe('Claude for you');
    expect(await named('é'.repeat(300))).toBe('é'.repeat(100));
    for (const name of [undefined, ' \u200b ', '\u3164']) expect(await named(name)).toBe('assistant.example');
  });
});

describe('asking somebody', () => {
  test('people are led to the screen, with all that was asked', async () => {
    const query = String(new URLSearchParams(request()));
    const answer = await home.service.request('GET', `/oauth/authorize?${query}`);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `/connect#${query}`]);
  });

  test('the screen learns who asks, for what, and where a refusal leads', async () => {
    const { body } = await ask(request({ scope: 'openid forms-write manage-integrations' }));
    expect(body).toMatchObject({
      name: 'Assistant',
      place: 'assistant.example',
      abilities: ['forms-write', 'manage-integrations'],
    });
    const back = new URL(body.refusal_url);
    expect(back.href.startsWith(BACK)).toBe(true);
    expect(Object.fromEntries(back.searchParams)).toEqual({
      kept: '1',
      error: 'access_denied',
      error_description: 'The person has refused.',
      state: 'a+b c&d=1e5',
      iss: home.service.context.baseUrl(),
    });
  });

  test('one that asks for nothing by name, or for what there is not, may read', async () => {
    for (const scope of [undefined, '', 'openid offline_access', 'workspaces-write']) {
      const { body } = await ask(request({ scope }));
      expect(body.abilities).toEqual(['workspaces-read', 'forms-read']);
    }
  });

  test('a program on the machine of the person listens where it likes, others do not', async () => {
    const { body } = await register({ redirect_uris: ['http://localhost:1/back', 'editor://back', BACK] });
    const asked = async (redirect_uri: string | undefined) =>
      (await ask(request({ client_id: body.client_id, redirect_uri }))).status;
    expect(await asked('http://localhost:5555/back')).toBe(200);
    expect(await asked('editor://back')).toBe(200);
    for (const other of [
      'http://localhost:5555/other',
      'http://127.0.0.1:1/back',
      'http://ada@localhost:1/back',
      'https://assistant.example:444/back?kept=1',
      'https://assistant.example/back',
      'editor://other',
      undefined,
    ])
      expect([other, await asked(other)]).toEqual([other, 400]);
  });

  test('what is wrong about a request is told to the person, and sends nobody anywhere', async () => {
    const elsewhere = idOf(createSecretBox(randomBytes(32)), { name: 'Assistant', redirectUris: [BACK] });
    const wrong: [Partial<Record<string, string | undefined>>, string][] = [
      [{ client_id: undefined }, 'invalid_client'],
      [{ client_id: 'nonsense' }, 'invalid_client'],
      [{ client_id: elsewhere }, 'invalid_client'],
      [{ client_id: `${client.slice(0, -1)}${client.endsWith('0') ? '1' : '0'}` }, 'invalid_client'],
      [{ redirect_uri: 'https://evil.example/' }, 'invalid_redirect_uri'],
      [{ response_type: 'token' }, 'unsupported_response_type'],
      [{ response_type: undefined }, 'unsupported_response_type'],
      [{ code_challenge: undefined }, 'invalid_request'],
      [{ code_challenge: 'short' }, 'invalid_request'],
      [{ code_challenge_method: 'plain' }, 'invalid_request'],
      [{ code_challenge_method: undefined }, 'invalid_request'],
      [{ resource: 'https://another.example/mcp' }, 'invalid_target'],
    ];
    for (const [changes, error] of wrong) {
      expectError(await ask(request(changes)), error);
      expectError(await allow(request(changes)), error);
      const led = await home.service.request(
        'GET',
        `/oauth/authorize?${new URLSearchParams(request(changes))}`,
      );
      expect(led.headers.get('location')).toMatch(/^\/connect#/);
    }
  });

  test('no more can be given than assistants can use, and something has to be', async () => {
    for (const abilities of [[], ['workspaces-write'], ['everything'], 'forms-read'])
      expect((await allow(request(), { abilities })).status).toBe(422);
    for (const expires_in_days of [0, -1, 1.5, 'never', undefined])
      expect((await allow(request(), { expires_in_days })).status).toBe(422);
  });

  test('nobody allows anything by a page of another site, or by a token', async () => {
    const { cookie, token } = home.ada;
    const body = { request: request(), abilities: ['forms-read'], expires_in_days: 30 };
    const foreign = { cookie, body, headers: { origin: 'https://evil.example' } };
    expect((await home.service.request('POST', '/oauth/consent', foreign)).status).toBe(403);
    expect((await home.service.request('POST', '/oauth/consent', { token, body })).status).toBe(403);
  });
});

describe('taking the token', () => {
  test('it can do what was allowed, is one of the person’s tokens, and the audit log knows of it', async () => {
    const code = await codeFor(request(), { abilities: ['forms-read', 'workspaces-read', 'forms-read'] });
    const { status, body, headers } = await take(code, { resource: `${home.service.context.baseUrl()}/mcp` });
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(body).toMatchObject({ token_type: 'Bearer', scope: 'forms-read workspaces-read' });
    expect(Math.round(body.expires_in / 86_400)).toBe(30);
    const form = await home.form();
    const withIt = (method: string, path: string) =>
      home.service.request(method, path, { token: body.access_token });
    expect((await withIt('GET', `/open/forms/${form.id}`)).status).toBe(200);
    expect((await withIt('DELETE', `/open/forms/${form.id}`)).status).toBe(403);
    const { body: tokens } = await home.service.request('GET', '/settings/tokens', {
      cookie: home.ada.cookie,
    });
    expect(tokens).toContainEqual(
      expect.objectContaining({
        name: 'Assistant',
        token_start: body.access_token.slice(0, 9),
        abilities: ['forms-read', 'workspaces-read'],
      }),
    );
    const [event] = await home.service.context.db
      .selectFrom('audit_events')
      .selectAll()
      .where('verb', '=', 'token.created')
      .orderBy('id', 'desc')
      .limit(1)
      .execute();
    expect(event).toMatchObject({ actor: 'user', user_id: home.ada.id, target_name: 'Assistant' });
  });

  test('one without an end has none', async () => {
    const { body } = await take(await codeFor(request(), { expires_in_days: null }));
    expect(body).not.toHaveProperty('expires_in');
  });

  test('where people go need not be named by a program with one address', async () => {
    const code = await codeFor(request({ redirect_uri: undefined }));
    expect((await post('/oauth/token', tokenParameters(code))).status).toBe(200);
  });

  test('a code is good once, for the program that asked, and to whoever began', async () => {
    const { body: other } = await register({ client_name: 'Other', redirect_uris: [BACK] });
    for (const changes of [
      { client_id: other.client_id },
      { redirect_uri: 'https://assistant.example/other' },
      { code_verifier: VERIFIER.replace('a', 'b') },
      { code_verifier: '' },
      { code_verifier: CHALLENGE },
    ]) {
      const code = await codeFor();
      expectError(await take(code, changes), 'invalid_grant');
      // A failed attempt also uses up the code.
      expectError(await take(code), 'invalid_grant');
    }
    const code = await codeFor();
    const answers = await Promise.all(Array.from({ length: 8 }, () => take(code)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expectError(await take('nonsense'), 'invalid_grant');
  });

  test('a code goes with the session in which it was given, and with no other', async () => {
    const person = await home.newMember('user');
    const { pool, db } = home.service.context;
    const signIn = async () => {
      const { email, password } = person;
      const answer = await home.service.request('POST', '/login', { body: { email, password } });
      return answer.headers.get('set-cookie')?.split(';')[0] ?? '';
    };
    const ways: [string, (cookie: string) => Promise<unknown>][] = [
      ['all others', (cookie) => home.service.request('DELETE', '/settings/sessions', { cookie })],
      [
        'one',
        async (cookie) => {
          const { body } = await home.service.request('GET', '/settings/sessions', { cookie });
          for (const { id, is_current } of body)
            if (!is_current) await home.service.request('DELETE', `/settings/sessions/${id}`, { cookie });
        },
      ],
      [
        'by another password',
        async (cookie) => {
          const password = 'another horse';
          const body = { current_password: person.password, password };
          await home.service.request('PUT', '/user/password', { cookie, body });
          person.password = password;
        },
      ],
    ];
    for (const [way, endOthers] of ways) {
      const [stolen, own] = [await signIn(), await signIn()];
      const [taken, kept] = [await codeFor(request(), {}, stolen), await codeFor(request(), {}, own)];
      await endOthers(own);
      expectError(await take(taken), 'invalid_grant');
      expect((await take(kept)).status, way).toBe(200);
    }
    const code = await codeFor(request(), {}, await signIn());
    await setPassword(db, person.email, 'a third horse', CLI);
    expectError(await take(code), 'invalid_grant');
    const { rows } = await pool.query('select from authorization_codes where user_id = $1', [person.id]);
    expect(rows).toEqual([]);
  });

  test('a code that is presented again ends the token it was exchanged for, as somebody else has it too', async () => {
    const status = async ({ body }: Awaited<ReturnType<typeof take>>) =>
      (await home.service.request('GET', '/user', { token: body.access_token })).status;
    const [code, another] = [await codeFor(), await codeFor()];
    const [taken, other] = [await take(code), await take(another)];
    expect(await status(taken)).toBe(200);
    expectError(await take(code, { code_verifier: '' }), 'invalid_grant');
    expect(await status(taken)).toBe(401);
    expect(await status(other)).toBe(200);

    const atOnce = await codeFor();
    const answers = await Promise.all(Array.from({ length: 4 }, () => take(atOnce)));
    for (const answer of answers) expect(await status(answer)).toBe(401);
    const { rows } = await home.service.context.pool.query(
      `select actor, user_id, target_name from audit_events where verb = 'token.revoked' order by id desc limit 1`,
    );
    expect(rows).toEqual([{ actor: 'user', user_id: home.ada.id, target_name: 'Assistant' }]);
  });

  test('a code that nobody came for is good no more, and is forgotten', async () => {
    const { db } = home.service.context;
    const late = await codeFor();
    await db
      .updateTable('authorization_codes')
      .set({ expires_at: new Date(Date.now() - 1000) })
      .execute();
    expectError(await take(late), 'invalid_grant');
    const forgotten = await codeFor();
    await db
      .updateTable('authorization_codes')
      .set({ expires_at: new Date(Date.now() - 1000) })
      .execute();
    await codeFor();
    const left = await db.selectFrom('authorization_codes').select('expires_at').execute();
    expect(left.filter(({ expires_at }) => expires_at < new Date())).toEqual([]);
    expectError(await take(forgotten), 'invalid_grant');
  });

  test('a code is not kept as it is', async () => {
    const { db } = home.service.context;
    const code = await codeFor();
    const rows = await db.selectFrom('authorization_codes').select('code_hash').execute();
    expect(rows.map(({ code_hash }) => code_hash.toString('hex'))).toContain(
      createHash('sha256').update(code).digest('hex'),
    );
    expect(JSON.stringify(rows)).not.toContain(code);
  });

  test('what is no request for a token is refused in the words of the protocol', async () => {
    const code = await codeFor();
    expectError(await take(code, { grant_type: 'refresh_token' }), 'unsupported_grant_type');
    expectError(await post('/oauth/token', ''), 'unsupported_grant_type');
    expectError(await post('/oauth/token', { grant_type: 'authorization_code' }), 'invalid_request');
    expectError(await take(code, { resource: 'https://another.example/mcp' }), 'invalid_target');
    expectError(await post('/oauth/token', `code=${code}&code=${code}`), 'invalid_request');
    const asJson = await home.service.request('POST', '/oauth/token', { body: tokenParameters(code) });
    expect(asJson.status).toBe(415);
    expect((await take(code)).status).toBe(200);
  });

  test('a program ends its own token when it needs it no more', async () => {
    const { body } = await take(await codeFor());
    const token = body.access_token;
    expect((await home.service.request('GET', '/user', { token })).status).toBe(200);
    expect(await post('/oauth/revoke', { token })).toMatchObject({ status: 200, text: '' });
    expect((await home.service.request('GET', '/user', { token })).status).toBe(401);
    for (const none of [token, 'nonsense'])
      expect((await post('/oauth/revoke', { token: none })).status).toBe(200);
    expectError(await post('/oauth/revoke', {}), 'invalid_request');
  });
});

function tokenParameters(code: string): Parameters {
  return { grant_type: 'authorization_code', code, client_id: client, code_verifier: VERIFIER };
}
