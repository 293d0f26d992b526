import { afterAll, beforeAll, expect, test } from 'vitest';
import { aForm, aUser, aWorkspace, TEXT_FIELD_ID, type TestUser } from '../setup/factories.ts';
import { startService, type TestService } from '../setup/service.ts';
import { until } from '../setup/until.ts';
import { useWebhookReceiver } from '../setup/webhook-receiver.ts';

/** As many as a form may have unfinished. */
const EXPORTS = 20;
const SUBMISSIONS = 200;

/** Both answer, deliver and run jobs. */
let services: [TestService, TestService];
const receiver = useWebhookReceiver();
let ada: TestUser;
let form: { id: number; slug: string };

beforeAll(async () => {
  const env = { EXPORT_SYNC_LIMIT: '0' };
  const first = await startService({ env });
  services = [first, await startService({ env, database: first.database, dataDir: first.dataDir })];
  ada = await aUser(first);
  form = await aForm(first, ada, await aWorkspace(first, ada));
  const body = { integration_id: 'webhook', data: { webhook_url: receiver.url } };
  await first.request('POST', `/open/forms/${form.id}/integrations`, { token: ada.token, body });
});
afterAll(async () => {
  for (const service of [...(services ?? [])].reverse()) await service.stop();
});

const inTurn = (n: number) => services[n % 2] as TestService;

test('each delivery is sent by one of two processes', async () => {
  const answers = await Promise.all(
    Array.from({ length: SUBMISSIONS }, (_, n) =>
      inTurn(n).request('POST', `/forms/${form.slug}/answer`, { body: { [TEXT_FIELD_ID]: `${n}` } }),
    ),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  const requests = await receiver.received(SUBMISSIONS);
  const { pool } = inTurn(0).context;
  const isEmpty = async () => {
    const { rows } = await pool.query(`select count(*) from deliveries where state <> 'delivered'`);
    return rows[0].count === 0;
  };
  await until(isEmpty, { what: 'an empty outbox' });
  expect(requests).toHaveLength(SUBMISSIONS);
  expect(new Set(requests.map(({ headers }) => headers['webhook-id'])).size).toBe(SUBMISSIONS);
});

test('each job is done by one of two processes', async () => {
  const path = `/open/forms/${form.id}/submissions/export`;
  const options = { token: ada.token, body: { columns: { [TEXT_FIELD_ID]: true } } };
  const jobs = await Promise.all(
    Array.from({ length: EXPORTS }, async (_, n) => {
      const answer = await inTurn(n).request('POST', path, options);
      expect(answer.status, answer.text).toBe(200);
      return answer.body.job_id;
    }),
  );
  expect(new Set(jobs).size).toBe(EXPORTS);
  for (const [n, job] of jobs.entries()) {
    const isDone = async () => {
      const { body } = await inTurn(n).request('GET', `${path}/status/${job}`, { token: ada.token });
      return body.status === 'completed';
    };
    await until(isDone, { what: 'an export' });
  }
  const doneByAll = async () => {
    const done = await Promise.all(services.map(completedExports));
    return done.reduce((sum, count) => sum + count, 0);
  };
  // A process learns that its work is stored, and counts it, a moment after the database has it.
  await expect.poll(doneByAll).toBe(EXPORTS);
});

/** The number of exports this process has made, by its own count. */
async function completedExports(service: TestService): Promise<number> {
  const { text } = await service.request('GET', '/metrics');
  return Number(/^formstead_exports_total\{outcome="completed"\} (\d+)$/m.exec(text)?.[1] ?? 0);
}
