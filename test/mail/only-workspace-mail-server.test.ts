import { expect, test } from 'vitest';
import { aForm, aTextField, aWorkspace } from '../setup/factories.ts';
import { expectInvalid, useHome } from '../setup/home.ts';
import { useSmtpServer } from '../setup/smtp-server.ts';
import { until } from '../setup/until.ts';
import { aMailServer, mailServerPath } from './mail-server.ts';

/** A service without a mail server. */
const home = useHome();
const team = useSmtpServer();

/** A form with a mail to its owner and a recipient. */
async function aMailingForm(workspaceId: number) {
  const form = await aForm(home.service, home.ada, workspaceId, { properties: [aTextField()] });
  const settings = { integration_id: 'email', data: { recipients: ['owner@example.org'] } };
  const path = `/open/forms/${form.id}`;
  const { body } = await home.call('POST', `${path}/integrations`, settings);
  await home.call('POST', `${path}/recipients`, { recipients: [{ email: 'bob@example.org' }] });
  return { form, path, integration: body.form_integration };
}

async function aWorkspaceOfTeam(): Promise<number> {
  const workspaceId = await aWorkspace(home.service, home.ada);
  await home.call('PUT', mailServerPath(workspaceId), aMailServer(team));
  return workspaceId;
}

const INVITATION = { kind: 'invitation', subject: 'Hello', text: 'Please answer.' };

test('a workspace with a mail server sends what has waited and whatever comes, all others wait', async () => {
  const { form, path, integration } = await aMailingForm(home.workspaceId);
  const other = await aMailingForm(await aWorkspace(home.service, home.ada));
  const tests = `${path}/integrations/${integration.id}/test`;
  expect(integration.notice).toContain('SMTP_URL');
  expect((await home.call('POST', tests)).body.message).toContain('SMTP_URL');
  expectInvalid(await home.call('POST', `${path}/recipients/mails`, INVITATION), 'kind');
  expect((await home.call('GET', `${path}/personal-links`)).body.mail_is_set_up).toBe(false);
  await home.submit(form, {});
  await home.submit(other.form, {});

  await home.call('PUT', mailServerPath(home.workspaceId), aMailServer(team));
  await until(() => team.mails.length === 1, { what: 'the mail that waited' });
  const read = await home.call('GET', `${path}/integrations/${integration.id}`);
  expect(read.body.notice).toBeNull();
  expect((await home.call('POST', tests)).body.message).toBe('The mail server answered with 250.');
  expect((await home.call('GET', `${path}/personal-links`)).body.mail_is_set_up).toBe(true);
  expect((await home.call('POST', `${path}/recipients/mails`, INVITATION)).body.queued).toBe(1);
  await until(() => team.mails.length === 3, { what: 'the invitation' });

  const workspaces = await home.call('GET', '/open/workspaces');
  expect(
    workspaces.body
      .filter(({ id }: any) => [home.workspaceId, other.form.workspace_id].includes(id))
      .map(({ mail_is_set_up }: any) => mail_is_set_up),
  ).toEqual([true, false]);
  expectInvalid(await home.call('POST', `${other.path}/recipients/mails`, INVITATION), 'kind');
  const deliveries = `${other.path}/integrations/${other.integration.id}/deliveries`;
  expect((await home.call('GET', deliveries)).body).toMatchObject([{ state: 'pending', attempts: 0 }]);
});

test('a recipient whose address is corrected gets the invitation again through the workspace’s server', async () => {
  const { path } = await aMailingForm(await aWorkspaceOfTeam());
  team.mails.length = 0;
  await home.call('POST', `${path}/recipients/mails`, INVITATION);
  await until(() => team.mails.length === 1, { what: 'the invitation' });
  const [bob] = (await home.call('GET', `${path}/recipients`)).body.data;
  const recipients = [{ id: bob.id, email: 'bob@example.com' }];
  const corrected = await home.call('POST', `${path}/recipients/correct`, { recipients });
  expect(corrected.body).toMatchObject({ new_links: 1, queued: 1 });
  await until(() => team.mails.length === 2, { what: 'the invitation to the right address' });
  expect(team.mails[1]?.recipients).toEqual(['bob@example.com']);
});

test('mails about accounts still have no server', async () => {
  await home.call('PUT', mailServerPath(home.workspaceId), aMailServer(team));
  expect((await home.call('GET', '/user')).body.service_sends_mail).toBe(false);
  expectInvalid(await home.call('POST', '/password/link', { email: home.ada.email }, null), 'email');
  const invited = await home.call('POST', `/open/workspaces/${home.workspaceId}/users/add`, {
    email: 'new@example.org',
    role: 'user',
  });
  expect(invited.body.invite_link).toContain('http');
});
