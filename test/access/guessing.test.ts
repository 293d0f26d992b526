import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { guess, recordFailedGuess, WITH_ADDRESSES } from '../../server/access/guesses.ts';
import { aForm, aUser, aWorkspace, TEXT_FIELD_ID, type TestUser } from '../setup/factories.ts';
import { type Answer, startService, type TestService } from '../setup/service.ts';
import { until } from '../setup/until.ts';

/** Attempts that cost nothing: unknown names of forms and invite links asked for by one address, and wrong passwords. */
const FREE_NAMES = 30;
const FREE_PASSWORDS = 5;

const env = { RATE_LIMITS: 'on', TRUST_PROXY: '127.0.0.1/32' };
let service: TestService;
let other: TestService;
let ada: TestUser;
let eve: TestUser;
let form: { id: number; slug: string };
beforeAll(async () => {
  service = await startService({ env });
  other = await startService({ env, database: service.database, dataDir: service.dataDir });
  ada = await aUser(service);
  eve = await aUser(service, { name: 'Eve' });
  form = await aForm(service, ada, await aWorkspace(service, ada));
});
afterAll(async () => {
  await other.stop();
  await service.stop();
});

const from = (address: string) => ({ 'x-forwarded-for': address });
const open = (slug: string, address: string, on = service) =>
  on.request('GET', `/forms/${slug}`, { headers: from(address) });
const answer = (slug: string, address: string, on = service) =>
  on.request('POST', `/forms/${slug}/answer`, { headers: from(address), body: { [TEXT_FIELD_ID]: 'x' } });

/** Keeps waiting addresses waiting, however slow the machine is. */
async function stopClock(subject: string): Promise<void> {
  await service.context.pool.query(
    `update failed_guesses set last_failed_at = now() + interval '5 minutes' where subject = $1`,
    [subject],
  );
}

function expectToWait(refused: Answer): void {
  expect(refused.status, refused.text).toBe(429);
  expect(refused.body).toEqual({ message: 'Too Many Attempts.' });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(20 * 60);
}

async function inventNames(address: string, count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++)
    expect((await (turn % 2 ? open : answer)(`invented-${address.length}-${turn}`, address)).status).toBe(
      404,
    );
}

describe('names of forms', () => {
  test('that are invented make the address wait, in every process, and hide what exists', async () => {
    const address = '198.51.100.7';
    await inventNames(address, FREE_NAMES);
    await stopClock('forms');
    for (const on of [service, other]) {
      await until(async () => (await open(form.slug, address, on)).status === 429);
      expectToWait(await open(form.slug, address, on));
      expectToWait(await open('invented-again', address, on));
      expectToWait(await answer(form.slug, address, on));
      expectToWait(await on.request('GET', `/forms/${form.slug}/captcha`, { headers: from(address) }));
      // Other addresses are not affected, nor are requests with credentials.
      expect((await open(form.slug, '198.51.100.8', on)).status).toBe(200);
      expect((await answer(form.slug, '198.51.100.8', on)).status).toBe(200);
      const own = await on.request('GET', `/open/forms/${form.id}`, {
        token: ada.token,
        headers: from(address),
      });
      expect(own.status).toBe(200);
    }
  });

  test('of one IPv6 network count together', async () => {
    for (let turn = 0; turn < FREE_NAMES; turn++)
      expect((await open(`six-${turn}`, `2001:db8:7:7::${turn + 1}`)).status).toBe(404);
    await stopClock('forms');
    await until(async () => (await open(form.slug, '2001:db8:7:7:ffff::1')).status === 429);
    expectToWait(await open(form.slug, '2001:db8:7:7:ffff::2'));
    expect((await open(form.slug, '2001:db8:7:8::1')).status).toBe(200);
  });

  test('a dead link that is opened again and again is one miss', async () => {
    const address = '198.51.100.9';
    for (let turn = 0; turn < FREE_NAMES + 10; turn++)
      expect((await open(turn % 2 ? 'dead-link' : 'DEAD-LINK', address)).status).toBe(404);
    const { rows } = await service.context.pool.query(
      `select failures from failed_guesses where subject = 'forms' and address = $1`,
      [address],
    );
    expect(rows).toEqual([{ failures: 1 }]);
  });

  test('are forgiven after ten minutes without one', async () => {
    const address = '198.51.100.10';
    await inventNames(address, FREE_NAMES - 1);
    await service.context.pool.query(
      `update failed_guesses set last_failed_at = last_failed_at - interval '10 minutes' where address = $1`,
      [address],
    );
    expect((await open('one-more', address)).status).toBe(404);
    const { rows } = await service.context.pool.query(
      'select failures from failed_guesses where address = $1',
      [address],
    );
    expect(rows).toEqual([{ failures: 1 }]);
    expect((await open(form.slug, address)).status).toBe(200);
  });

  test('are free for programs of this machine, and where a proxy nobody trusts hides who asks', async () => {
    for (let turn = 0; turn < FREE_NAMES + 5; turn++)
      expect((await service.request('GET', `/forms/local-${turn}`)).status).toBe(404);
    const untold = await startService({ env: { RATE_LIMITS: 'on' } });
    try {
      for (let turn = 0; turn < FREE_NAMES + 5; turn++)
        expect((await open(`hidden-${turn}`, '198.51.100.11', untold)).status).toBe(404);
    } finally {
      await untold.stop();
    }
  });
});

