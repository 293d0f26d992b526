import { expect, test } from 'vitest';
import { TEXT_FIELD_ID } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { useWebhookReceiver } from '../setup/webhook-receiver.ts';

const receiver = useWebhookReceiver();
const home = useHome({ env: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' } });
const query = async (text: string) => (await home.service.context.pool.query(text)).rows;

test('what waits for secrets that cannot be read is not given up, and is sent at once when they are set again', async () => {
  const form = await home.form();
  const path = `/open/forms/${form.id}/integrations`;
  const data = { webhook_url: receiver.url, webhook_secret: 'a secret of enough length' };
  const made = await home.call('POST', path, { integration_id: 'webhook', data });
  const own = `${path}/${made.body.form_integration.id}`;
  await query(`update integrations set secrets_encrypted = sha256('another key')`);
  await home.submit(form, { [TEXT_FIELD_ID]: 'Ada' });
  const attempts = async () => (await query('select attempts from deliveries'))[0]?.attempts;
  await expect.poll(attempts).toBe(1);
  // The twelfth attempt is the last one of any other delivery.
  for (const made of [11, 12]) {
    await query(`update deliveries set attempts = ${made}, next_attempt_at = now()`);
    await expect.poll(attempts).toBe(made + 1);
    const [delivery] = await query(
      `select state, next_attempt_at - now() > interval '23 hours' as waits from deliveries`,
    );
    expect(delivery).toEqual({ state: 'pending', waits: true });
  }
  const [integration] = await query('select status, failing_since from integrations');
  expect(integration).toEqual({ status: 'active', failing_since: expect.any(Date) });
  expect(receiver.requests).toEqual([]);

  const set = await home.call('PUT', own, { integration_id: 'webhook', data });
  expect(set.status, set.text).toBe(200);
  await expect.poll(() => receiver.requests.length).toBe(1);
  expect(receiver.requests[0]?.headers['webhook-signature']).toBeTruthy();
  await expect
    .poll(async () => (await query('select failing_since from integrations'))[0])
    .toEqual({
      failing_since: null,
    });
});
