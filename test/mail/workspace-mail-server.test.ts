import { beforeEach, describe, expect, test, vi } from 'vitest';
import { aField, aTextField, aWorkspace, TEXT_FIELD_ID } from '../setup/factories.ts';
import { expectInvalid, expectRefused, useHome } from '../setup/home.ts';
import { useSmtpServer } from '../setup/smtp-server.ts';
import { until } from '../setup/until.ts';
import { aMailServer, mailServerPath as pathOf } from './mail-server.ts';

const EMAIL = aField('01', 'email', 'E-mail');
const OWNER = 'owner@example.org';

const service = useSmtpServer();
const team = useSmtpServer();
const home = useHome(() => ({ env: { SMTP_URL: service.url, MAIL_FROM: 'forms@example.org' } }));

let workspaceId: number;
let form: any;
beforeEach(async () => {
  for (const smtp of [service, team]) {
    smtp.mails.length = 0;
    smtp.refusals.clear();
    smtp.meanwhile = null;
  }
  workspaceId = await aWorkspace(home.service, home.ada);
  form = await home.form({ workspace_id: workspaceId, properties: [aTextField(), EMAIL] });
});

const save = (more: object = {}) => home.call('PUT', pathOf(workspaceId), aMailServer(team, more));
const integrations = (method: string, body?: unknown, rest = '') =>
  home.call(method, `/open/forms/${form.id}/integrations${rest}`, body);
async function add(integration_id: string, data: object): Promise<any> {
  const answer = await integrations('POST', { integration_id, data });
  expect(answer.status, answer.text).toBe(200);
  return answer.body.form_integration;
}
const notification = () => add('email', { recipients: [OWNER] });
const confirmation = () => add('email_confirmation', { recipient_field: EMAIL.id, text: '<p>Thanks.</p>' });
const submit = () => home.submit(form, { [TEXT_FIELD_ID]: 'Ada', [EMAIL.id]: 'ada@example.net' });
async function invite(): Promise<void> {
  const path = `/open/forms/${form.id}/recipients`;
  await home.call('POST', path, { recipients: [{ email: 'bob@example.org' }] });
  const mail = { kind: 'invitation', subject: 'Hello', text: 'Please answer.' };
  expect((await home.call('POST', `${path}/mails`, mail)).body).toMatchObject({ queued: 1 });
}
const mails = (smtp: typeof team, count: number) =>
  until(() => smtp.mails.length >= count && smtp.mails, { what: `${count} mails` });

test('all mails of its forms come from the workspace, those about accounts from the service', async () => {
  await save();
  await notification();
  await confirmation();
  await submit();
  await invite();
  const sent = await mails(team, 3);
  expect(sent.map(({ recipients }) => recipients[0]).toSorted()).toEqual([
    'ada@example.net',
    'bob@example.org',
    OWNER,
  ]);
  for (const { text } of sent) expect(text).toContain('From: "Team: A (B)" <team@example.org>\n');
  expect(service.mails).toEqual([]);

  await home.call('POST', '/password/link', { email: home.ada.email }, null);
  const member = { email: 'new@example.org', role: 'user' };
  expect((await home.call('POST', `/open/workspaces/${workspaceId}/users/add`, member)).status).toBe(200);
  for (const { text } of await mails(service, 2)) expect(text).toContain('From: forms@example.org\n');
  expect(team.mails).toHaveLength(3);
});

test('those of other workspaces, and after it is removed all, go through the server of the service', async () => {
  await save();
  const other = await home.form({ properties: [aTextField()] });
  const path = `/open/forms/${other.id}/integrations`;
  await home.call('POST', path, { integration_id: 'email', data: { recipients: ['other@example.org'] } });
  await home.submit(other, {});
  expect((await mails(service, 1))[0]?.recipients).toEqual(['other@example.org']);

  expect((await home.call('DELETE', pathOf(workspaceId))).status).toBe(200);
  expectRefused(await home.call('DELETE', pathOf(workspaceId)), 404);
  expect((await home.call('GET', pathOf(workspaceId))).body).toEqual({
    mail_server: null,
    service_sends_mail: true,
  });
  await notification();
  await submit();
  expect((await mails(service, 2))[1]?.recipients).toEqual([OWNER]);
  expect(team.mails).toEqual([]);
});

test('those of a form that was moved go through the server of its workspace', async () => {
  await save();
  await notification();
  await submit();
  await mails(team, 1);
  const target = { workspace_id: home.workspaceId };
  const moved = await home.call('POST', `/open/forms/${form.id}/move`, target);
  expect(moved.status, moved.text).toBe(200);
  await submit();
  await mails(service, 1);
  expect(team.mails).toHaveLength(1);
});

