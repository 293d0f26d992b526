import { afterEach, beforeEach, expect, test } from 'vitest';
import { aMember, aUser, aWorkspace, TEXT_FIELD_ID } from '../setup/factories.ts';
import { expectInvalid, useHome } from '../setup/home.ts';
import { runAllJobs } from '../setup/run-jobs.ts';
import { startService } from '../setup/service.ts';
import { useSmtpServer } from '../setup/smtp-server.ts';

const smtp = useSmtpServer();
const home = useHome(() => ({
  env: { ROLES: 'http', SMTP_URL: smtp.url, MAIL_FROM: 'forms@example.org', REGISTRATION: 'open' },
}));
const query = (text: string, values: unknown[] = []) => home.service.context.pool.query(text, values);

let workspace: number;
beforeEach(async () => {
  smtp.mails.length = 0;
  smtp.refusals.clear();
  workspace = await aWorkspace(home.service, home.ada, 'Riverside <b>Museum</b>');
});
afterEach(() => query('delete from summary_mails'));

const path = () => `/open/workspaces/${workspace}/summary-mails`;
async function choose(every: string | null, token?: string): Promise<void> {
  const answer = await home.call('PUT', path(), { every }, token);
  expect(answer.status, answer.text).toBe(200);
}
async function read(token?: string): Promise<unknown> {
  return (await home.call('GET', path(), undefined, token)).body;
}

/** Lets the day or week end that runs now, and does what the queue does each hour. */
async function turn(): Promise<void> {
  await query(`update summary_mails set told_to = told_to - case every when 'day' then 1 else 7 end`);
  await again();
}

async function again(): Promise<void> {
  await query(`select graphile_worker.add_job('send_summaries', max_attempts => 1)`);
  await runAllJobs(home.service.context);
}

/** A form with so many answers of the last day that is over. */
async function aFormOfYesterday(title: string, count: number) {
  const form = await home.form({ workspace_id: workspace, title });
  for (let n = 0; n < count; n++) await home.submit(form, { [TEXT_FIELD_ID]: `Answer ${n}` });
  await query(`update submissions set created_at = now() - interval '30 hours' where form_id = $1`, [
    form.id,
  ]);
  return form;
}

test('whoever wants it is mailed the figures of the day and what needs attention, once', async () => {
  expect(await read()).toEqual({ every: null, can_mail: true });
  await choose('day');
  expect(await read()).toEqual({ every: 'day', can_mail: true });
  const form = await aFormOfYesterday('Visitors & <i>guests</i>', 3);
  await home.call('PUT', `/open/forms/${form.id}`, {
    closes_at: new Date(Date.now() + 86_400_000).toISOString(),
  });
  await again();
  expect(smtp.mails).toEqual([]);

  await turn();
  const [mail] = smtp.mails;
  expect(mail?.recipients).toEqual([home.ada.email]);
  expect(mail?.text).toMatch(/^Riverside <b>Museum<\/b>: 3 responses on \w+ \d+, \d{4}$/m);
  expect(mail?.text).toContain('Completed: 3 (0 the day before)');
  expect(mail?.text).toContain('Visitors & <i>guests</i>: 3 (+3)');
  expect(mail?.text).toContain('Visitors & <i>guests</i>: closes on ');
  expect(mail?.text).toContain(`${home.service.url}/workspaces/${workspace}/overview`);
  const html = mail?.text.slice(mail.text.indexOf('<!doctype html>')) ?? '';
  expect(html).toContain('Visitors &amp; &lt;i&gt;guests&lt;/i&gt;: 3 (+3)');
  expect(html).not.toMatch(/<b>|<i>/);
  await again();
  expect(smtp.mails).toHaveLength(1);

  await choose(null);
  await turn();
  expect(smtp.mails).toHaveLength(1);
});

test('nothing is mailed about a time in which nothing happened', async () => {
  await home.form({ workspace_id: workspace });
  await choose('week');
  await turn();
  expect(smtp.mails).toEqual([]);
  const { rows } = await query('select told_to from summary_mails where workspace_id = $1', [workspace]);
  expect(rows[0].told_to.getDay()).toBe(0);
});

test('who reads only hears nothing of integrations; who has left, nothing at all', async () => {
  const reader = await aUser(home.service, { name: 'Grace' });
  await aMember(home.service, home.ada, workspace, reader, 'readonly');
  await choose('day', reader.token);
  await choose('day');
  const form = await aFormOfYesterday('Visitors', 1);
  await home.call('POST', `/open/forms/${form.id}/integrations`, {
    integration_id: 'webhook',
    data: { webhook_url: 'https://example.com/hook' },
  });
  await query(
    `update integrations set status = 'inactive', inactive_reason = 'It is gone.' where form_id = $1`,
    [form.id],
  );
  await turn();
  const textTo = (email: string) =>
    smtp.mails.find(({ recipients }) => recipients.includes(email))?.text ?? '';
  expect(textTo(home.ada.email)).toContain('Visitors: an integration has stopped. It is gone.');
  expect(textTo(reader.email)).toContain('Completed: 1');
  expect(textTo(reader.email)).not.toContain('integration');

  await home.call('DELETE', `/open/workspaces/${workspace}/users/${reader.id}/remove`);
  smtp.mails.length = 0;
  await turn();
  expect(textTo(reader.email)).toBe('');
});

test('what the server refuses is tried again', async () => {
  await choose('day');
  await aFormOfYesterday('Visitors', 1);
  smtp.refusals.set(home.ada.email, '451 4.3.0 Later');
  await turn();
  expect(smtp.mails).toEqual([]);
  smtp.refusals.clear();
  await again();
  expect(smtp.mails).toHaveLength(1);
});

test('an address that is refused for good keeps back nobody else', async () => {
  const gone = await aUser(home.service, { name: 'Gone' });
  await aMember(home.service, home.ada, workspace, gone, 'user');
  await choose('day', gone.token);
  await choose('day');
  await aFormOfYesterday('Visitors', 1);
  smtp.refusals.set(gone.email, '550 5.1.1 No such user');
  await turn();
  expect(smtp.mails.map(({ recipients }) => recipients)).toEqual([[home.ada.email]]);
  smtp.refusals.clear();
  await again();
  expect(smtp.mails).toHaveLength(1);
  await turn();
  expect(smtp.mails.map(({ recipients }) => recipients)).toContainEqual([gone.email]);
});

test('without a mail server nobody can ask for one, or is forgotten', async () => {
  await choose('week');
  const silent = await startService({
    database: home.service.database,
    dataDir: home.service.dataDir,
    env: { ROLES: 'http' },
  });
  try {
    const call = (method: string, body?: unknown) =>
      silent.request(method, path(), { token: home.ada.token, body });
    expect((await call('GET')).body).toEqual({ every: 'week', can_mail: false });
    expectInvalid(await call('PUT', { every: 'day' }), 'every');
    expect((await call('PUT', { every: null })).status).toBe(200);
  } finally {
    await silent.stop();
  }
  expectInvalid(await home.call('PUT', path(), { every: 'hour' }), 'every');
});
