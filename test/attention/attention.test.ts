import { expect, test } from 'vitest';
import { aTextField, aWorkspace, TEXT_FIELD_ID } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { aWebhookReceiver } from '../setup/webhook-receiver.ts';

const home = useHome({ env: { OUTBOUND_ALLOW_PRIVATE: 'true' } });
const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
const query = (text: string, values: unknown[]) => home.service.context.pool.query(text, values);
const SPAM = 'See https://a.example, https://b.example, http://c.example/x and www.d.example';

async function attention(workspaceId: number, token?: string): Promise<any[]> {
  const answer = await home.call('GET', `/open/workspaces/${workspaceId}/attention`, undefined, token);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.data;
}

async function withWebhook(form: { id: number }, url: string): Promise<number> {
  const path = `/open/forms/${form.id}/integrations`;
  const data = { webhook_url: url };
  const made = await home.call('POST', path, { integration_id: 'webhook', status: 'active', data });
  expect(made.status, made.text).toBe(200);
  return (await home.call('GET', path)).body[0].id;
}

test('a workspace where all is well asks for none', async () => {
  const workspace_id = await aWorkspace(home.service, home.ada, 'Well');
  const form = await home.form({ workspace_id, closes_at: inDays(8), max_submissions_count: 5 });
  await home.submit(form, {});
  expect(await attention(workspace_id)).toEqual([]);
});

test('forms that are full or close soon, until that is changed', async () => {
  const workspace_id = await aWorkspace(home.service, home.ada, 'Closing');
  const soon = inDays(6.9);
  const closing = await home.form({ workspace_id, title: 'Closing', closes_at: soon });
  const full = await home.form({ workspace_id, title: 'Full', closes_at: soon, max_submissions_count: 1 });
  const closed = await home.form({ workspace_id, max_submissions_count: 1 });
  const gone = await home.form({ workspace_id, closes_at: soon });
  await home.submit(full, {});
  await home.submit(closed, {});
  await home.call('PUT', `/open/forms/${closed.id}`, { visibility: 'closed' });
  await home.call('POST', `/open/forms/${gone.id}/trash`);
  await home.form({ workspace_id, visibility: 'draft', closes_at: soon });
  await home.form({ workspace_id, closes_at: inDays(-1) });
  expect(await attention(workspace_id)).toEqual([
    { kind: 'form_full', form: { id: full.id, title: 'Full' } },
    { kind: 'form_closing', form: { id: closing.id, title: 'Closing' }, closes_at: soon },
  ]);
  await home.call('PUT', `/open/forms/${full.id}`, { max_submissions_count: 2, closes_at: null });
  await home.call('PUT', `/open/forms/${closing.id}`, { closes_at: inDays(30) });
  expect(await attention(workspace_id)).toEqual([]);
});

test('answers that wait: suspected spam, and what a team has not decided about', async () => {
  const workspace_id = await aWorkspace(home.service, home.ada, 'Waiting');
  const properties = [aTextField()];
  const reviewed = await home.form({ workspace_id, title: 'Reviewed', properties });
  const spammed = await home.form({
    workspace_id,
    title: 'Spammed',
    properties,
    settings: { sets_spam_aside: true },
  });
  await home.submit(spammed, { [TEXT_FIELD_ID]: SPAM });
  for (let n = 0; n < 4; n++) await home.submit(reviewed, { [TEXT_FIELD_ID]: `Answer ${n}` });
  const aside = { kind: 'set_aside', form: { id: spammed.id, title: 'Spammed' }, count: 1 };
  // Nobody reviews this form so far.
  expect(await attention(workspace_id)).toEqual([aside]);

  const path = `/open/forms/${reviewed.id}/submissions`;
  const ids = (await home.records(reviewed)).map(({ id }: any) => id);
  const review = (submissionIds: number[], state: string) =>
    home.call('PUT', `${path}/reviews`, { submissionIds, state });
  await review(ids.slice(0, 1), 'approved');
  const waiting = { kind: 'to_review', form: { id: reviewed.id, title: 'Reviewed' } };
  expect(await attention(workspace_id)).toEqual([aside, { ...waiting, count: 3 }]);
  expect((await home.call('GET', `${path}?review=received&status=all`)).body.data).toHaveLength(3);
  const { token } = await home.newMember('readonly', workspace_id);
  expect(await attention(workspace_id, token)).toEqual([aside, { ...waiting, count: 3 }]);
  await review(ids.slice(1), 'rejected');
  expect(await attention(workspace_id)).toEqual([aside]);
});

test('integrations: stopped, given up, failing, one line each; none for who may not see them', async () => {
  const workspace_id = await aWorkspace(home.service, home.ada, 'Integrations');
  const [gone, broken, fine] = [await aWebhookReceiver(), await aWebhookReceiver(), await aWebhookReceiver()];
  gone.script([], 410);
  broken.script([], 500);
  const stopped = await home.form({ workspace_id, title: 'Stopped' });
  const failing = await home.form({ workspace_id, title: 'Failing' });
  const delivering = await home.form({ workspace_id, title: 'Delivering' });
  const off = await home.form({ workspace_id, title: 'Off' });
  const stoppedId = await withWebhook(stopped, gone.url);
  const failingId = await withWebhook(failing, broken.url);
  await withWebhook(delivering, fine.url);
  const offId = await withWebhook(off, broken.url);
  for (const form of [stopped, failing, delivering, off]) await home.submit(form, {});
  await expect.poll(() => attention(workspace_id)).toHaveLength(3);
  await home.call('PUT', `/open/forms/${off.id}/integrations/${offId}`, {
    integration_id: 'webhook',
    status: 'inactive',
    data: { webhook_url: broken.url },
  });
  const ofStopped = {
    kind: 'integration_stopped',
    form: { id: stopped.id, title: 'Stopped' },
    integration: { id: stoppedId, integration_id: 'webhook' },
    reason: 'The receiver answered 410 Gone.',
  };
  const ofFailing = {
    form: { id: failing.id, title: 'Failing' },
    integration: { id: failingId, integration_id: 'webhook' },
    since: expect.any(String),
  };
  expect(await attention(workspace_id)).toMatchObject([
    ofStopped,
    { kind: 'integration_failing', ...ofFailing, count: 0 },
  ]);
  await query(`update deliveries set state = 'exhausted', finished_at = now() where form_id = $1`, [
    failing.id,
  ]);
  await query(
    `insert into deliveries (form_id, integration_id, submission_id, state, body)
    select $1, $2, 1, 'exhausted', '' from generate_series(1, 1200)`,
    [failing.id, failingId],
  );
  expect(await attention(workspace_id)).toMatchObject([
    ofStopped,
    { kind: 'deliveries_failed', ...ofFailing, count: 1000 },
  ]);

  const { token } = await home.newMember('readonly', workspace_id);
  expect(await attention(workspace_id, token)).toEqual([]);
  expect(await attention(workspace_id, await home.tokenWith('forms-read'))).toEqual([]);
  const editor = await home.newMember('user', workspace_id);
  expect(await attention(workspace_id, editor.token)).toHaveLength(2);
  await home.call('POST', `/open/forms/${stopped.id}/trash`);
  expect(await attention(workspace_id)).toHaveLength(1);
});
