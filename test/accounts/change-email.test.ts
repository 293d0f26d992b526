import { describe, expect, test } from 'vitest';
import { emailToken } from '../../server/accounts/email-link.ts';
import { passwordToken } from '../../server/accounts/password-link.ts';
import { findUserByEmail } from '../../server/accounts/queries.ts';
import type { TestUser } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { runAllJobs } from '../setup/run-jobs.ts';
import { useSmtpServer } from '../setup/smtp-server.ts';

/** Changing the address of an account. */
const smtp = useSmtpServer();
const home = useHome(() => ({ env: { SMTP_URL: smtp.url, ROLES: 'http' } }));

const LINK = /\/account\/email#([\w.-]+)/;
const WORKS_NO_MORE = {
  token: ['This link no longer works, or is for another account. Ask for a new one.'],
};

let count = 0;
const newAddress = () => `new-${++count}@example.org`;

const ask = ({ cookie, password }: TestUser, email: string, current_password = password) =>
  home.service.request('POST', '/user/email', { cookie, body: { email, current_password } });
const change = ({ cookie }: TestUser, token: string) =>
  home.service.request('PUT', '/user/email', { cookie, body: { token } });
const signIn = (email: string, password: string) =>
  home.service.request('POST', '/login', { body: { email, password } });
const profile = async ({ cookie }: TestUser) => (await home.service.request('GET', '/user', { cookie })).body;

/** Runs the jobs and returns the mails they send. */
async function mailed() {
  const before = smtp.mails.length;
  await runAllJobs(home.service.context);
  return smtp.mails.slice(before);
}

async function linkFor(person: TestUser, email: string, written = email): Promise<string> {
  expect((await ask(person, written)).status).toBe(200);
  const mail = (await mailed()).find(({ recipients }) => recipients[0] === email);
  return LINK.exec(mail?.text ?? '')?.[1] ?? '';
}

describe('POST /user/email', () => {
  test('mails a link to the new address, and changes nothing yet', async () => {
    const person = await home.newMember('user');
    const email = newAddress();
    const answer = await ask(person, ` ${email} `);
    const message = 'A link is on its way to the new address.';
    expect([answer.status, answer.body]).toEqual([200, { type: 'success', message }]);
    const [mail, ...others] = await mailed();
    expect(others).toEqual([]);
    expect(mail?.recipients).toEqual([email]);
    expect(mail?.text).toContain(`${home.service.url}/account/email#`);
    expect(mail?.text).toContain('Auto-Submitted: auto-generated');
    expect((await profile(person)).email).toBe(person.email);
  });

  test('asks for the password, and for an address that is another one', async () => {
    const person = await home.newMember('user');
    const wrong = await ask(person, newAddress(), 'wrong');
    expect([wrong.status, wrong.body.errors]).toEqual([
      422,
      { current_password: ['The current password is wrong.'] },
    ]);
    const same = await ask(person, person.email);
    expect([same.status, same.body.errors]).toEqual([422, { email: ['This is your address already.'] }]);
    expect((await ask(person, 'no address')).body.errors).toEqual({
      email: ['The email must be a valid email address.'],
    });
    expect(await mailed()).toEqual([]);
  });

  test('does not tell whether another account has the address', async () => {
    const [ada, ben] = [await home.newMember('user'), await home.newMember('user')];
    const token = await linkFor(ada, ben.email);
    const answer = await change(ada, token);
    expect([answer.status, answer.body.errors]).toEqual([
      422,
      { email: ['The email has already been taken.'] },
    ]);
    expect((await profile(ada)).email).toBe(ada.email);
  });

  test('mails few links of one account, and few to one address', async () => {
    const person = await home.newMember('user');
    const statuses: number[] = [];
    for (let n = 0; n < 8; n++) statuses.push((await ask(person, newAddress())).status);
    expect(statuses.slice(0, 5)).toEqual(Array(5).fill(200));
    expect(statuses.at(-1)).toBe(429);
    // Each request replaces the ones before.
    expect(await mailed()).toHaveLength(1);

    const target = newAddress();
    // Beforehand: the first wait is only a second.
    const people = await Promise.all(Array.from({ length: 8 }, () => home.newMember('user')));
    const others: number[] = [];
    for (const other of people) others.push((await ask(other, target)).status);
    expect(others.slice(0, 5)).toEqual(Array(5).fill(200));
    expect(others.at(-1)).toBe(429);
  });
});

