import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { useHome } from '../setup/home.ts';
import { until } from '../setup/until.ts';
import { aWebhookReceiver } from '../setup/webhook-receiver.ts';
import { openOutbox } from './outbox.ts';

/** Deliveries that the intake hands to the dispatcher of its own process, without a claim. */
const home = useHome();

/** The dispatcher uses what it has read of an integration for 100 ms. */
const LONGER_THAN_A_LEASE_MS = 150;
const NAME = { id: 'name', type: 'text', name: 'Name' };

async function formWithWebhooks(urls: string[], members: Record<string, unknown> = {}) {
  const form = await home.form({ properties: [NAME], ...members });
  for (const webhook_url of urls) {
    const answer = await home.call('POST', `/open/forms/${form.id}/integrations`, {
      integration_id: 'webhook',
      status: 'active',
      data: { webhook_url },
    });
    expect(answer.status, answer.text).toBe(200);
  }
  return form;
}

/** The deliveries of a form. `isUntouched` says that the row was not written since its submission was stored. */
async function deliveriesOf(formId: number): Promise<any[]> {
  const { rows } = await sql<any>`
    select deliveries.*, deliveries.xmin = submissions.xmin as "isUntouched"
    from deliveries join submissions on submissions.form_id = deliveries.form_id and submissions.id = submission_id
    where deliveries.form_id = ${formId} order by deliveries.id`.execute(home.service.context.db);
  return rows;
}

function allDelivered(formId: number): Promise<any[]> {
  return until(async () => {
    const rows = await deliveriesOf(formId);
    return rows.every(({ state }) => state === 'delivered') ? rows : null;
  });
}

test('a delivery is stored as claimed, and exactly the stored bytes are sent', async () => {
  const receiver = await aWebhookReceiver();
  let answer = () => {};
  receiver.script([
    (response) => {
      answer = () => response.end();
    },
  ]);
  const form = await formWithWebhooks([receiver.url]);
  const text = 'Zoë 🙂 "\\" \u2028';
  expect((await home.submit(form, { name: text })).status).toBe(200);
  const [request] = await receiver.received(1);
  const [stored] = await deliveriesOf(form.id);
  expect(stored).toMatchObject({ state: 'pending', attempts: 0, isUntouched: true });
  expect(stored.leased_until.getTime()).toBeGreaterThan(stored.created_at.getTime());
  expect(request?.body.toString()).toBe(stored.body);
  expect(request?.headers['webhook-id']).toBe(stored.webhook_id);
  expect(JSON.parse(stored.body)).toMatchObject({
    submission_id: stored.submission_id,
    data: { name: { value: text } },
  });
  answer();
  const [done] = await allDelivered(form.id);
  expect(done).toMatchObject({ attempts: 1, leased_until: null });
});

test('a webhook goes out while requests hold all connections to the database', async () => {
  const { pool } = home.service.context;
  const receiver = await aWebhookReceiver();
  const form = await formWithWebhooks([receiver.url]);
  // This makes the process know the form.
  expect((await home.submit(form, {})).status).toBe(200);
  await receiver.received(1);
  const held = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
  try {
    await delay(LONGER_THAN_A_LEASE_MS);
    expect((await home.submit(form, {})).status).toBe(200);
    await receiver.received(2);
  } finally {
    for (const connection of held) connection.release();
  }
  await allDelivered(form.id);
});

test('submissions of one statement, with two webhooks each: every receiver gets each once, with its own bytes', async () => {
  const receivers = await Promise.all([aWebhookReceiver(), aWebhookReceiver()]);
  const form = await formWithWebhooks(receivers.map(({ url }) => url));
  const names = Array.from({ length: 40 }, (_, index) => `Person ${index}`);
  await Promise.all(names.map((name) => home.submit(form, { name })));
  for (const receiver of receivers) {
    await receiver.received(40);
    const bodies = receiver.requests.map(({ body }) => JSON.parse(body.toString()));
    expect(bodies.map(({ data }) => data.name.value).sort()).toEqual([...names].sort());
    expect(new Set(bodies.map(({ submission_id }) => submission_id)).size).toBe(40);
  }
  const rows = await allDelivered(form.id);
  expect(rows).toHaveLength(80);
  expect(new Map(rows.map((row) => [row.webhook_id, row.body]))).toEqual(
    new Map(
      receivers.flatMap(({ requests }) =>
        requests.map(({ headers, body }) => [headers['webhook-id'], body.toString()]),
      ),
    ),
  );
});

