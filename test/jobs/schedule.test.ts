import type { JobHelpers } from 'graphile-worker';
import { expect, test } from 'vitest';
import { openLongDatabase } from '../../server/jobs/long-database.ts';
import { SCHEDULE } from '../../server/jobs/schedule.ts';
import { createTasks } from '../../server/jobs/tasks.ts';
import { TEXT_FIELD_ID } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';

const home = useHome({ env: { ROLES: 'http' } });

test('no job by the clock takes the connection of another', async () => {
  await home.submit(await home.form(), { [TEXT_FIELD_ID]: 'x' });
  for (const { task } of SCHEDULE) {
    const long = openLongDatabase(home.service.context);
    const run = createTasks(home.service.context, long)[task];
    await run?.({}, { abortSignal: new AbortController().signal } as JobHelpers);
    expect(long.pool.totalCount, task).toBeLessThanOrEqual(1);
    await long.close();
  }
});

test('everything on the schedule is a task', async () => {
  const long = openLongDatabase(home.service.context);
  const tasks = createTasks(home.service.context, long);
  await long.close();
  for (const { task } of SCHEDULE) expect(tasks).toHaveProperty(task);
});
