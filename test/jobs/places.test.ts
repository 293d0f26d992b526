import { expect, test } from 'vitest';
import { schedulePasswordLink } from '../../server/accounts/password-link.ts';
import { mailInLongRun } from '../../server/mail/mail-turns.ts';
import { startWorker } from '../../server/start/worker.ts';
import { storeMany } from '../exports/stored-submissions.ts';
import { aForm, aWorkspace, TEXT_FIELD_ID } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { useSmtpServer } from '../setup/smtp-server.ts';

const smtp = useSmtpServer();
const home = useHome(() => ({ env: { EXPORT_SYNC_LIMIT: '0', ROLES: 'http', SMTP_URL: smtp.url } }));

test('exports and mails to many leave places for those who wait for a mail', async () => {
  const { context } = home.service;
  const gate = Promise.withResolvers<void>();
  const files = {
    ...context.files,
    async write(...[name, content, options]: Parameters<typeof context.files.write>) {
      await gate.promise;
      await context.files.write(name, content, options);
    },
  };
  const slow = { ...context, files };
  const worker = await startWorker(slow);
  const runs = [1, 2].map(() => mailInLongRun(slow, () => gate.promise));
  const status = async () => {
    const { rows } = await context.pool.query('select status from export_jobs order by status');
    return rows.map((row) => row.status);
  };
  try {
    for (const exports of [2, 1]) {
      const form = await aForm(home.service, home.ada, await aWorkspace(home.service, home.ada));
      await storeMany(home.service, form.id, TEXT_FIELD_ID, 10);
      for (let one = 0; one < exports; one++)
        await home.call('POST', `/open/forms/${form.id}/submissions/export`, {
          columns: { [TEXT_FIELD_ID]: true },
        });
    }
    await expect.poll(status).toEqual(['processing', 'processing', 'queued']);
    await schedulePasswordLink(context.db, home.ada.id);
    await expect.poll(() => smtp.mails.length).toBe(1);
    expect(await status()).toEqual(['processing', 'processing', 'queued']);
    gate.resolve();
    await expect.poll(status).toEqual(['completed', 'completed', 'completed']);
  } finally {
    gate.resolve();
    await Promise.all(runs);
    await worker.stop();
  }
});
