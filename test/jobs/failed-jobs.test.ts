import { type JobHelpers, runOnce } from 'graphile-worker';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPool } from '../../server/db/database.ts';
import { openLongDatabase } from '../../server/jobs/long-database.ts';
import { createTasks } from '../../server/jobs/tasks.ts';
import { createLog } from '../../server/log.ts';
import { queueLogger } from '../../server/start/worker.ts';
import { aUser, aWorkspace } from '../setup/factories.ts';
import { startService, type TestService } from '../setup/service.ts';
import { useSmtpServer } from '../setup/smtp-server.ts';

const SECRET = 'what-a-respondent-wrote';
const INVITED = 'bob@example.com';

const smtp = useSmtpServer();
let service: TestService;
beforeAll(async () => {
  service = await startService({ env: { ROLES: 'http', SMTP_URL: smtp.url } });
});
afterAll(() => service?.stop());

/** Runs due jobs as a worker does. @returns the lines of its log, at the most verbose level */
async function linesOfJobs(more: Record<string, () => Promise<unknown>> = {}): Promise<string[]> {
  const lines: string[] = [];
  const log = createLog({ logLevel: 'trace' }, { write: (line: string) => void lines.push(line) });
  const pgPool = openPool(service.context.connection, () => {}, { max: 4 });
  const long = openLongDatabase(service.context);
  const taskList = { ...createTasks(service.context, long), ...more };
  await runOnce({ pgPool, taskList, noHandleSignals: true, logger: queueLogger(log) });
  await Promise.all([pgPool.end(), long.close()]);
  return lines;
}

function failureIn(lines: string[]) {
  const [failure, ...others] = lines.map((line) => JSON.parse(line)).filter(({ level }) => level >= 40);
  expect(others).toEqual([]);
  return failure;
}

test('a failed job is logged without what the database quotes', async () => {
  const { db } = service.context;
  await sql`select graphile_worker.add_job('purge_drafts', max_attempts => 3)`.execute(db);
  const lines = await linesOfJobs({ purge_drafts: () => sql`select ${SECRET}::int`.execute(db) });
  expect(failureIn(lines)).toMatchObject({
    msg: 'a job failed',
    task: 'purge_drafts',
    jobId: expect.any(Number),
    attempt: 1,
    maxAttempts: 3,
    err: { type: 'DatabaseError', code: '22P02' },
  });
  expect(lines.join()).not.toContain(SECRET);
});

test('a failed job is logged without what it could not read', async () => {
  await sql`select graphile_worker.add_job('purge_drafts')`.execute(service.context.db);
  const lines = await linesOfJobs({ purge_drafts: async () => JSON.parse(SECRET) });
  expect(failureIn(lines)).toMatchObject({ err: { type: 'SyntaxError', stack: expect.any(Array) } });
  // V8 quotes the beginning of the text in its error.
  expect(lines.join()).not.toContain(SECRET.slice(0, 6));
});

test('a mail that is refused is logged without its address', async () => {
  const ada = await aUser(service);
  const workspaceId = await aWorkspace(service, ada);
  smtp.refusals.set(INVITED, `550 5.1.1 <${INVITED}>: Recipient address rejected`);
  const answer = await service.request('POST', `/open/workspaces/${workspaceId}/users/add`, {
    token: ada.token,
    body: { email: INVITED, role: 'user' },
  });
  expect(answer.status, answer.text).toBe(200);
  const lines = await linesOfJobs();
  expect(failureIn(lines)).toMatchObject({
    msg: 'a job failed',
    task: 'send_invite',
    err: { code: 'EENVELOPE', responseCode: 550 },
  });
  expect(lines.join()).not.toContain(INVITED);
});

test('a mail that was given up is forgotten with its invitation, those about an account as well', async () => {
  const { db } = service.context;
  const ada = await aUser(service);
  const workspaceId = await aWorkspace(service, ada);
  const url = `/open/workspaces/${workspaceId}`;
  const call = (method: string, path: string, body?: unknown) =>
    service.request(method, url + path, { token: ada.token, body });
  const email = 'lost@example.com';
  smtp.refusals.set(email, `550 5.1.1 <${email}>: Recipient address rejected`);
  expect((await call('POST', '/users/add', { email, role: 'user' })).status).toBe(200);
  for (const task of ['mail_password_link', 'mail_email_link', 'mail_email_changed'])
    await sql`select graphile_worker.add_job(${task}, '{}', max_attempts => 1)`.execute(db);
  const refuse = () => Promise.reject(new Error(email));
  await linesOfJobs({
    mail_password_link: refuse,
    mail_email_link: refuse,
    mail_email_changed: refuse,
  });
  await sql`update graphile_worker._private_jobs set attempts = max_attempts`.execute(db);
  const kept = async () => {
    const long = openLongDatabase(service.context);
    await createTasks(service.context, long).purge_invites?.({}, {
      abortSignal: new AbortController().signal,
    } as JobHelpers);
    await long.close();
    const { rows } = await sql<{ task: string }>`
      select task_identifier as task from graphile_worker.jobs where last_error like ${`%${email}%`}`.execute(
      db,
    );
    return rows.map(({ task }) => task);
  };
  expect(await kept()).toEqual(['send_invite']);
  const [invite] = (await call('GET', '/invites')).body;
  expect(invite).toMatchObject({ mail_failed: true });
  expect((await call('DELETE', `/invites/${invite.id}/cancel`)).status).toBe(200);
  expect(await kept()).toEqual([]);
});
