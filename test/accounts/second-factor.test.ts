import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newRecoveryCodes, recoveryCodeHash, stepOfCode } from '../../server/accounts/one-time-codes.ts';
import { aUser, type TestUser } from '../setup/factories.ts';
import { codeOf, cookieOf, signIn, withSecondFactor } from '../setup/second-factor.ts';
import { type Answer, startService, type TestService } from '../setup/service.ts';
import { until } from '../setup/until.ts';

let service: TestService;
let other: TestService;
beforeAll(async () => {
  service = await startService();
  other = await startService({ database: service.database, dataDir: service.dataDir });
});
afterAll(async () => {
  await other.stop();
  await service.stop();
});

function settings(user: TestUser, method: string, path = '', body?: object): Promise<Answer> {
  return service.request(method, `/settings/second-factor${path}`, { cookie: user.cookie, body });
}

function secondStep(pending_token: string, code: string, on = service): Promise<Answer> {
  return on.request('POST', '/login/second-factor', { body: { pending_token, code } });
}

/** Other tests check how guesses are slowed down. */
async function forgetGuesses(): Promise<void> {
  await service.context.pool.query('delete from failed_guesses');
}

describe('codes', () => {
  // RFC 6238, appendix B: the last six of the eight digits there.
  test.each([
    [59, '287082'],
    [1111111109, '081804'],
    [1111111111, '050471'],
    [1234567890, '005924'],
    [2000000000, '279037'],
    [20000000000, '353130'],
  ])('at second %i as the RFC says', (second, code) => {
    const secret = Secret.fromLatin1('12345678901234567890').base32;
    expect(stepOfCode(secret, code, second * 1000)).toBe(Math.floor(second / 30));
  });

  test('of the steps beside the present one count, others do not', () => {
    const secret = new Secret().base32;
    const now = 1_700_000_010_000;
    const at = (steps: number) =>
      TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: now + steps * 30_000 });
    const step = Math.floor(now / 30_000);
    expect([-1, 0, 1].map((steps) => stepOfCode(secret, at(steps), now))).toEqual([step - 1, step, step + 1]);
    expect([-2, 2].map((steps) => stepOfCode(secret, at(steps), now))).toEqual([null, null]);
    for (const text of ['', '12345', '1234567', 'abcdef', '１２３４５６', '-12345', '1e5'])
      expect(stepOfCode(secret, text, now)).toBeNull();
  });

  test('for the day the device is lost are ten, all different, and readable however they are typed', () => {
    const { codes, hashes } = newRecoveryCodes();
    expect(new Set(codes).size).toBe(10);
    for (const [index, code] of codes.entries()) {
      expect(code).toMatch(/^[a-z2-7]{4}(-[a-z2-7]{4}){3}$/);
      expect(recoveryCodeHash(` ${code.toUpperCase().replaceAll('-', ' ')} `)).toEqual(hashes[index]);
    }
    expect(recoveryCodeHash('123456')).toBeNull();
  });
});

describe('enrolling', () => {
  test('needs the password, tells the secret once, and changes nothing before it is confirmed', async () => {
    const user = await aUser(service);
    expect((await settings(user, 'POST', '', { current_password: 'wrong' })).status).toBe(422);
    const enrolled = await settings(user, 'POST', '', { current_password: user.password });
    expect(enrolled.status).toBe(200);
    const uri = new URL(enrolled.body.otpauth_uri);
    expect(uri.protocol + uri.host).toBe('otpauth:totp');
    expect(decodeURIComponent(uri.pathname)).toContain(user.email);
    expect(uri.searchParams.get('secret')).toBe(enrolled.body.secret);
    const state = await settings(user, 'GET');
    expect(state.body).toEqual({ enabled: false, confirmed_at: null, recovery_codes_left: 0 });
    expect(state.text).not.toContain(enrolled.body.secret);
    expect((await signIn(service, user)).status).toBe(200);
  });

  test('stores the secret encrypted and the recovery codes as hashes', async () => {
    const user = await aUser(service);
    const { secret, recoveryCodes } = await withSecondFactor(service, user);
    const { rows } = await service.context.pool.query(
      'select * from second_factors join recovery_codes using (user_id) where user_id = $1',
      [user.id],
    );
    expect(rows).toHaveLength(10);
    const dump = rows.map(
      (row) => row.secret_encrypted.toString('latin1') + row.code_hash.toString('latin1'),
    );
    for (const text of [secret, ...recoveryCodes, ...recoveryCodes.map((code) => code.replaceAll('-', ''))])
      expect(dump.join()).not.toContain(text);
  });

  test('anew makes the former secret void, until it is confirmed', async () => {
    const user = await aUser(service);
    const first = (await settings(user, 'POST', '', { current_password: user.password })).body.secret;
    const second = (await settings(user, 'POST', '', { current_password: user.password })).body.secret;
    expect((await settings(user, 'POST', '/confirm', { code: codeOf(first) })).status).toBe(422);
    expect((await settings(user, 'POST', '/confirm', { code: codeOf(second) })).status).toBe(200);
    expect((await settings(user, 'POST', '', { current_password: user.password })).status).toBe(409);
    expect((await settings(user, 'POST', '/confirm', { code: codeOf(second, 1) })).status).toBe(409);
    await forgetGuesses();
  });

  test('is confirmed by codes only, and not without having begun', async () => {
    const user = await aUser(service);
    expect((await settings(user, 'POST', '/confirm', { code: '123456' })).status).toBe(404);
    const remove = { current_password: user.password, code: '123456' };
    expect((await settings(user, 'DELETE', '', remove)).status).toBe(404);
    expect((await settings(user, 'POST', '/recovery-codes', remove)).status).toBe(404);
  });

  test('ends the other sessions, which were begun without it', async () => {
    const user = await aUser(service);
    const cookie = cookieOf(await signIn(service, user));
    await withSecondFactor(service, user);
    expect((await other.request('GET', '/user', { cookie })).status).toBe(401);
    expect((await other.request('GET', '/user', { cookie: user.cookie })).status).toBe(200);
  });
});

