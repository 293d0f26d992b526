import { describe, expect, test } from 'vitest';
import { passwordToken } from '../../server/accounts/password-link.ts';
import { findUserByEmail } from '../../server/accounts/queries.ts';
import { useHome } from '../setup/home.ts';
import { runAllJobs } from '../setup/run-jobs.ts';
import { withSecondFactor } from '../setup/second-factor.ts';
import { useSmtpServer } from '../setup/smtp-server.ts';

/** Links mailed to people who forgot their password. */
const smtp = useSmtpServer();
const home = useHome(() => ({ env: { SMTP_URL: smtp.url, ROLES: 'http' } }));

const LINK = /\/password#([\w.]+)/;
const NEW_PASSWORD = 'a new and longer one';

const ask = (email: string, headers = {}) =>
  home.service.request('POST', '/password/link', { body: { email }, headers });
const change = (token: string, password = NEW_PASSWORD, headers = {}) =>
  home.service.request('PUT', '/password', { body: { token, password }, headers });
const signIn = (email: string, password: string) =>
  home.service.request('POST', '/login', { body: { email, password } });

/** Runs the jobs and returns the mails they send. */
async function mailed() {
  const before = smtp.mails.length;
  await runAllJobs(home.service.context);
  return smtp.mails.slice(before);
}

async function linkFor(email: string): Promise<string> {
  expect((await ask(email)).status).toBe(200);
  const [mail] = await mailed();
  return LINK.exec(mail?.text ?? '')?.[1] ?? '';
}

async function tokenOf(email: string, now?: number): Promise<string> {
  const user = await findUserByEmail(home.service.context.db, email);
  return (user && passwordToken(home.service.context, user, now)) ?? '';
}

describe('POST /password/link', () => {
  test('mails a link to the account, in whatever letter case, and tells nobody whether there is one', async () => {
    const person = await home.newMember('user');
    const answers = [await ask(` ${person.email.toUpperCase()} `), await ask('nobody@example.org')];
    const message = 'If there is an account with this address, a link is on its way.';
    for (const { status, body } of answers)
      expect([status, body]).toEqual([200, { type: 'success', message }]);
    const mails = await mailed();
    expect(mails.map(({ recipients }) => recipients)).toEqual([[person.email]]);
    expect(mails[0]?.text).toContain(`${home.service.url}/password#`);
    expect(mails[0]?.text).toContain('Auto-Submitted: auto-generated');
  });

  test('asked for again and again mails few of them, and answers the same', async () => {
    const person = await home.newMember('user');
    let mails = 0;
    for (let n = 0; n < 8; n++) {
      expect((await ask(person.email)).status).toBe(200);
      mails += (await mailed()).length;
    }
    expect(mails).toBeGreaterThanOrEqual(3);
    expect(mails).toBeLessThan(8);
  });

  test('mails nothing to an account that signs in by single sign-on alone', async () => {
    const person = await home.newMember('user');
    const { pool } = home.service.context;
    await pool.query('update users set password_hash = null where email = $1', [person.email]);
    expect((await ask(person.email)).status).toBe(200);
    expect(await mailed()).toEqual([]);
  });

  test('is for pages of this service', async () => {
    const { status } = await ask('nobody@example.org', { origin: 'https://elsewhere.example' });
    expect(status).toBe(403);
  });
});

describe('PUT /password', () => {
  test('sets the password once, ends sessions, and leaves tokens and the second factor', async () => {
    const person = await home.newMember('user');
    const token = await linkFor(person.email);
    const changed = await change(token);
    expect([changed.status, changed.body.message]).toEqual([
      200,
      'Your password has been changed. You can sign in with it.',
    ]);
    expect((await home.service.request('GET', '/user', { cookie: person.cookie })).status).toBe(401);
    expect((await home.call('GET', '/user', undefined, person.token)).status).toBe(200);
    expect((await signIn(person.email, person.password)).status).toBe(422);
    expect((await signIn(person.email, NEW_PASSWORD)).status).toBe(200);
    const again = await change(token, 'another one that is long');
    expect([again.status, again.body.errors]).toEqual([
      422,
      { token: ['This link no longer works. Ask for another one.'] },
    ]);
  });

  test('does not get around the second factor', async () => {
    const person = await home.newMember('user');
    await withSecondFactor(home.service, person);
    expect((await change(await linkFor(person.email))).status).toBe(200);
    expect((await signIn(person.email, NEW_PASSWORD)).status).toBe(202);
  });

  test('lets in whoever had guessed too often', async () => {
    const person = await home.newMember('user');
    for (let n = 0; n < 7; n++) await signIn(person.email, 'wrong');
    expect((await signIn(person.email, person.password)).status).toBe(429);
    await change(await linkFor(person.email));
    expect((await signIn(person.email, NEW_PASSWORD)).status).toBe(200);
  });

  test('takes no link that has ended, was changed, or is of another account or password', async () => {
    const [ada, ben] = [await home.newMember('user'), await home.newMember('user')];
    const good = await tokenOf(ada.email);
    const [id = '', end = '', signed = ''] = good.split('.');
    const { id: other } = (await findUserByEmail(home.service.context.db, ben.email)) ?? { id: 0 };
    const wrong = [
      await tokenOf(ada.email, Date.now() - 61 * 60 * 1000),
      `${id}.${Number(end) + 1}.${signed}`,
      `${other}.${end}.${signed}`,
      `${id}.${end}.${'0'.repeat(64)}`,
      `${'9'.repeat(16)}.${end}.${signed}`,
      'x',
    ];
    for (const token of wrong) expect((await change(token)).status, token).toBe(422);
    const body = { current_password: ada.password, password: 'changed meanwhile' };
    const { cookie } = ada;
    expect((await home.service.request('PUT', '/user/password', { cookie, body })).status).toBe(200);
    expect((await change(good)).status).toBe(422);
  });

  test('is told of in the audit log, and refuses short passwords and other sites', async () => {
    const person = await home.newMember('user');
    const token = await linkFor(person.email);
    expect((await change(token, 'short')).status).toBe(422);
    expect((await change(token, NEW_PASSWORD, { origin: 'https://elsewhere.example' })).status).toBe(403);
    expect((await change(token)).status).toBe(200);
    const { rows } = await home.service.context.pool.query(
      `select actor, user_id, details from audit_events where verb = 'account.password_changed' order by id desc limit 1`,
    );
    expect(rows).toEqual([{ actor: 'user', user_id: person.id, details: { sessions_ended: 1 } }]);
  });
});
