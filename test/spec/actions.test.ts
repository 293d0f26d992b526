import { expect, test } from 'vitest';
import { aWorkspace } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { aWebhookReceiver } from '../setup/webhook-receiver.ts';

const home = useHome();

/** Does something as Ada, and returns what the answer has besides `type` and `message`. */
async function done(method: string, path: string, body?: unknown): Promise<any> {
  const answer = await home.call(method, path, body);
  const { type, message, ...rest } = answer.body;
  expect([answer.status, type, typeof message], `${method} ${path} ${answer.text}`).toEqual([
    200,
    'success',
    'string',
  ]);
  expect(Object.keys(answer.body).slice(0, 2)).toEqual(['type', 'message']);
  return rest;
}

test('what is done to a workspace, its members and invites', async () => {
  const { workspace_id } = await done('POST', '/open/workspaces/create', { name: 'Team' });
  const path = `/open/workspaces/${workspace_id}`;
  await done('PUT', path, { name: 'Our team' });
  const grace = await home.newMember('user');
  await done('POST', `${path}/users/add`, { email: grace.email, role: 'user' });
  const { invite } = await done('POST', `${path}/users/add`, { email: 'new@example.com', role: 'user' });
  await done('POST', `${path}/invites/${invite.id}/resend`);
  await done('DELETE', `${path}/invites/${invite.id}/cancel`);
  await done('PUT', `${path}/users/${grace.id}/update-role`, { role: 'admin' });
  await done('DELETE', `${path}/users/${grace.id}/remove`);
  const left = await aWorkspace(home.service, grace);
  const added = await home.call(
    'POST',
    `/open/workspaces/${left}/users/add`,
    { email: home.ada.email, role: 'readonly' },
    grace.token,
  );
  expect(added.status, added.text).toBe(200);
  await done('POST', `/open/workspaces/${left}/leave`);
  await done('DELETE', path);
});

test('what is done to a form and its submissions', async () => {
  const form = await home.form({ properties: [{ id: 'name', type: 'text', name: 'Name' }] });
  const path = `/open/forms/${form.id}`;
  await done('PUT', path, { title: 'Another' });
  await done('POST', `${path}/duplicate`);
  await done('PUT', `${path}/regenerate-link/slug`);
  for (const name of ['Ada', 'Grace', 'Edsger']) await home.submit({ slug: form.uuid }, { name });
  const [last, middle, first] = await home.records(form);
  await done('PUT', `${path}/submissions/${last.id}`, { name: 'E. W.' });
  await done('DELETE', `${path}/submissions/${last.id}`);
  await done('POST', `${path}/submissions/multi`, { submissionIds: [middle.id, first.id] });
});

test('what is done to integrations, deliveries and hooks', async () => {
  const receiver = await aWebhookReceiver();
  const form = await home.form();
  const path = `/open/forms/${form.id}/integrations`;
  const data = { webhook_url: receiver.url };
  const { form_integration } = await done('POST', path, { integration_id: 'webhook', data });
  const own = `${path}/${form_integration.id}`;
  await done('PUT', own, { integration_id: 'webhook', data: {} });
  await done('POST', `${own}/test`);
  await home.submit(form, {});
  await receiver.received(2);
  const [delivery] = (await home.call('GET', `${own}/deliveries`)).body;
  await done('POST', `${own}/deliveries/${delivery.id}/replay`);
  await done('POST', `${own}/deliveries/replay`, { since: '2020-01-01' });
  await done('DELETE', own);
  for (const group of ['/external/partner', '/external/zapier']) {
    await done('POST', `${group}/webhook`, { hookUrl: receiver.url, form_id: form.id });
    await done('DELETE', `${group}/webhook`, { hookUrl: receiver.url, form_id: form.id });
  }
});