test('what a cap refuses is handed to nobody', async () => {
  const receiver = await aWebhookReceiver();
  const form = await formWithWebhooks([receiver.url], { max_submissions_count: 3 });
  const answers = await Promise.all(Array.from({ length: 8 }, () => home.submit(form, { name: 'A' })));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
  await allDelivered(form.id);
  expect(receiver.requests).toHaveLength(3);
  // Room reserved for refused submissions is free again, so the next ones are handed over too.
  await home.call('PUT', `/open/forms/${form.id}`, { max_submissions_count: null });
  receiver.script([], () => {});
  await home.submit(form, { name: 'B' });
  await receiver.received(4);
  expect((await deliveriesOf(form.id)).at(-1)).toMatchObject({ isUntouched: true, state: 'pending' });
});

test('a dispatcher takes nothing over before it runs, while older ones wait, for a receiver in trouble, or too much', async () => {
  const outbox = await openOutbox();
  const receiver = await aWebhookReceiver();
  const hook = await outbox.addIntegration(receiver.url);
  const dispatcher = outbox.startDispatcher();
  const other = hook + 1;
  expect(dispatcher.reserve(other, 100)).toBe(true);
  dispatcher.drop(other);
  // At most 2,000 for one receiver at a time.
  const taken = Array.from({ length: 2100 }, () => dispatcher.reserve(other, 100));
  expect(taken.filter(Boolean)).toHaveLength(2000);

  // Nothing is reserved until the claim that the wake starts has returned.
  await outbox.addDeliveries(hook, 1);
  dispatcher.wake([hook]);
  expect(dispatcher.reserve(hook, 100)).toBe(false);
  await receiver.received(1);
  await until(() => dispatcher.reserve(hook, 100));
  dispatcher.drop(hook);

  receiver.script([], 503);
  await outbox.addDeliveries(hook, 1);
  dispatcher.wake([hook]);
  await receiver.received(2);
  await until(() => {
    const isTaken = dispatcher.reserve(hook, 100);
    if (isTaken) dispatcher.drop(hook);
    return !isTaken;
  });

  await dispatcher.stop();
  expect(dispatcher.reserve(other, 100)).toBe(false);
  await outbox.close();
});

test('what a dispatcher took over and did not send is given back when it stops', async () => {
  const outbox = await openOutbox();
  const receiver = await aWebhookReceiver();
  receiver.script([], { status: 200, delayMs: 300 });
  const hook = await outbox.addIntegration(receiver.url);
  const dispatcher = outbox.startDispatcher();
  await sql`alter table deliveries alter leased_until set default now() + interval '1 minute'`.execute(
    outbox.db,
  );
  const ids = await outbox.addDeliveries(hook, 50);
  for (const id of ids) {
    expect(dispatcher.reserve(hook, 100)).toBe(true);
    const { form_id: formId, webhook_id: webhookId, body } = await outbox.delivery(id);
    dispatcher.take({ formId, id, integrationId: hook, webhookId, body, attemptsMade: 0 }, performance.now());
  }
  await receiver.received(1);
  await dispatcher.stop();
  const rows = await Promise.all(ids.map((id) => outbox.delivery(id)));
  const sent = rows.filter(({ state }) => state === 'delivered');
  expect(sent).toHaveLength(receiver.requests.length);
  expect(sent.length).toBeLessThan(50);
  expect(rows.filter(({ leased_until }) => leased_until !== null)).toEqual([]);

  receiver.script([]);
  outbox.startDispatcher().wake([hook]);
  await receiver.received(50);
  expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(50);
  await outbox.close();
});