test('mails that wait go through another server once it is set', async () => {
  await save({ port: 1 });
  const { id } = await notification();
  await submit();
  const [waiting] = await until(
    async () => {
      const { body } = await integrations('GET', undefined, `/${id}/deliveries`);
      return body[0]?.attempts === 1 && body;
    },
    { what: 'the first try' },
  );
  expect(waiting).toMatchObject({ state: 'pending', last_attempt: { failure: 'mail_server_failed' } });
  const events = await integrations('GET', undefined, `/${id}/events`);
  expect(events.body[0].failure_detail).toBe(
    'The mail server of this workspace could not be used: The connection was refused or the host is unreachable. (ECONNREFUSED)',
  );
  await save();
  await integrations('POST', undefined, `/${id}/deliveries/${waiting.id}/replay`);
  await mails(team, 1);
});

test('why it cannot be used is in the log, once a minute', async () => {
  const info = vi.spyOn(home.service.context.log, 'info');
  await save({ port: 1 });
  const { id } = await notification();
  for (let tests = 0; tests < 3; tests++)
    expect((await integrations('POST', undefined, `/${id}/test`)).body.failure).not.toBeNull();
  const told = info.mock.calls.filter(([fields]: any[]) => fields.workspaceId === workspaceId);
  expect(told).toHaveLength(1);
});

test('mails to recipients use up no try while it is away, and say why they wait', async () => {
  await save({ port: 1 });
  await invite();
  const recipients = async () => (await home.call('GET', `/open/forms/${form.id}/recipients`)).body.data;
  const [held] = await until(
    async () => {
      const list = await recipients();
      return list[0].mail_problem !== null && list;
    },
    { what: 'the problem' },
  );
  expect(held).toMatchObject({ status: 'queued', mail_problem: expect.stringContaining('ECONNREFUSED') });
  await save();
  const { pool } = home.service.context;
  const { rows } = await pool.query(
    'update recipients set mail_lease_until = null where form_id = $1 returning mail_tries',
    [form.id],
  );
  expect(rows).toEqual([{ mail_tries: 0 }]);
  await pool.query(`select graphile_worker.add_job('send_recipient_mails')`);
  await mails(team, 1);
  await until(async () => (await recipients())[0].status === 'mailed', { what: 'the note' });
  expect((await recipients())[0].mail_problem).toBeNull();
});

test('one that puts a mail off for now, or refuses it for good, is heard as the service’s is', async () => {
  await save();
  team.refusals.set(OWNER, '451 4.7.1 greylisted');
  team.refusals.set('ada@example.net', '550 nobody here');
  const [first, second] = [await notification(), await confirmation()];
  await submit();
  const last = ({ id }: any) =>
    until(async () => {
      const { body } = await integrations('GET', undefined, `/${id}/deliveries`);
      return body[0]?.attempts === 1 && body[0];
    });
  expect(await last(first)).toMatchObject({ state: 'pending', last_attempt: { status_code: 451 } });
  expect(await last(second)).toMatchObject({ state: 'exhausted', last_attempt: { status_code: 550 } });
});

describe('a test mail', () => {
  const tried = (more: object = {}) =>
    home.call('POST', `${pathOf(workspaceId)}/test`, aMailServer(team, more));

  test('goes to the caller by settings that need not be saved, and says what the server answered', async () => {
    expect((await tried()).body).toEqual({
      type: 'success',
      message: `The mail server took the mail to ${home.ada.email}: 250 taken`,
      status_code: 250,
      failure: null,
    });
    expect(team.mails[0]?.text).toContain('From: "Team: A (B)" <team@example.org>\n');
    expect(team.client).toBe('[127.0.0.1]');
    expect((await home.call('GET', pathOf(workspaceId))).body.mail_server).toBeNull();

    team.refusals.set(home.ada.email, '554 5.7.1 not from here');
    expect((await tried()).body).toMatchObject({
      type: 'error',
      message: expect.stringContaining('554 5.7.1 not from here'),
      status_code: 554,
    });
    expect((await tried({ port: 1 })).body).toEqual({
      type: 'error',
      message: expect.stringContaining('ECONNREFUSED'),
      status_code: null,
      failure: 'mail_server_failed',
    });
    // It says yes to everything.
    expect((await tried({ security: 'starttls' })).body.message).toBe(
      'The mail server of this workspace could not be used: The secure connection could not be established: wrong version number.',
    );
  });
});

