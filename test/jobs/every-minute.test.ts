import type { JobHelpers } from 'graphile-worker';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { Database } from '../../server/db/database.ts';
import { openLongDatabase } from '../../server/jobs/long-database.ts';
import { createTasks } from '../../server/jobs/tasks.ts';
import { findFormsToCount } from '../../server/statistics/answer-queries.ts';
import { findUncountedForms } from '../../server/statistics/queries.ts';
import { storeMany } from '../exports/stored-submissions.ts';
import { TEXT_FIELD_ID } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';

const MINUTE_MS = 60_000;
const ROWS = 20;
/** For each job, the query for its remaining work. */
const WORK = {
  count_submissions: findUncountedForms,
  count_answers: findFormsToCount,
};

const home = useHome({ env: { ROLES: 'http' } });
let long: Database;
beforeAll(() => {
  long = openLongDatabase(home.service.context);
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => long.close());

test.each(Object.entries(WORK))(
  '%s leaves to the next minute what it has no time for',
  async (name, left) => {
    const forms = [await home.form(), await home.form()];
    for (const { id } of forms) await storeMany(home.service, id, TEXT_FIELD_ID, ROWS);
    const ids = forms.map(({ id }) => id);
    expect(await left(long.db)).toEqual(expect.arrayContaining(ids));

    let now = performance.now();
    vi.spyOn(performance, 'now').mockImplementation(() => (now += MINUTE_MS));
    await run(name);
    expect(await left(long.db)).toEqual(expect.arrayContaining(ids));
    vi.restoreAllMocks();
    await run(name);
    expect(await left(long.db)).toEqual([]);
  },
);

test('a failure of what runs by the clock is forgotten when it next succeeds, no other', async () => {
  const { pool } = home.service.context;
  await pool.query(`select graphile_worker.add_job(task, max_attempts => 1)
    from unnest(array['count_answers', 'count_submissions', 'send_invite']) task`);
  await pool.query('update graphile_worker._private_jobs set attempts = max_attempts');
  await run('count_answers');
  const { rows } = await pool.query(
    'select task_identifier as task from graphile_worker.jobs where attempts = max_attempts order by 1',
  );
  expect(rows.map(({ task }) => task)).toEqual(['count_submissions', 'send_invite']);
});

async function run(name: string): Promise<void> {
  const task = createTasks(home.service.context, long)[name];
  await task?.({}, { abortSignal: new AbortController().signal } as JobHelpers);
}
