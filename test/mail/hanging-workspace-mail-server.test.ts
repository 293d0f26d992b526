import { expect, test } from 'vitest';
import { aField, aTextField, aWorkspace } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { type SmtpServer, useSmtpServer } from '../setup/smtp-server.ts';
import { until } from '../setup/until.ts';
import { aMailServer, mailServerPath } from './mail-server.ts';

/** As many mails as one process sends at first through a server at a time. */
const AT_ONCE = 2;
const EMAIL = aField('e1', 'email', 'E-mail');

const service = useSmtpServer();
const hanging = useSmtpServer();
const team = useSmtpServer();
const home = useHome(() => ({ env: { SMTP_URL: service.url, MAIL_FROM: 'forms@example.org' } }));

async function aWorkspaceWith(smtp: SmtpServer): Promise<number> {
  const workspaceId = await aWorkspace(home.service, home.ada);
  await home.call('PUT', mailServerPath(workspaceId), aMailServer(smtp));
  return workspaceId;
}

async function notify(workspace_id: number): Promise<void> {
  const form = await home.form({ workspace_id, properties: [aTextField()] });
  const settings = { integration_id: 'email', data: { recipients: ['owner@example.org'] } };
  await home.call('POST', `/open/forms/${form.id}/integrations`, settings);
  await home.submit(form, {});
}

async function invite(workspace_id: number): Promise<void> {
  const form = await home.form({ workspace_id, properties: [aTextField()] });
  const path = `/open/forms/${form.id}/recipients`;
  await home.call('POST', path, { recipients: [{ email: 'bob@example.org' }] });
  const mail = { kind: 'invitation', subject: 'Hello', text: 'Please answer.' };
  expect((await home.call('POST', `${path}/mails`, mail)).body).toMatchObject({ queued: 1 });
}

test('a workspace’s server that does not answer holds up no mails of others, but all that go through it', async () => {
  const answered = Promise.withResolvers<void>();
  hanging.meanwhile = () => answered.promise;
  const held = await aWorkspaceWith(hanging);
  const free = await aWorkspaceWith(team);
  for (let count = 0; count < AT_ONCE; count++) await notify(held);
  await until(() => hanging.mails.length === AT_ONCE, { what: 'the mails that hang' });
  await notify(held);
  await invite(held);
  await until(() => hanging.mails.length === AT_ONCE + 1, { what: 'the invitation that hangs' });

  await notify(free);
  await notify(home.workspaceId);
  await invite(free);
  await invite(home.workspaceId);
  await until(() => team.mails.length === 2 && service.mails.length === 2, { what: 'the mails of others' });
  expect(hanging.mails).toHaveLength(AT_ONCE + 1);
  answered.resolve();
  await until(() => hanging.mails.length === AT_ONCE + 2, { what: 'the mail that waited' });
});

async function aFormThatAsksToConfirm(workspace_id: number) {
  return home.form({ workspace_id, properties: [EMAIL], settings: { confirms_email: EMAIL.id } });
}

test('mails that ask to confirm an address leave a place for other jobs, though they are due together', async () => {
  const answered = Promise.withResolvers<void>();
  const before = hanging.mails.length;
  hanging.meanwhile = () => answered.promise;
  const form = await aFormThatAsksToConfirm(await aWorkspaceWith(hanging));
  const others = await aFormThatAsksToConfirm(home.workspaceId);
  const { pool } = home.service.context;
  const counting = await pool.connect();
  try {
    // All three reach the count of the form's mails before any of them is sent.
    await counting.query('begin');
    await counting.query(
      `insert into mail_counts (form_id, counted, since, count) values ($1, 'unconfirmed', date_trunc('hour', now(), 'UTC'), 1)`,
      [form.id],
    );
    for (const name of ['ann', 'bob', 'eve']) await home.submit(form, { [EMAIL.id]: `${name}@example.org` });
    const due = `select from graphile_worker._private_jobs where locked_at is null and run_at <= now()
      and task_id = (select id from graphile_worker._private_tasks where identifier = 'mail_confirmation')`;
    await until(async () => (await pool.query(due)).rowCount === 0, { what: 'the start of the jobs' });
    await counting.query('commit');
  } finally {
    counting.release();
  }
  await until(() => hanging.mails.length > before, { what: 'the mail that hangs' });
  await home.submit(others, { [EMAIL.id]: 'zoe@example.org' });
  await until(() => service.mails.some(({ recipients }) => recipients.includes('zoe@example.org')), {
    what: 'the mail of others',
    withinMs: 10_000,
  });
  expect(hanging.mails).toHaveLength(before + 1);
  hanging.meanwhile = null;
  answered.resolve();
  await until(() => hanging.mails.length === before + 3, { what: 'the mails that waited' });
});

test('the operator’s server leaves a place for other jobs while it does not answer', async () => {
  const answered = Promise.withResolvers<void>();
  const free = await aWorkspaceWith(team);
  const [form, others] = [await aFormThatAsksToConfirm(home.workspaceId), await aFormThatAsksToConfirm(free)];
  const [before, atTeam] = [service.mails.length, team.mails.length];
  service.meanwhile = () => answered.promise;
  const people = ['kim', 'lea', 'max'].map((name) => `${name}@example.org`);
  for (const email of people) await home.submit(form, { [EMAIL.id]: email });
  await until(() => service.mails.length > before, { what: 'the mail that hangs' });
  await home.submit(others, { [EMAIL.id]: 'zoe@example.org' });
  await until(() => team.mails.length > atTeam, { what: 'the mail of others', withinMs: 10_000 });

  for (const email of people)
    await home.call('POST', `/open/workspaces/${home.workspaceId}/users/add`, { email, role: 'user' });
  await until(() => service.mails.length === before + 2, { what: 'the invite that hangs' });
  const { pool } = home.service.context;
  await pool.query(`select graphile_worker.add_job('forget_traces', job_key => 'another')`);
  const another = `select from graphile_worker.jobs where key = 'another'`;
  await until(async () => (await pool.query(another)).rowCount === 0, { what: 'another job' });
  expect(service.mails).toHaveLength(before + 2);
  service.meanwhile = null;
  answered.resolve();
  await until(() => service.mails.length === before + 6, { what: 'the mails that waited', withinMs: 20_000 });
});
