import { afterAll, beforeAll, expect, test } from 'vitest';
import { aUser, aWorkspace } from '../setup/factories.ts';
import { startService, type TestService } from '../setup/service.ts';
import { useSmtpServer } from '../setup/smtp-server.ts';
import { until } from '../setup/until.ts';

const smtp = useSmtpServer();
const env = () => ({ SMTP_URL: smtp.url });
let service: TestService;
beforeAll(async () => {
  service = await startService({ env: { ...env(), ROLES: 'http' } });
});
afterAll(() => service?.stop());

test('a mail whose process died is sent by another after minutes; one that may be on its way is left alone', async () => {
  const ada = await aUser(service);
  const workspaceId = await aWorkspace(service, ada);
  const { pool } = service.context;
  for (const [email, lockedAgo] of [
    ['lost@example.com', '6 minutes'],
    ['busy@example.com', '4 minutes'],
  ]) {
    const body = { email, role: 'user' };
    await service.request('POST', `/open/workspaces/${workspaceId}/users/add`, { token: ada.token, body });
    // As a worker leaves it that is killed.
    await pool.query(
      `update graphile_worker._private_jobs
       set attempts = attempts + 1, locked_at = now() - $1::interval, locked_by = 'dead' where locked_at is null`,
      [lockedAgo],
    );
  }
  const other = await startService({ database: service.database, dataDir: service.dataDir, env: env() });
  try {
    await until(() => smtp.mails.length > 0);
    expect(smtp.mails.map(({ recipients }) => recipients)).toEqual([['lost@example.com']]);
    const { rows } = await pool.query(
      `select locked_by from graphile_worker.jobs where task_identifier = 'send_invite'`,
    );
    expect(rows.filter(({ locked_by }) => locked_by === 'dead')).toHaveLength(1);
  } finally {
    await other.stop();
  }
});
