import type { Db } from '../db/database.ts';
import { outboxSize } from '../deliveries/queries.ts';
import { type Check, ok, type Verdict, warn } from './finding.ts';
import { countStuckExports, countSurrendered, countTroubledJobs } from './queries.ts';

/** What should have been begun longer ago than this waits for something that is not there. */
const LATE_SECONDS = 600;
const LOOK_AT_WORKER = 'See that a process with the role worker runs, and what its log says.';

/** Whether the work behind the answers goes on; of a database whose schema is current. */
export function workChecks(db: Db): Check[] {
  const check = (name: string, examine: () => Promise<Verdict>): Check => ({
    name,
    mend: 'Look at the log of PostgreSQL.',
    examine,
  });
  return [
    check('deliveries', () => deliveries(db)),
    check('integrations', () => integrations(db)),
    check('jobs', () => jobs(db)),
    check('exports', () => exports(db)),
  ];
}

async function deliveries(db: Db): Promise<Verdict> {
  const { depth, oldestAgeSeconds } = await outboxSize(db);
  if (oldestAgeSeconds <= LATE_SECONDS) return ok(`${depth} to send`);
  const minutes = Math.floor(oldestAgeSeconds / 60);
  return warn(`${depth} to send, the oldest due for ${minutes} minutes`, LOOK_AT_WORKER);
}

async function integrations(db: Db): Promise<Verdict> {
  const count = await countSurrendered(db);
  if (count === 0) return ok('none was made inactive by failures');
  return warn(
    `${count} made inactive because the receiver failed for days or is gone`,
    'Their owners find the reason in the integration; made active again, it sends what waits.',
  );
}

async function jobs(db: Db): Promise<Verdict> {
  const troubled = await countTroubledJobs(db, LATE_SECONDS);
  const words = troubled.flatMap(({ task, dead, failing, late }) => [
    ...(dead > 0 ? [`${dead} ${task} given up`] : []),
    ...(failing > 0 ? [`${failing} ${task} failed, to be tried again`] : []),
    ...(late > 0 ? [`${late} ${task} late`] : []),
  ]);
  return words.length === 0 ? ok('none failed or late') : warn(words.join('; '), LOOK_AT_WORKER);
}

async function exports(db: Db): Promise<Verdict> {
  const count = await countStuckExports(db, LATE_SECONDS);
  return count === 0 ? ok('none stuck') : warn(`${count} nobody works on`, LOOK_AT_WORKER);
}
