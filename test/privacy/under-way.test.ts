import { beforeEach, expect, test } from 'vitest';
import { aField } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { until } from '../setup/until.ts';
import { aWebhookReceiver, type WebhookReceiver } from '../setup/webhook-receiver.ts';

/** After a person is erased or an answer deleted, nothing of them is sent, even if it was under way before. */
const home = useHome({ env: { EXPORT_SYNC_LIMIT: '0' } });
const MAIL = aField('01', 'email', 'Mail');
const PERSON = 'grace@example.org';

let form: any;
beforeEach(async () => {
  form = await home.form({ properties: [MAIL] });
});

async function send(email: string): Promise<void> {
  const answer = await home.submit(form, { [MAIL.id]: email });
  expect(answer.status, answer.text).toBe(200);
}

async function addWebhook(receiver: WebhookReceiver): Promise<void> {
  const answer = await home.call('POST', `/open/forms/${form.id}/integrations`, {
    integration_id: 'webhook',
    status: 'active',
    data: { webhook_url: receiver.url },
  });
  expect(answer.status, answer.text).toBe(200);
}

const erase = (value: string) =>
  home.call('POST', `/open/workspaces/${home.workspaceId}/people/erase`, { value });

async function deleteThe(email: string): Promise<void> {
  const records = await home.records(form);
  const { id } = records.find(({ data }) => data[MAIL.id] === email);
  const answer = await home.call('DELETE', `/open/forms/${form.id}/submissions/${id}`);
  expect(answer.status, answer.text).toBe(200);
}

test.each([
  ['erased', async () => void expect((await erase(PERSON)).body.erased).toMatchObject({ deliveries: 1 })],
  ['deleted', () => deleteThe(PERSON)],
])('what waits in memory for a slow receiver is not sent once it was %s, the rest is', async (_, remove) => {
  const receiver = await aWebhookReceiver();
  let answerFirst = () => {};
  receiver.script([
    (response) => {
      answerFirst = () => response.end();
    },
  ]);
  await addWebhook(receiver);
  await send('first@example.org');
  await receiver.received(1);
  // The intake has handed this delivery over; it waits behind the unanswered request.
  await send(PERSON);
  await send('last@example.org');
  await remove();
  answerFirst();
  await receiver.received(2);
  const undelivered = `select from deliveries where form_id = $1 and state = 'pending'`;
  await until(async () => (await home.service.context.pool.query(undelivered, [form.id])).rowCount === 0);
  const sent = receiver.requests.map(({ body }) => JSON.parse(body.toString()).data[MAIL.id].value);
  expect(sent).toEqual(['first@example.org', 'last@example.org']);
});

test('an export that begins during an erasure holds nothing of it', async () => {
  await send(PERSON);
  await send('ada@example.org');
  const { pool } = home.service.context;
  const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
  const client = await pool.connect();
  try {
    // After its search for exports, the erasure waits for this submission.
    await client.query('begin');
    await client.query('select from submissions where form_id = $1 order by id limit 1 for update', [
      form.id,
    ]);
    const erased = erase(PERSON);
    await until(async () => (await pool.query(waiting)).rowCount === 1, { what: 'the erasure' });
    const path = `/open/forms/${form.id}/submissions/export`;
    const { job_id } = (await home.call('POST', path, { columns: { [MAIL.id]: true } })).body;
    const status = async () => (await home.call('GET', `${path}/status/${job_id}`)).body;
    await until(
      async () => (await pool.query(waiting)).rowCount === 2 || (await status()).status === 'completed',
      { what: 'the export' },
    );
    await client.query('rollback');
    expect((await erased).body.erased).toMatchObject({ submissions: 1 });
    const job = await until(async () => {
      const now = await status();
      return now.status === 'completed' ? now : null;
    });
    const file = await home.service.request('GET', new URL(job.file_url).pathname);
    expect(file.text).toContain('ada@example.org');
    expect(file.text).not.toContain(PERSON);
  } finally {
    client.release(true);
  }
});

test('an answer that looks like the name of a file is none', async () => {
  const text = aField('02', 'text', 'Text');
  form = await home.form({ properties: [MAIL, text] });
  const likeFile = '550e8400-e29b-41d4-a716-446655440000';
  await home.submit(form, { [MAIL.id]: 'uuid@example.org', [text.id]: likeFile });
  const found = await home.call('POST', `/open/workspaces/${home.workspaceId}/people/export`, {
    value: 'uuid@example.org',
  });
  expect(JSON.parse(found.text).submissions).toMatchObject([{ files: [] }]);
});

test('where nothing was found nobody is told that somebody was erased', async () => {
  expect((await erase('nobody-at-all')).body).toMatchObject({
    message: 'Nothing was found.',
    erasure_id: null,
  });
});
