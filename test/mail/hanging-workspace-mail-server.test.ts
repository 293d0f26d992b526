import { expect, test } from 'vitest';
import { aTextField, aWorkspace } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { type SmtpServer, useSmtpServer } from '../setup/smtp-server.ts';
import { until } from '../setup/until.ts';
import { aMailServer, mailServerPath } from './mail-server.ts';

/** As many mails as one process sends at first through a server at a time. */
const AT_ONCE = 2;

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
