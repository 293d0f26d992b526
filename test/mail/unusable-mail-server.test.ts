import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterAll, expect, test, vi } from 'vitest';
import { useHome } from '../setup/home.ts';

/** Knows nobody who wants to send. */
let smtp: Server;
const home = useHome(async () => {
  smtp = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (line) =>
      socket.write(`${String(line).startsWith('AUTH') ? '535 ada@example.org' : '250 AUTH PLAIN'}\r\n`),
    );
    socket.write('220 test\r\n');
  }).listen(0, '127.0.0.1');
  await once(smtp, 'listening');
  return { env: { SMTP_URL: `smtp://user:secret@127.0.0.1:${(smtp.address() as AddressInfo).port}` } };
});
afterAll(() => {
  vi.restoreAllMocks();
  smtp.close();
});

test('why the mail server cannot be used is in the log, once a minute and without its words', async () => {
  const { log } = home.service.context;
  const warn = vi.spyOn(log, 'warn');
  const form = await home.form();
  const path = `/open/forms/${form.id}/integrations`;
  const settings = { integration_id: 'email', data: { recipients: ['owner@example.org'] } };
  const { id } = (await home.call('POST', path, settings)).body.form_integration;
  for (let tests = 0; tests < 2; tests++) {
    const tried = await home.call('POST', `${path}/${id}/test`);
    expect(tried.body.failure).toMatchObject({ reason: 'mail_server_failed' });
  }
  const err = expect.objectContaining({ code: 'EAUTH', responseCode: 535 });
  expect(warn.mock.calls).toEqual([[{ err, command: 'AUTH PLAIN' }, 'the mail server could not be used']]);
});
