import { runOnce } from 'graphile-worker';
import type { Context } from '../../server/context.ts';
import { openPool } from '../../server/db/database.ts';
import { openLongDatabase } from '../../server/jobs/long-database.ts';
import type { JobPayloads } from '../../server/jobs/payloads.ts';
import { createTasks } from '../../server/jobs/tasks.ts';
import { queueLogger } from '../../server/start/worker.ts';

/**
 * Runs all due jobs, and those they add, until none is left; for services with `ROLES=http`.
 * @param only jobs of these tasks alone, where a worker may have queued others: those that rest between their steps take minutes
 * @throws Error with the reasons when a job failed
 */
export async function runAllJobs(context: Context, only?: readonly (keyof JobPayloads)[]): Promise<void> {
  const pgPool = openPool(context.connection, () => {}, { max: 4 });
  const long = openLongDatabase(context);
  try {
    const tasks = Object.entries(createTasks(context, long));
    await runOnce({
      pgPool,
      taskList: Object.fromEntries(tasks.filter(([task]) => only?.some((one) => one === task) ?? true)),
      noHandleSignals: true,
      logger: queueLogger(context.log),
    });
    const { rows } = await pgPool.query(
      'select task_identifier, last_error from graphile_worker.jobs where last_error is not null',
    );
    if (rows.length > 0)
      throw new Error(rows.map((job) => `${job.task_identifier}: ${job.last_error}`).join('\n'));
  } finally {
    await pgPool.end();
    await long.close();
  }
}
