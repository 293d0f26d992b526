import { expect, test } from 'vitest';
import { aTextField } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { useSmtpServer } from '../setup/smtp-server.ts';
import { until } from '../setup/until.ts';

const smtp = useSmtpServer();
const home = useHome(() => ({ env: { SMTP_URL: smtp.url, MAIL_FROM: 'forms@example.org' } }));

test('a mail server that does not answer holds up no other jobs; what was put in line meanwhile goes out then', async () => {
  const answered = Promise.withResolvers<void>();
  smtp.meanwhile = () => answered.promise;
  const { pool } = home.service.context;
  // As many as run at a time.
  for (const name of ['ada', 'bob', 'cleo']) {
    const form = await home.form({ properties: [aTextField()] });
    const path = `/open/forms/${form.id}/recipients`;
    await home.call('POST', path, { recipients: [{ email: `${name}@example.org` }] });
    const mail = { kind: 'invitation', subject: 'Hello', text: 'Please answer.' };
    expect((await home.call('POST', `${path}/mails`, mail)).body).toMatchObject({ queued: 1 });
    await until(() => smtp.mails.length > 0, { what: 'the first mail' });
  }
  await pool.query(`select graphile_worker.add_job('purge_invites', job_key => 'mine')`);
  const isDone = async () =>
    (await pool.query(`select from graphile_worker.jobs where key = 'mine'`)).rowCount === 0;
  await until(isDone, { what: 'another job' });
  expect(smtp.mails).toHaveLength(1);
  answered.resolve();
  await until(() => smtp.mails.length === 3, { what: 'the other mails' });
});
