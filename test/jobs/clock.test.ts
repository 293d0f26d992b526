import { afterEach, beforeEach, test, vi } from 'vitest';
import { SCHEDULE } from '../../server/jobs/schedule.ts';
import { startService, type TestService } from '../setup/service.ts';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.ts';
import { until } from '../setup/until.ts';

const DAY_MS = 86_400_000;
const EVERYTHING = SCHEDULE.map(({ task }) => task).sort();

/** The clock of the service's machine, which may be wrong. The clock of the database is right. */
const RealDate = Date;
let shiftMs = 0;
class ShiftedDate extends RealDate {
  constructor(...values: unknown[]) {
    if (values.length === 0) super(ShiftedDate.now());
    else super(...(values as [number]));
  }
  static override now(): number {
    return RealDate.now() + shiftMs;
  }
}

let database: TestDatabase;
let service: TestService | null;
beforeEach(async () => {
  vi.stubGlobal('Date', ShiftedDate);
  database = await createTestDatabase();
  service = null;
});
afterEach(async () => {
  vi.unstubAllGlobals();
  await service?.stop();
  await database.drop();
});

async function start(): Promise<TestService> {
  service = await startService({ database, env: { SECRET_KEY: 'ab'.repeat(32) } });
  return service;
}

/** Waits until all scheduled tasks are in the queue, each for its next time by the clock of the database. */
async function untilAllWait({ context }: TestService): Promise<void> {
  await until(
    async () => {
      const { rows } = await context.pool.query(
        `select key, extract(minute from run_at at time zone 'UTC')::int as minute, run_at - now() < interval '1 minute' as "isSoon"
         from graphile_worker._private_jobs
         where key = any($1) and run_at > now() - interval '1 minute' and run_at < now() + interval '1 hour'
         order by key`,
        [EVERYTHING],
      );
      return (
        rows.every(({ key, minute, isSoon }) => {
          const turn = SCHEDULE.find(({ task }) => task === key);
          return turn?.minute === null ? isSoon : turn?.minute === minute;
        }) && rows.length === EVERYTHING.length
      );
    },
    { what: 'a next turn for everything' },
  );
}

test.each([3, -3, 400])('what runs by the clock runs although the service’s is %i days off', async (days) => {
  shiftMs = days * DAY_MS;
  await untilAllWait(await start());
});

test('what waits for a day that a clock which was ahead had named is brought forward', async () => {
  shiftMs = 0;
  const before = await start();
  await untilAllWait(before);
  await before.context.pool.query(
    `update graphile_worker._private_jobs set run_at = run_at + interval '3 days' where key = any($1)`,
    [EVERYTHING],
  );
  await before.stop();
  await untilAllWait(await start());
});
