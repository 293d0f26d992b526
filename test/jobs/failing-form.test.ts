import { runOnce } from 'graphile-worker';
import { afterEach, expect, test } from 'vitest';
import { openPool } from '../../server/db/database.ts';
import { openLongDatabase } from '../../server/jobs/long-database.ts';
import { createTasks } from '../../server/jobs/tasks.ts';
import { createLog } from '../../server/log.ts';
import { queueLogger } from '../../server/start/worker.ts';
import { findUncountedForms } from '../../server/statistics/queries.ts';
import { TEXT_FIELD_ID } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';

/** Work that runs by the clock on all forms goes on with the others when the statements of one form fail. */
const home = useHome({ env: { ROLES: 'http' } });
const run = (text: string, values: unknown[] = []) => home.service.context.pool.query(text, values);

afterEach(async () => {
  for (const table of ['submissions', 'trashed_submissions', 'counted_submissions'])
    await run(`drop trigger if exists refuses on ${table}`);
  await run('delete from graphile_worker._private_jobs');
});

/** From now on no statement may change rows of this form in the table. */
async function refuseChanges(table: string, formId: number): Promise<void> {
  await run(`create or replace function refuse_change() returns trigger language plpgsql
    as $$ begin raise exception 'a secret answer' using errcode = 'XX001'; end $$`);
  await run(`create trigger refuses before update or delete on ${table} for each row
    when (old.form_id = ${formId}) execute function refuse_change()`);
}

/** Runs a task as a worker does. @returns the failures in its log */
async function failuresOf(task: string): Promise<any[]> {
  const lines: string[] = [];
  const log = createLog({ logLevel: 'trace' }, { write: (line: string) => void lines.push(line) });
  const pgPool = openPool(home.service.context.connection, () => {}, { max: 4 });
  const long = openLongDatabase(home.service.context);
  await run('select graphile_worker.add_job($1, max_attempts => 1)', [task]);
  const taskList = createTasks(home.service.context, long);
  await runOnce({ pgPool, taskList, noHandleSignals: true, logger: queueLogger(log) });
  await Promise.all([pgPool.end(), long.close()]);
  expect(lines.join()).not.toContain('a secret answer');
  return lines.map((line) => JSON.parse(line)).filter(({ level }) => level >= 40);
}

async function aFormWithAnswers(settings: Record<string, unknown> = {}) {
  const form = await home.form(settings);
  for (const text of ['one', 'two']) await home.submit(form, { [TEXT_FIELD_ID]: text });
  return form;
}
const age = (formId: number) =>
  run(
    `update submissions set created_at = now() - interval '41 days', updated_at = now() - interval '40 days' where form_id = $1`,
    [formId],
  );
const left = async (form: { id: number }) => (await home.records(form)).length;
const failureOf = (task: string, form: { id: number }) => ({
  msg: 'a job failed',
  task,
  err: { type: 'FormsFailed', message: expect.stringContaining(String(form.id)), cause: { code: 'XX001' } },
});

test('expired submissions and answers of other forms are deleted, and the failure is logged once', async () => {
  const retention = { submission_retention_value: 1, submission_retention_unit: 'month' };
  const [first, second] = [await aFormWithAnswers(retention), await aFormWithAnswers(retention)];
  const field = { id: TEXT_FIELD_ID, type: 'text', name: 'Name', retention_days: 30 };
  const third = await aFormWithAnswers({ properties: [field] });
  for (const { id } of [first, second, third]) await age(id);
  await refuseChanges('submissions', first.id);
  expect(await failuresOf('purge_submissions')).toMatchObject([failureOf('purge_submissions', first)]);
  expect([await left(first), await left(second)]).toEqual([2, 0]);
  for (const { data } of await home.records(third)) expect(data[TEXT_FIELD_ID] ?? null).toBeNull();
  await run('drop trigger refuses on submissions');
  expect(await failuresOf('purge_submissions')).toEqual([]);
  expect(await left(first)).toBe(0);
});

test('what is due in the trash of other forms is deleted', async () => {
  const forms = [await aFormWithAnswers(), await aFormWithAnswers()];
  for (const form of forms) {
    const submissionIds = (await home.records(form)).map(({ id }) => id);
    await home.call('POST', `/open/forms/${form.id}/submissions/trash`, { submissionIds });
    expect(await left(form)).toBe(0);
  }
  await run(`update trashed_submissions set trashed_at = now() - interval '31 days'`);
  const [first, second] = forms as [{ id: number }, { id: number }];
  await refuseChanges('trashed_submissions', first.id);
  expect(await failuresOf('empty_trash')).toMatchObject([failureOf('empty_trash', first)]);
  const { rows } = await run('select distinct form_id from trashed_submissions');
  expect(rows).toEqual([{ form_id: first.id }]);
  expect(second.id).toBeGreaterThan(first.id);
});

test('submissions of other forms are counted', async () => {
  const forms = [await aFormWithAnswers(), await aFormWithAnswers()];
  const ids = forms.map(({ id }) => id);
  const uncounted = async () =>
    (await findUncountedForms(home.service.context.db)).filter((id) => ids.includes(id));
  expect(await uncounted()).toEqual(ids);
  const [first] = forms as [{ id: number }];
  await refuseChanges('counted_submissions', first.id);
  expect(await failuresOf('count_submissions')).toMatchObject([failureOf('count_submissions', first)]);
  expect(await uncounted()).toEqual([first.id]);
});
