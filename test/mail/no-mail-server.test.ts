import { expect, test } from 'vitest';
import { claimDeliveries, findDueIntegrations } from '../../server/deliveries/outbox-queries.ts';
import { useHome } from '../setup/home.ts';
import { startService } from '../setup/service.ts';
import { useSmtpServer } from '../setup/smtp-server.ts';
import { until } from '../setup/until.ts';

const home = useHome();
/** The first service does not know it. */
const smtp = useSmtpServer();

test('mails wait until there is a mail server, and can be seen waiting', async () => {
  const form = await home.form();
  const path = `/open/forms/${form.id}/integrations`;
  const created = await home.call('POST', path, {
    integration_id: 'email',
    data: { recipients: ['owner@example.org'] },
  });
  expect(created.body.message).toContain('SMTP_URL');
  const { id, notice } = created.body.form_integration;
  expect(notice).toContain('SMTP_URL');

  const tried = await home.call('POST', `${path}/${id}/test`);
  expect(tried.body).toMatchObject({
    type: 'error',
    request: { url: 'mailto:owner@example.org' },
    response: null,
  });

  const { dispatcher } = home.service.context;
  await home.submit(form, {});
  dispatcher.wake([id]);
  const { db, pool } = home.service.context;
  expect(await findDueIntegrations(db, 0, 10, true)).toEqual([id]);
  expect(await findDueIntegrations(db, 0, 10, false)).toEqual([]);
  expect(await claimDeliveries(pool, [{ integrationId: id, quota: 5 }], { canMail: false })).toEqual([]);
  const waiting = await home.call('GET', `${path}/${id}/deliveries`);
  expect(waiting.body).toMatchObject([{ state: 'pending', attempts: 0 }]);

  const { database, dataDir } = home.service;
  const second = await startService({ env: { SMTP_URL: smtp.url }, database, dataDir });
  try {
    await until(() => smtp.mails.length === 1);
    const sent = await until(async () => {
      const { body } = await home.call('GET', `${path}/${id}/deliveries`);
      return body[0].state === 'delivered' && body[0];
    });
    expect(sent.attempts).toBe(1);
  } finally {
    await second.stop();
  }
});