test('nobody gets in by the password alone while it is being switched on', async () => {
  const user = await aUser(service);
  const begun = await settings(user, 'POST', '', { current_password: user.password });
  const { pool } = service.context;
  const untilWaiting = (count: number) =>
    until(async () => {
      const { rows } = await pool.query(
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      return rows.length >= count;
    });
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query('lock table sessions in exclusive mode');
    // By then the sign-in has seen that no factor is on.
    const signingIn = signIn(service, user);
    await untilWaiting(1);
    const confirming = settings(user, 'POST', '/confirm', { code: codeOf(begun.body.secret) });
    await untilWaiting(2);
    await client.query('commit');
    expect((await confirming).status).toBe(200);
    const cookie = cookieOf(await signingIn);
    expect((await service.request('GET', '/user', { cookie })).status).toBe(401);
  } finally {
    client.release();
  }
});

describe('signing in', () => {
  test('takes two steps, in whatever process', async () => {
    const user = await aUser(service);
    const factor = await withSecondFactor(service, user);
    const first = await signIn(service, user);
    expect(first.status).toBe(202);
    expect(first.headers.get('set-cookie')).toBeNull();
    expect(first.body).toMatchObject({ type: 'success', second_factor_required: true });
    expect(first.text).not.toContain(user.email);
    const { pending_token } = first.body;
    const asCookie = { cookie: `formstead_session=${pending_token}` };
    expect((await service.request('GET', '/user', asCookie)).status).toBe(401);
    expect((await service.request('GET', '/user', { token: pending_token })).status).toBe(401);

    const second = await secondStep(pending_token, await factor.freshCode(), other);
    expect(second.status).toBe(200);
    expect(second.body.user).toMatchObject({ id: user.id, email: user.email });
    expect((await service.request('GET', '/user', { cookie: cookieOf(second) })).status).toBe(200);
    // It works only once.
    expect((await secondStep(pending_token, await factor.freshCode())).status).toBe(422);
  });

  test('a code cannot be used twice, nor one from before', async () => {
    const user = await aUser(service);
    const { secret, usedCode } = await withSecondFactor(service, user);
    const begin = async () => (await signIn(service, user)).body.pending_token;
    expect((await secondStep(await begin(), usedCode)).status).toBe(422);
    const next = codeOf(secret, 1);
    expect((await secondStep(await begin(), next)).status).toBe(200);
    const again = await secondStep(await begin(), next, other);
    expect(again.status).toBe(422);
    expect(again.body.errors).toEqual({ code: ['The code is wrong or was used already.'] });
    expect((await secondStep(await begin(), usedCode)).status).toBe(422);
    await forgetGuesses();
  });

  test('of many who use one code at once, in two processes, one gets in', async () => {
    const user = await aUser(service);
    const factor = await withSecondFactor(service, user);
    const pending = await Promise.all(Array.from({ length: 4 }, () => signIn(service, user)));
    const code = await factor.freshCode();
    const answers = await Promise.all(
      pending.map(({ body }, index) => secondStep(body.pending_token, code, index % 2 ? other : service)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status } of answers) expect(status).toBeOneOf([200, 422, 429]);
    await forgetGuesses();
  });

  test('a recovery code stands in for the device, once', async () => {
    const user = await aUser(service);
    const { recoveryCodes } = await withSecondFactor(service, user);
    const [code = ''] = recoveryCodes;
    const begin = async () => (await signIn(service, user)).body.pending_token;
    expect((await secondStep(await begin(), code.toUpperCase())).status).toBe(200);
    expect((await secondStep(await begin(), code, other)).status).toBe(422);
    const state = await settings(user, 'GET');
    expect(state.body).toEqual({
      enabled: true,
      confirmed_at: expect.stringMatching(/Z$/),
      recovery_codes_left: 9,
    });
    await forgetGuesses();
  });

  test('waits five minutes for the second step, and not for another person', async () => {
    const [user, eve] = await Promise.all([aUser(service), aUser(service, { name: 'Eve' })]);
    const factor = await withSecondFactor(service, user);
    const evil = await withSecondFactor(service, eve);
    const { pending_token } = (await signIn(service, user)).body;
    expect((await secondStep(pending_token, await evil.freshCode())).status).toBe(422);
    expect((await secondStep(pending_token, evil.recoveryCodes[0] ?? '')).status).toBe(422);
    await service.context.pool.query('update pending_sign_ins set expires_at = now() where user_id = $1', [
      user.id,
    ]);
    const late = await secondStep(pending_token, await factor.freshCode());
    expect(late.status).toBe(422);
    expect(Object.keys(late.body.errors)).toEqual(['pending_token']);
    await forgetGuesses();
  });

  test('that had begun before the password changed is over', async () => {
    const user = await aUser(service);
    const factor = await withSecondFactor(service, user);
    const { pending_token } = (await signIn(service, user)).body;
    const body = { current_password: user.password, password: 'another battery staple' };
    expect((await service.request('PUT', '/user/password', { cookie: user.cookie, body })).status).toBe(200);
    expect((await secondStep(pending_token, await factor.freshCode())).status).toBe(422);
  });

  test('guesses are slowed down, from everywhere together and in every process', async () => {
    const user = await aUser(service);
    const factor = await withSecondFactor(service, user);
    const { pending_token } = (await signIn(service, user)).body;
    const wrong = codeOf(factor.secret, 500);
    for (let turn = 0; turn < 5; turn++) expect((await secondStep(pending_token, wrong)).status).toBe(422);
    await service.context.pool.query(
      `update failed_guesses set last_failed_at = now() + interval '1 minute' where subject = $1`,
      [`second-factor:${user.id}`],
    );
    const refused = await secondStep(pending_token, await factor.freshCode(), other);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect((await secondStep(pending_token, factor.recoveryCodes[0] ?? '')).status).toBe(429);
    const { rows } = await service.context.pool.query(
      'select address from failed_guesses where subject = $1',
      [`second-factor:${user.id}`],
    );
    expect(rows).toEqual([{ address: 'anywhere' }]);
    await forgetGuesses();
    expect((await secondStep(pending_token, await factor.freshCode())).status).toBe(200);
  });
});