describe('PUT /user/email', () => {
  test('changes the address once, keeps sessions and tokens, and tells the former one', async () => {
    const person = await home.newMember('user');
    const elsewhere = (await signIn(person.email, person.password)).headers.get('set-cookie') ?? '';
    const email = newAddress();
    const token = await linkFor(person, email);
    const changed = await change(person, token);
    expect([changed.status, changed.body.message]).toEqual([200, 'Your e-mail address has been changed.']);
    expect(changed.body.user).toMatchObject({ id: person.id, email });
    expect((await signIn(person.email, person.password)).status).toBe(422);
    expect((await signIn(email.toUpperCase(), person.password)).status).toBe(200);
    const cookie = elsewhere.split(';')[0] ?? '';
    expect((await home.service.request('GET', '/user', { cookie })).body.email).toBe(email);
    expect((await home.call('GET', '/user', undefined, person.token)).body.email).toBe(email);
    const [notice, ...others] = await mailed();
    expect(others).toEqual([]);
    expect(notice?.recipients).toEqual([person.email]);
    expect(notice?.text).toContain(email);
    const again = await change(person, token);
    expect([again.status, again.body.errors]).toEqual([422, WORKS_NO_MORE]);
  });

  test('is for the account that asked: whoever gets the mail by mistake can do nothing with it', async () => {
    const [ada, ben] = [await home.newMember('user'), await home.newMember('user')];
    const token = await linkFor(ada, newAddress());
    expect((await change(ben, token)).body.errors).toEqual(WORKS_NO_MORE);
    expect((await home.service.request('PUT', '/user/email', { body: { token } })).status).toBe(401);
    expect((await home.call('PUT', '/user/email', { token }, ada.token)).status).toBe(403);
    expect((await change(ada, token)).status).toBe(200);
  });

  test('takes no link that has ended or was changed', async () => {
    const person = await home.newMember('user');
    const { secrets } = home.service.context;
    const good = emailToken({ secrets }, person, newAddress());
    const [end = '', , signed = ''] = good.split('.');
    const wrong = [
      emailToken({ secrets }, person, newAddress(), Date.now() - 61 * 60 * 1000),
      `${end}.${Buffer.from('mallory@example.org').toString('base64url')}.${signed}`,
      good.replace(end, String(Number(end) + 1)),
      'x',
    ];
    for (const token of wrong)
      expect((await change(person, token)).body.errors, token).toEqual(WORKS_NO_MORE);
    expect((await change(person, good)).status).toBe(200);
  });

  test('takes the longest of addresses', async () => {
    const person = await home.newMember('user');
    const email = `${'ü'.repeat(64)}@${'u'.repeat(186)}.de`;
    expect(email).toHaveLength(254);
    expect((await change(person, await linkFor(person, email))).body.user.email).toBe(email);
  });

  test('gives nobody an address that only looks like another one', async () => {
    const person = await home.newMember('user');
    const changed = await change(
      person,
      await linkFor(person, 'boss@xn--ibm-8dc.example', 'boss@İbm.example'),
    );
    expect(changed.body.user.email).toBe('boss@xn--ibm-8dc.example');
    // The link went there. People who write it as it looks mean it too, and nobody means it who writes the other one.
    expect((await signIn('Boss@İBM.example', person.password)).status).toBe(200);
    expect((await signIn('boss@ibm.example', person.password)).status).toBe(422);
    const add = (email: string) =>
      home.call('POST', `/open/workspaces/${home.workspaceId}/users/add`, { email, role: 'admin' });
    expect((await add('boss@ibm.example')).body.message).toBe('Registration invitation email sent to user.');
    expect((await add('boss@İbm.example')).body.message).toBe('User is already in workspace.');
    for (const [written, read] of [
      ['\u0130da', 'ida'],
      ['\u212aim', 'kim'],
      ['\uff45ve', 'eve'],
    ]) {
      const other = await home.newMember('user');
      const email = `${written}@example.org`;
      expect((await change(other, await linkFor(other, email))).body.user.email).toBe(email);
      expect((await signIn(`${read}@example.org`, other.password)).status, email).toBe(422);
    }
  });

  test('ends links for a forgotten password that the former address got', async () => {
    const person = await home.newMember('user');
    const { context } = home.service;
    const user = await findUserByEmail(context.db, person.email);
    const token = (user && passwordToken(context, user)) ?? '';
    expect((await change(person, await linkFor(person, newAddress()))).status).toBe(200);
    const body = { token, password: 'a new and longer one' };
    expect((await home.service.request('PUT', '/password', { body })).status).toBe(422);
  });

  test('is told of in the audit log', async () => {
    const person = await home.newMember('user');
    const email = newAddress();
    expect((await change(person, await linkFor(person, email))).status).toBe(200);
    const { rows } = await home.service.context.pool.query(
      `select actor, user_id, target_id, details from audit_events where verb = 'account.email_changed' and user_id = $1`,
      [person.id],
    );
    const details = { from: person.email, to: email };
    expect(rows).toEqual([{ actor: 'user', user_id: person.id, target_id: person.id, details }]);
  });
});
