import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterAll, expect, test, vi } from 'vitest';
import { useHome } from '../setup/home.ts';
import { until } from '../setup/until.ts';

const DRIP_MS = 20;
/** The time limit of a server for one mail. */
const LIMIT_MS = 20_000;
const SHORT_LIMIT_MS = 500;

/** Greets, but then never completes an answer. */
let smtp: Server;
const open = new Set<Socket>();
let connections = 0;
const { timeout } = AbortSignal;
vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout(ms === LIMIT_MS ? SHORT_LIMIT_MS : ms));

const home = useHome(async () => {
  smtp = createServer((socket) => {
    connections += 1;
    open.add(socket);
    const drip = setInterval(() => socket.write('250-AND-MORE\r\n'), DRIP_MS);
    socket.on('error', () => {});
    socket.on('close', () => {
      clearInterval(drip);
      open.delete(socket);
    });
    socket.write('220 test\r\n');
    socket.resume();
  }).listen(0, '127.0.0.1');
  await once(smtp, 'listening');
  return { env: { SMTP_URL: `smtp://127.0.0.1:${(smtp.address() as AddressInfo).port}` } };
});
afterAll(() => {
  vi.restoreAllMocks();
  smtp.close();
});

test('a job that mails ends when the server does not come to an end, and is repeated', async () => {
  const answer = await home.call('POST', '/password/link', { email: home.ada.email }, null);
  expect(answer.status, answer.text).toBe(200);
  await until(() => connections > 0, { what: 'a connection' });
  await until(() => open.size === 0, { what: 'the end of the connection' });
  const { pool } = home.service.context;
  const waiting = `select last_error from graphile_worker.jobs where task_identifier = 'mail_password_link' and locked_at is null`;
  const error = await until(async () => (await pool.query(waiting)).rows[0]?.last_error, { what: 'the job' });
  expect(error).toContain('The mail server did not take the mail in time.');
});

test('a mail of a form that is given up leaves no connection behind', async () => {
  const form = await home.form();
  const path = `/open/forms/${form.id}/integrations`;
  const settings = { integration_id: 'email', data: { recipients: ['owner@example.org'] } };
  const { id } = (await home.call('POST', path, settings)).body.form_integration;
  const tried = await home.call('POST', `${path}/${id}/test`);
  expect(tried.body.failure).toMatchObject({ reason: 'mail_server_timeout' });
  await until(() => open.size === 0, { what: 'the end of the connection' });
});