describe('switching it off', () => {
  test('needs password and code', async () => {
    const user = await aUser(service);
    const factor = await withSecondFactor(service, user);
    const off = (current_password: string, code: string) =>
      settings(user, 'DELETE', '', { current_password, code });
    expect(Object.keys((await off('wrong', await factor.freshCode())).body.errors)).toEqual([
      'current_password',
    ]);
    expect(Object.keys((await off(user.password, '000')).body.errors)).toEqual(['code']);
    const { pending_token } = (await signIn(service, user)).body;
    expect((await off(user.password, await factor.freshCode())).status).toBe(200);
    expect((await settings(user, 'GET')).body.enabled).toBe(false);
    expect((await signIn(other, user)).status).toBe(200);
    // Switching the factor off ends sign-ins begun with it.
    expect((await secondStep(pending_token, factor.recoveryCodes[0] ?? '')).status).toBe(422);
    const { rows } = await service.context.pool.query('select 1 from recovery_codes where user_id = $1', [
      user.id,
    ]);
    expect(rows).toEqual([]);
  });

  test('a token can do none of this', async () => {
    const user = await aUser(service);
    for (const [method, path] of [
      ['GET', ''],
      ['POST', ''],
      ['POST', '/confirm'],
      ['POST', '/recovery-codes'],
      ['DELETE', ''],
    ] as const) {
      const answer = await service.request(method, `/settings/second-factor${path}`, { token: user.token });
      expect([method, path, answer.status]).toEqual([method, path, 403]);
    }
  });
});

test('new recovery codes make the former ones void', async () => {
  const user = await aUser(service);
  const factor = await withSecondFactor(service, user);
  const body = { current_password: user.password, code: await factor.freshCode() };
  const renewed = await settings(user, 'POST', '/recovery-codes', body);
  expect(renewed.body.recovery_codes).toHaveLength(10);
  const { pending_token } = (await signIn(service, user)).body;
  expect((await secondStep(pending_token, factor.recoveryCodes[0] ?? '')).status).toBe(422);
  expect((await secondStep(pending_token, renewed.body.recovery_codes[0])).status).toBe(200);
  await forgetGuesses();
});

test('a secret is sealed for its owner: copied to another account it opens nothing', async () => {
  const [user, eve] = await Promise.all([aUser(service), aUser(service, { name: 'Eve' })]);
  const factor = await withSecondFactor(service, user);
  await withSecondFactor(service, eve);
  await service.context.pool.query(
    `update second_factors set last_step = 0,
       secret_encrypted = (select secret_encrypted from second_factors where user_id = $1) where user_id = $2`,
    [user.id, eve.id],
  );
  const { pending_token } = (await signIn(service, eve)).body;
  expect((await secondStep(pending_token, codeOf(factor.secret))).status).toBe(422);
});
