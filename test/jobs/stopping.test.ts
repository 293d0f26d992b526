import type { JobHelpers } from 'graphile-worker';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../server/db/database.ts';
import { openLongDatabase } from '../../server/jobs/long-database.ts';
import type { JobPayloads } from '../../server/jobs/payloads.ts';
import { createTasks } from '../../server/jobs/tasks.ts';
import { useHome } from '../setup/home.ts';
import { runAllJobs } from '../setup/run-jobs.ts';

/** More than one step of any job handles. */
const ROWS = 10_001;
/** An id that no form has. */
const FORM = 4711;

const home = useHome({ env: { ROLES: 'http' } });
let long: Database;
beforeAll(() => {
  long = openLongDatabase(home.service.context);
});
afterAll(() => long.close());

/** Runs the job in a process that is already stopping. */
async function stopped<Name extends keyof JobPayloads>(name: Name, payload: JobPayloads[Name]) {
  const task = createTasks(home.service.context, long)[name];
  await task?.(payload, { abortSignal: AbortSignal.abort() } as JobHelpers);
}

async function query<Row>(text: string): Promise<Row[]> {
  return (await home.service.context.pool.query(text)).rows;
}

async function count(table: string): Promise<number> {
  const [row] = await query<{ count: number }>(`select count(*) as count from ${table}`);
  return row?.count ?? 0;
}

const jobs = () =>
  query('select task_identifier as task, key, attempts from graphile_worker.jobs order by id');

test('the rest of a large form goes with the next worker', async () => {
  await query(`insert into delivery_attempts (form_id, delivery_id, attempt, integration_id, started_at, duration_ms)
    select ${FORM}, number, 1, 1, now(), 1 from generate_series(1, ${2 * ROWS}) number`);
  await stopped('purge_form', { formId: FORM });
  expect(await count('delivery_attempts')).toBeGreaterThanOrEqual(ROWS);
  expect(await jobs()).toEqual([{ task: 'purge_form', key: null, attempts: 0 }]);
  await runAllJobs(home.service.context);
  expect(await count('delivery_attempts')).toBe(0);
});

test('so do files', async () => {
  await query(`insert into uploads (form_id, property_id, id, store_name, name, size, created_at, touched_at, removed_at, received_at)
    select ${FORM}, 'a', gen_random_uuid(), 'uploads/aa/' || number, 'a.txt', 1, now(), now(), now(), now()
    from generate_series(1, 150) number`);
  await stopped('remove_files', { formId: FORM });
  expect(await count('uploads')).toBe(150);
  expect(await jobs()).toEqual([{ task: 'remove_files', key: `remove_files:${FORM}`, attempts: 0 }]);
  await runAllJobs(home.service.context);
  expect(await count('uploads')).toBe(0);
});

test('what runs by the clock leaves the rest to its next turn', async () => {
  await query(`insert into idempotency_keys (form_id, key, body_hash, created_at, submission_public_id, was_partial, was_first)
    select ${FORM}, number::text, '', now() - interval '73 hours', gen_random_uuid(), false, false
    from generate_series(1, ${ROWS}) number`);
  await stopped('purge_idempotency_keys', {});
  expect(await count('idempotency_keys')).toBe(ROWS);
  expect(await jobs()).toEqual([]);
});
