import { expect, test } from 'vitest';
import { TEXT_FIELD_ID } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { useSmtpServer } from '../setup/smtp-server.ts';
import { until } from '../setup/until.ts';

const FORMS = 4;
/** Submissions to each form. */
const SUBMISSIONS = 10;
const MAIL_MS = 30;

const smtp = useSmtpServer();
const home = useHome(() => ({ env: { SMTP_URL: smtp.url, MAIL_FROM: 'forms@example.org' } }));

test('a mail server that takes three connections gets hardly more than it takes', async () => {
  smtp.maxConnections = 3;
  smtp.meanwhile = () => new Promise((resolve) => setTimeout(resolve, MAIL_MS));
  const forms = await Promise.all(Array.from({ length: FORMS }, () => home.form()));
  for (const form of forms) {
    const integration = { integration_id: 'email', data: { recipients: ['owner@example.org'] } };
    await home.call('POST', `/open/forms/${form.id}/integrations`, integration);
  }
  const sent = forms.flatMap((form) =>
    Array.from({ length: SUBMISSIONS }, (_, n) => home.submit(form, { [TEXT_FIELD_ID]: `${n}` })),
  );
  for (const { status } of await Promise.all(sent)) expect(status).toBe(200);
  await until(() => smtp.mails.length === FORMS * SUBMISSIONS, { what: 'all mails' });
  // A connection that is being closed counts, too.
  expect(smtp.refusedConnections).toBeLessThanOrEqual(2);
});
