import { setTimeout as sleep } from 'node:timers/promises';
import { type Job, Logger, type Runner, run } from 'graphile-worker';
import type { Logger as Pino } from 'pino';
import type { Context } from '../context.ts';
import { openPool } from '../db/database.ts';
import { undoClockAhead } from '../jobs/clock-queries.ts';
import { enqueue } from '../jobs/enqueue.ts';
import { openLongDatabase } from '../jobs/long-database.ts';
import { enqueueNextTurns, freeLostMails } from '../jobs/queries.ts';
import { turnsOf } from '../jobs/schedule.ts';
import { createTasks } from '../jobs/tasks.ts';

export interface Worker {
  /** Ends deliveries and jobs in an orderly way; unfinished large exports are given back. */
  stop(): Promise<void>;
}

/** Exports take two of them at most, see `buildExport`, and mails mostly two, see mail/mail-turns.ts. */
const CONCURRENT_JOBS = 4;
/** One for each job, one to listen for new jobs, one to fetch jobs. */
const QUEUE_CONNECTIONS = CONCURRENT_JOBS + 2;
/** The queue cannot work without a connection, so it waits longer for one than a request does. */
const QUEUE_CONNECT_TIMEOUT_MS = 60_000;
/** Interval at which a worker looks for jobs it was not told of. */
const POLL_INTERVAL_MS = 2_000;
/** Time that a stop leaves jobs before it tells them to give up. */
const GRACE_MS = 2_000;
const RESTART_PAUSE_MS = 2_000;
/** Interval at which the next turns of clock-driven tasks are queued; shorter than a minute. */
const TURNS_INTERVAL_MS = 15_000;

/** The background side of a process: deliveries, and everything in jobs/tasks. */
export async function startWorker(context: Context): Promise<Worker> {
  const { dispatcher } = context;
  const queue = await startQueue(context);
  dispatcher.start();
  return {
    async stop() {
      await Promise.all([dispatcher.stop(), queue.stop()]);
    },
  };
}

async function startQueue(context: Context): Promise<Worker> {
  const { config, connection, log, db } = context;
  const turns = turnsOf(config);
  const onError = (err: Error) => log.warn({ err }, 'a database connection of the queue broke');
  const pgPool = openPool(connection, onError, {
    max: QUEUE_CONNECTIONS,
    connectionTimeoutMillis: QUEUE_CONNECT_TIMEOUT_MS,
  });
  const long = openLongDatabase(context);
  const options = {
    pgPool,
    concurrency: CONCURRENT_JOBS,
    pollInterval: POLL_INTERVAL_MS,
    gracefulShutdownAbortTimeout: GRACE_MS,
    noHandleSignals: true,
    // Without a batch the queue drops the promise of a job's completion, and a lost connection ends the process. With one
    // the queue stops, and is started again below.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    logger: queueLogger(log),
    taskList: createTasks(context, long),
    // Its own cron uses the clock of the process, and stands still while that is set back.
    parsedCronItems: [],
  };
  const stopping = new AbortController();
  let runner = await begin();
  const running = Promise.all([keepRunning(), keepTurns()]);

  return {
    async stop() {
      stopping.abort();
      await runner.stop().catch(() => {});
      await running;
      // One may have been starting again meanwhile; stopping twice is harmless.
      await runner.stop().catch(() => {});
      await close();
    },
  };

  /**
   * After a failed start, open connections would keep the process from ending, and a running queue would go on taking
   * jobs.
   */
  async function begin(): Promise<Runner> {
    try {
      // A queue that takes no job ends the start.
      await lookForExports();
      return await run(options);
    } catch (error) {
      await close();
      throw error;
    }
  }

  async function close(): Promise<void> {
    await Promise.all([pgPool.end(), long.close()]);
  }

  /** Exports of a process that died are waited for, so they are resumed more often than by the clock. */
  function lookForExports(): Promise<void> {
    return enqueue(db, 'resume_exports', {}, { key: 'resume_exports', maxAttempts: 1 });
  }

  async function keepTurns(): Promise<void> {
    while (!stopping.signal.aborted) {
      await undoClockAhead(long.db, turns).then(
        (seconds) => {
          if (seconds > 0)
            log.warn({ seconds }, 'the clock of the database was set back; what waited is brought forward');
        },
        (err) => log.warn({ err }, 'what waits since the clock of the database was ahead could not be found'),
      );
      await lookForExports().catch((err) =>
        log.warn({ err }, 'exports that nobody works on could not be looked for'),
      );
      await freeLostMails(db).then(
        (mails) => {
          if (mails > 0) log.warn({ mails }, 'mails of a process that died are sent');
        },
        (err) => log.warn({ err }, 'mails of a process that died could not be looked for'),
      );
      await enqueueNextTurns(db, turns).catch((err) =>
        log.warn({ err }, 'what runs by the clock could not be put into the queue'),
      );
      await sleep(TURNS_INTERVAL_MS, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  /** The queue gives up when its database is away for long, and has to work again when it is back. */
  async function keepRunning(): Promise<void> {
    while (!stopping.signal.aborted) {
      await ended(runner);
      if (stopping.signal.aborted) return;
      log.error('the job queue stopped and starts again');
      await sleep(RESTART_PAUSE_MS, undefined, { signal: stopping.signal }).catch(() => {});
      if (!stopping.signal.aborted) runner = await run(options).catch(() => runner);
    }
  }

  async function ended({ promise }: Runner): Promise<void> {
    await promise.catch((err) => log.error({ err }, 'the job queue failed'));
  }
}

/**
 * Only failed jobs are worth logging. The queue puts the error's message into its text, where `describeError` cannot
 * remove what people wrote, so such a line gets our own text.
 */
export function queueLogger(log: Pino): Logger {
  return new Logger((scope) => (level, message, meta) => {
    const { job, error, fatalError } = (meta ?? {}) as { job?: Job; error?: unknown; fatalError?: unknown };
    const err = error ?? fatalError;
    const fields = {
      jobId: job?.id ?? scope.jobId,
      task: job?.task_identifier ?? scope.taskIdentifier,
      ...(job && { attempt: job.attempts, maxAttempts: job.max_attempts }),
      ...(err !== undefined && { err }),
    };
    const ours = job ? 'a job failed' : 'the job queue met an error';
    const text = err === undefined ? message : ours;
    if (level === 'error') log.error(fields, text);
    else if (level === 'warning') log.warn(fields, text);
    else log.debug(fields, text);
  });
}
