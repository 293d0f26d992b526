import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, expect, test, vi } from 'vitest';
import { createMailerOf, type MailServer } from '../../server/mail/mail-servers.ts';
import { openMailer } from '../../server/mail/mailer.ts';
import { parseAllowedNetworks } from '../../server/outbound/address.ts';
import { createSecretBox } from '../../server/secret-box.ts';
import { recordConnectionAttempts } from '../deliveries/receivers.ts';
import { SELF_SIGNED_CERTIFICATE, SELF_SIGNED_KEY } from '../deliveries/self-signed.ts';
import { expectInvalid, useHome } from '../setup/home.ts';
import { startService } from '../setup/service.ts';
import { useSmtpServer } from '../setup/smtp-server.ts';
import { aMailServer, mailServerPath } from './mail-server.ts';

const LOGIN = { user: 'team', password: 'a secret word' };
const smtp = useSmtpServer({ tls: { key: SELF_SIGNED_KEY, cert: SELF_SIGNED_CERTIFICATE }, login: LOGIN });
const home = useHome();

const usual = getCACertificates('default');
const trust = () => setDefaultCACertificates([...usual, SELF_SIGNED_CERTIFICATE]);
afterEach(() => {
  setDefaultCACertificates(usual);
  vi.restoreAllMocks();
});

function tried(more: object = {}) {
  const login = { host: 'localhost', security: 'tls', user_name: LOGIN.user, password: LOGIN.password };
  const body = aMailServer(smtp, { ...login, ...more });
  return home.call('POST', `${mailServerPath(home.workspaceId)}/test`, body);
}

test('nothing is sent to a server whose certificate is not trusted, or is for another name', async () => {
  expect((await tried()).body).toMatchObject({
    type: 'error',
    message: expect.stringContaining('self-signed certificate'),
  });
  trust();
  expect((await tried({ host: '127.0.0.1' })).body.message).toContain('does not match certificate');
  expect(smtp.mails).toEqual([]);
});

test('it is signed in to, and what it says of a wrong password is shown without the password', async () => {
  trust();
  const info = vi.spyOn(home.service.context.log, 'info');
  expect((await tried()).body).toMatchObject({ type: 'success' });
  expect(smtp.mails).toHaveLength(1);
  const password = 'another secret word';
  const { body, text } = await tried({ password });
  expect(body).toMatchObject({ type: 'error', failure: 'mail_server_failed' });
  expect(body.message).toContain('535 5.7.8 unknown:  team ********');
  const told = text + JSON.stringify(info.mock.calls.map(([fields]: any[]) => Object.entries(fields.err)));
  for (const secret of [password, Buffer.from(`\0team\0${password}`).toString('base64')])
    expect(told).not.toContain(secret);
  expect(info).toHaveBeenCalledWith(
    expect.objectContaining({ workspaceId: home.workspaceId, command: 'AUTH PLAIN' }),
    'the mail server of a workspace could not be used',
  );
  expect((await tried({ user_name: null, password: null })).body.message).toContain(
    '530 5.7.0 sign in first',
  );
});

test('where the operator opened no private network, only ports of mail on public addresses are taken', async () => {
  const { database, dataDir } = home.service;
  const strict = await startService({ env: { WEBHOOK_ALLOWED_NETWORKS: '' }, database, dataDir });
  try {
    const put = (more: object) =>
      strict.request('PUT', mailServerPath(home.workspaceId), {
        token: home.ada.token,
        body: aMailServer(smtp, { host: 'mail.example.org', port: 587, ...more }),
      });
    for (const host of ['127.0.0.1', 'localhost', '::1', '10.0.0.1', '2130706433', '0x7f.1'])
      expectInvalid(await put({ host }), 'host');
    expectInvalid(await put({ port: 6379 }), 'port');
    expect((await put({})).status).toBe(200);
  } finally {
    await strict.stop();
  }
});

test.each([
  ['10.0.0.1', 587, ''],
  ['127.0.0.1', 587, ''],
  ['169.254.169.254', 25, '127.0.0.0/8'],
  // Public, but no port of mail.
  ['1.1.1.1', 6379, '127.0.0.0/8'],
])('no connection leaves for a name that leads to %s, port %i', async (address, port, allowed) => {
  const attempts = recordConnectionAttempts();
  const mailerOf = createMailerOf({
    mailer: await openMailer(null, null, () => ''),
    secrets: createSecretBox(Buffer.alloc(32)),
    allowedNetworks: parseAllowedNetworks(allowed),
    baseUrl: () => 'http://forms.example.org',
    lookup: async () => [address],
  });
  const server: MailServer = {
    workspaceId: 1,
    host: 'mail.example.org',
    port,
    security: 'none',
    userName: null,
    password: null,
    senderAddress: 'team@example.org',
    senderName: null,
  };
  const sent = mailerOf(server).send({ to: 'ada@example.org', subject: 'Hello', text: 'Hello' });
  await expect(sent).rejects.toMatchObject({ reason: 'blocked_address' });
  expect(attempts).toEqual([]);
});
