import { type ParsedCronItem, parseCronItems } from 'graphile-worker';
import type { JobPayloads } from './payloads.ts';

const EVERY_MINUTE = '* * * * *';
const HOURLY = (minute: number) => `${minute} * * * *`;

/** What runs by the clock (UTC), wherever a worker runs; of several workers one does it. */
const SCHEDULE: [keyof JobPayloads, string][] = [
  ['resume_exports', EVERY_MINUTE],
  ['count_submissions', EVERY_MINUTE],
  ['count_answers', EVERY_MINUTE],
  ['fill_search_blocks', EVERY_MINUTE],
  ['send_recipient_mails', EVERY_MINUTE],
  ['purge_submissions', HOURLY(0)],
  ['purge_exports', HOURLY(5)],
  ['purge_idempotency_keys', HOURLY(10)],
  ['purge_delivery_log', HOURLY(15)],
  ['purge_sessions', HOURLY(20)],
  ['purge_failed_guesses', HOURLY(25)],
  ['purge_spent_challenges', HOURLY(30)],
  ['purge_files', HOURLY(45)],
  ['forget_traces', HOURLY(50)],
  ['purge_invites', HOURLY(35)],
  ['purge_audit_log', HOURLY(40)],
  ['purge_drafts', HOURLY(40)],
];

export function cronItems(): ParsedCronItem[] {
  // By its key one of a kind waits at most. The queue does not wait for one that runs, so what may take long and is due every
  // minute ends within it (see unhurried). The next turn of the clock is the retry.
  return parseCronItems(
    SCHEDULE.map(([task, match]) => ({ task, match, options: { jobKey: task, maxAttempts: 1 } })),
  );
}

/** Whether a task runs by the clock: what one run did not do, the next one does. */
export function isScheduled(task: string): boolean {
  return SCHEDULE.some(([scheduled]) => scheduled === task);
}