describe('tokens of invites', () => {
  const accept = (invite_token: string, address: string, on = service) =>
    on.request('POST', '/invites/accept', {
      cookie: ada.cookie,
      headers: from(address),
      body: { invite_token },
    });

  test('that are invented make the address wait, at both doors and in every process', async () => {
    const address = '198.51.100.20';
    for (let turn = 0; turn < FREE_NAMES; turn++)
      expect((await accept(`invented-${turn}`, address)).status).toBe(400);
    await stopClock('invites');
    expectToWait(await accept('once-more', address, other));
    const body = { name: 'Eve', email: 'eve@example.com', password: 'long enough', invite_token: 'invented' };
    expectToWait(await other.request('POST', '/register', { headers: from(address), body }));
    expect((await accept('elsewhere', '198.51.100.21', other)).status).toBe(400);
  });

  test('that were given out once are no guesses: used and expired links can be opened again', async () => {
    const path = `/open/workspaces/${await aWorkspace(service, ada)}/users/add`;
    const body = { email: 'late@example.com', role: 'user' };
    const { invite_link } = (await service.request('POST', path, { token: ada.token, body })).body;
    await service.context.pool.query('update workspace_invites set valid_until = now()');
    const token = new URL(invite_link).searchParams.get('invite_token') ?? '';
    for (let turn = 0; turn < FREE_NAMES + 2; turn++)
      expect((await accept(token, '198.51.100.22')).body.message).toBe('Invite token has expired.');
  });

  test('that strangers invent keep nobody waiting where a proxy nobody trusts hides who asks', async () => {
    const { database, dataDir } = service;
    const untold = await startService({ env: { RATE_LIMITS: 'on' }, database, dataDir });
    try {
      for (let turn = 0; turn < FREE_NAMES + 5; turn++)
        expect((await accept(`hidden-${turn}`, '198.51.100.23', untold)).status).toBe(400);
      await stopClock('invites');
      expect((await accept('hidden', '198.51.100.24', untold)).status).toBe(400);
    } finally {
      await untold.stop();
    }
  });
});

