import { type LastBackup, lastBackup } from '../backup/made-backups-queries.ts';
import type { Db } from '../db/database.ts';
import { outboxSize } from '../deliveries/outbox-size-queries.ts';
import { type Check, ok, type Verdict, warn } from './finding.ts';
import {
  countStuckExports,
  countSurrendered,
  countTroubledJobs,
  type RecentAttempts,
  recentAttempts,
} from './queries.ts';

/** Work that is due this long without a start waits for something that is missing. */
const LATE_SECONDS = 600;
/** With this many attempts, at least one should have reached a running receiver. */
const TELLING_ATTEMPTS = 5;
/** An older backup counts as forgotten. */
const OLD_BACKUP_DAYS = 7;
/** Of backups by the clock: a day, and some tries. */
const LATE_BACKUP_SECONDS = 30 * 3_600;
const DAY_SECONDS = 86_400;
const LOOK_AT_BACKUPS =
  'See that a process with the role worker and BACKUP_TO runs, what its log says, or run formstead backup.';
const LOOK_AT_WORKER = 'See that a process with the role worker runs, and what its log says.';

/** Checks that background work goes on; for a database with the current schema. */
export function workChecks(
  db: Db,
  { canMail, isNightly }: { canMail: boolean; isNightly: boolean },
): Check[] {
  const check = (name: string, examine: () => Promise<Verdict>): Check => ({
    name,
    mend: 'Look at the log of PostgreSQL.',
    examine,
  });
  return [
    check('deliveries', () => deliveries(db, canMail)),
    check('outbound calls', async () => outboundCalls(await recentAttempts(db))),
    check('integrations', () => integrations(db)),
    check('jobs', () => jobs(db)),
    check('exports', () => exports(db)),
    check('backup', async () => backup(await lastBackup(db), isNightly)),
  ];
}

async function deliveries(db: Db, canMail: boolean): Promise<Verdict> {
  const { depth, oldestAgeSeconds } = await outboxSize(db, canMail);
  if (oldestAgeSeconds <= LATE_SECONDS) return ok(`${depth} to send`);
  const minutes = Math.floor(oldestAgeSeconds / 60);
  return warn(`${depth} to send, the oldest due for ${minutes} minutes`, LOOK_AT_WORKER);
}

/** Makes no call: the attempts of the last day show whether calls get out. */
export function outboundCalls({ made, answered, failure }: RecentAttempts): Verdict {
  if (made === 0) return ok('no deliveries in the last day');
  const found = `${answered} of ${made} attempts of the last day were answered`;
  if (answered > 0 || made < TELLING_ATTEMPTS) return ok(found);
  return warn(
    `${found}, most failed as ${failure}`,
    'Let this machine open connections to port 443 of the internet, and see that its name servers answer.',
  );
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

/**
 * Without any backup by the command there is no warning: backups may be made by other means.
 * @param isNightly whether BACKUP_TO is set
 */
export function backup(last: LastBackup | null, isNightly: boolean): Verdict {
  if (last === null && isNightly) return warn('none was made yet', LOOK_AT_BACKUPS);
  if (last === null) return ok('none was made by formstead backup');
  const days = Math.floor(last.ageSeconds / DAY_SECONDS);
  const found = days === 0 ? 'the last one is less than a day old' : `the last one is ${days} days old`;
  if (isNightly && last.ageSeconds > LATE_BACKUP_SECONDS) return warn(found, LOOK_AT_BACKUPS);
  if (days >= OLD_BACKUP_DAYS)
    return warn(found, 'Run formstead backup, or set BACKUP_TO for one every day.');
  if (last.missingFiles === 0) return ok(found);
  return warn(
    `${found}, and ${last.missingFiles} files were missing in the store`,
    'See that the file store (DATA_DIR/files, or the bucket) is complete, and back up again.',
  );
}