describe('settings', () => {
  test('are shown to admins, without the password', async () => {
    const login = { security: 'tls', user_name: 'team', password: 'a secret word' };
    const saved = await save(login);
    const { port } = aMailServer(team);
    expect(saved.body.mail_server).toEqual({
      host: '127.0.0.1',
      port,
      security: 'tls',
      user_name: 'team',
      has_password: true,
      sender_address: 'team@example.org',
      sender_name: 'Team: A (B)',
    });
    const read = await home.call('GET', pathOf(workspaceId));
    expect(read.body).toEqual({ mail_server: saved.body.mail_server, service_sends_mail: true });
    const log = await home.call('GET', `/open/workspaces/${workspaceId}/audit-log`);
    expect(log.body[0]).toMatchObject({ verb: 'mail_server.changed', details: { host: '127.0.0.1', port } });
    const { rows } = await home.service.context.pool.query('select * from workspace_mail_servers');
    for (const text of [saved.text, read.text, log.text, JSON.stringify(rows)])
      expect(text).not.toContain('a secret word');
    expect(rows.some(({ password_encrypted: sealed }) => sealed?.includes('a secret word'))).toBe(false);

    const list = await home.call('GET', '/open/workspaces');
    expect(list.body.every(({ mail_is_set_up }: any) => mail_is_set_up)).toBe(true);
    const user = await home.newMember('user', workspaceId);
    expectRefused(await home.call('GET', pathOf(workspaceId), undefined, user.token), 403);
  });

  test('keep the password only for the same sign-in', async () => {
    const login = { security: 'tls', user_name: 'team' };
    expectInvalid(await save(login), 'password');
    await save({ ...login, password: 'a secret word' });
    expect((await save({ ...login, sender_name: null })).body.mail_server).toMatchObject({
      has_password: true,
      sender_name: null,
    });
    expectInvalid(await save({ ...login, host: 'localhost' }), 'password');
    expectInvalid(await save({ ...login, port: 25 }), 'password');
    expectInvalid(await save({ ...login, security: 'starttls' }), 'password');
    expectInvalid(await save({ ...login, user_name: 'other' }), 'password');
    expectInvalid(await save({ ...login, security: 'none' }), 'password', 'user_name');
    const test = `${pathOf(workspaceId)}/test`;
    expectInvalid(await home.call('POST', test, aMailServer(team, { ...login, port: 26 })), 'password');
    expect((await save({ security: 'tls' })).body.mail_server).toMatchObject({ has_password: false });
    expectInvalid(await save(login), 'password');
  });

  test.each([
    [{ host: '10.1.2.3' }, 'host'],
    [{ host: '169.254.169.254' }, 'host'],
    [{ host: 'metadata.google.internal' }, 'host'],
    [{ host: 'mail' }, 'host'],
    [{ host: 'user@mail.example.org' }, 'host'],
    [{ host: 'mail.example.org/x' }, 'host'],
    [{ host: 'mail.example.org:25' }, 'host'],
    [{ host: 'a b' }, 'host'],
    [{ port: 0 }, 'port'],
    [{ port: 65_536 }, 'port'],
    [{ security: 'maybe' }, 'security'],
    [{ sender_address: 'team' }, 'sender_address'],
    [{ sender_address: 'team@example.org, b@example.org' }, 'sender_address'],
    [{ sender_address: 'team@example.org\r\nBcc: b@example.org' }, 'sender_address'],
    [{ sender_name: 'Team\r\nBcc: b@example.org' }, 'sender_name'],
    [{ security: 'tls', user_name: 'a\nb', password: 'x' }, 'user_name'],
    [{ security: 'tls', user_name: 'a', password: 'x\ny' }, 'password'],
  ])('%j are refused', async (more, key) => {
    expectInvalid(await save(more), key);
  });

  test('may name hosts in any way that means a name or an address', async () => {
    const host = async (text: string) => (await save({ host: text })).body.mail_server.host;
    expect(await host(' Mail.Example.ORG. ')).toBe('mail.example.org');
    expect(await host('müller.example')).toBe('xn--mller-kva.example');
    expect(await host('::1')).toBe('::1');
  });

  test('are deleted with the workspace', async () => {
    await save();
    expect((await home.call('DELETE', `/open/workspaces/${workspaceId}`)).status).toBe(200);
    const { rows } = await home.service.context.pool.query(
      'select from workspace_mail_servers where workspace_id = $1',
      [workspaceId],
    );
    expect(rows).toEqual([]);
  });
});