describe('passwords', () => {
  test('of an account are one count, however its address is written', async () => {
    const email = 'iris@example.org';
    const iris = await aUser(service, { name: 'Iris' });
    await service.context.pool.query('update users set email = $1 where id = $2', [email, iris.id]);
    const signIn = (email: string, password: string, address: string) =>
      service.request('POST', '/login', { headers: from(address), body: { email, password } });
    const ways = [email, 'IRIS@example.org', 'iris@EXAMPLE.org', 'iris@ｅｘａｍｐｌｅ.org'];
    for (const way of ways) {
      expect((await signIn(way, iris.password, '198.51.100.39')).status, way).toBe(200);
      expect((await signIn(way, 'wrong', '198.51.100.38')).status).toBe(422);
    }
    const { rows } = await service.context.pool.query(
      `select failures from failed_guesses where subject like 'account:%' and address = '198.51.100.38'`,
    );
    expect(rows).toEqual([{ failures: ways.length }]);
  });

  test.each([
    ['the port of every connection', (turn: number) => `198.51.100.37:${40_000 + turn}`],
    ['a port and an IPv6 address', (turn: number) => `[2001:db8:37::${turn + 1}]:${40_000 + turn}`],
    ['something made up', (turn: number) => 'x'.repeat(4_000 + turn)],
  ])('are counted where a proxy names %s', async (_what, addressOf) => {
    const signIn = (password: string, turn: number) =>
      service.request('POST', '/login', {
        headers: from(addressOf(turn)),
        body: { email: eve.email, password },
      });
    for (let turn = 0; turn < FREE_PASSWORDS; turn++) expect((await signIn('wrong', turn)).status).toBe(422);
    await stopClock(`account:${eve.email}`);
    expectToWait(await signIn(eve.password, FREE_PASSWORDS));
  });

  test('of an account: slowed down in every process, whatever address is typed in whatever case', async () => {
    const address = '198.51.100.30';
    const signIn = (email: string, password: string, on = service) =>
      on.request('POST', '/login', { headers: from(address), body: { email, password } });
    for (let turn = 0; turn < FREE_PASSWORDS; turn++)
      expect((await signIn(ada.email, `wrong ${turn}`)).status).toBe(422);
    await stopClock(`account:${ada.email}`);
    expectToWait(await signIn(ada.email.toUpperCase(), ada.password, other));
    // Changing the password of an open session asks for the password too, and its guesses count with the others.
    const again = { current_password: ada.password, password: 'another one' };
    expectToWait(
      await other.request('PUT', '/user/password', {
        cookie: ada.cookie,
        headers: from(address),
        body: again,
      }),
    );
    const enrol = { current_password: ada.password };
    expectToWait(
      await other.request('POST', '/settings/second-factor', {
        cookie: ada.cookie,
        headers: from(address),
        body: enrol,
      }),
    );
  });

  test('of a form: slowed down at every door and in every process', async () => {
    const address = '198.51.100.40';
    const locked = await aForm(service, ada, await aWorkspace(service, ada), { password: 'sesame' });
    const knock = (password: string, on = service) =>
      on.request('POST', `/forms/${locked.slug}/answer`, {
        headers: { ...from(address), 'form-password': password },
        body: { [TEXT_FIELD_ID]: 'x' },
      });
    for (let turn = 0; turn < FREE_PASSWORDS; turn++) expect((await knock(`wrong ${turn}`)).status).toBe(403);
    await stopClock(`form:${locked.id}`);
    expectToWait(await knock('sesame', other));
    const headers = { ...from(address), 'form-password': 'sesame' };
    expectToWait(await other.request('GET', `/forms/${locked.slug}`, { headers }));
    const elsewhere = { ...from('198.51.100.41'), 'form-password': 'sesame' };
    expect((await other.request('GET', `/forms/${locked.slug}`, { headers: elsewhere })).status).toBe(200);
  });

  test('of a form that others have used: whoever guesses waits for the right one as well', async () => {
    const address = '198.51.100.42';
    const locked = await aForm(service, ada, await aWorkspace(service, ada), { password: 'sesame' });
    const read = (password: string, from_: string) =>
      service.request('GET', `/forms/${locked.slug}`, {
        headers: { ...from(from_), 'form-password': password },
      });
    const knows = async (password: string, from_: string) => {
      const { status, body } = await read(password, from_);
      return status === 429 ? 'waits' : body.is_password_protected !== true || body.properties !== undefined;
    };
    // The process remembers a right password, so the next use of it costs nothing.
    expect(await knows('sesame', '198.51.100.43')).toBe(true);
    for (let turn = 0; turn < FREE_PASSWORDS; turn++) await read(`wrong ${turn}`, address);
    await stopClock(`form:${locked.id}`);
    expectToWait(await read('sesame', address));
    expect(await knows('sesame', '198.51.100.43')).toBe(true);
  });

  test('sent at once are compared one after the other: no more than the free ones are', async () => {
    const { db } = service.context;
    const subject = 'account:parallel';
    let [compared, atOnce, most] = [0, 0, 0];
    const wrong = async () => {
      compared += 1;
      atOnce += 1;
      most = Math.max(most, atOnce);
      await new Promise(setImmediate);
      atOnce -= 1;
      return false;
    };
    const startedAt = performance.now();
    const answers = await Promise.allSettled(
      Array.from({ length: 60 }, () => guess(db, { subject, address: '198.51.100.50' }, wrong)),
    );
    expect(most).toBe(1);
    // Each guess beyond the free ones waits twice as long, 1, 2, 4 … seconds; a slow machine may reach some of them.
    const seconds = (performance.now() - startedAt) / 1000;
    expect(compared).toBeGreaterThanOrEqual(FREE_PASSWORDS);
    expect(compared).toBeLessThanOrEqual(FREE_PASSWORDS + Math.floor(Math.log2(seconds + 1)));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(compared);
    // Another address does not wait in that line.
    expect(await guess(db, { subject, address: '198.51.100.51' }, async () => true)).toBe(true);
  });

  test('one tried on many accounts makes the address wait, for every account and in every process', async () => {
    const address = '198.51.100.60';
    const signIn = (email: string, password: string, on = service, from_ = address) =>
      on.request('POST', '/login', { headers: from(from_), body: { email, password } });
    // The last free guess is a real request; the ones before are only recorded.
    for (let turn = 0; turn < FREE_NAMES - 1; turn++)
      await recordFailedGuess(service.context.db, { subject: 'accounts', address, patience: WITH_ADDRESSES });
    expect((await signIn('nobody@example.com', 'Winter2026!')).status).toBe(422);
    await stopClock('accounts');
    for (const on of [service, other]) {
      expectToWait(await signIn('nobody-else@example.com', 'Winter2026!', on));
      expectToWait(await signIn(ada.email, ada.password, on));
    }
    expect((await signIn(ada.email, ada.password, other, '198.51.100.61')).status).toBe(200);
  });

  test('a right one does not make up for wrong ones of other accounts', async () => {
    const address = '198.51.100.62';
    const signIn = (email: string, password: string) =>
      service.request('POST', '/login', { headers: from(address), body: { email, password } });
    expect((await signIn('nobody@example.com', 'wrong')).status).toBe(422);
    expect((await signIn(ada.email, ada.password)).status).toBe(200);
    const { rows } = await service.context.pool.query(
      'select subject, failures from failed_guesses where address = $1 order by subject',
      [address],
    );
    expect(rows).toContainEqual({ subject: 'accounts', failures: 1 });
  });

  test('are not counted together where addresses cannot be told apart', async () => {
    for (let turn = 0; turn < 3; turn++)
      expect(
        (await service.request('POST', '/login', { body: { email: `n${turn}@example.com`, password: 'x' } }))
          .status,
      ).toBe(422);
    const { rows } = await service.context.pool.query(
      `select from failed_guesses where subject = 'accounts' and address = '127.0.0.1'`,
    );
    expect(rows).toEqual([]);
  });
});

describe('registrations', () => {
  const register = (address: string, on = service) =>
    on.request('POST', '/register', {
      headers: from(address),
      body: { name: 'Eve', email: `${randomUUID()}@example.com`, password: 'a password' },
    });

  test('of one address come one after the other, and slower and slower in every process', async () => {
    const address = '198.51.100.70';
    // The address may register once more, and then has to wait.
    await service.context.pool.query(
      `insert into failed_guesses (subject, address, failures, last_failed_at)
       values ('registrations', $1, 109, now() - interval '9 minutes')`,
      [address],
    );
    const answers = await Promise.all([0, 1, 2, 3].map(() => register(address)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 429, 429, 429]);
    expectToWait(await register(address, other));
    expect((await register('198.51.100.71')).status).toBe(201);
  });
});
