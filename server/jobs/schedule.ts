import type { Config } from '../config.ts';
import type { JobPayloads } from './payloads.ts';

/** A task that runs by the clock. */
export interface Turn {
  task: keyof JobPayloads;
  /** Minute of each hour; null = every minute. */
  minute: number | null;
}

const everyMinute = (task: Turn['task']): Turn => ({ task, minute: null });
const hourly = (minute: number, task: Turn['task']): Turn => ({ task, minute });

/** Tasks of every installation that run by the database's clock, on one of all workers. */
export const SCHEDULE: readonly Turn[] = [
  everyMinute('resume_exports'),
  everyMinute('count_submissions'),
  everyMinute('count_answers'),
  everyMinute('fill_search_blocks'),
  everyMinute('send_recipient_mails'),
  everyMinute('settle_payments'),
  hourly(0, 'purge_submissions'),
  hourly(2, 'send_summaries'),
  hourly(5, 'purge_exports'),
  hourly(10, 'purge_idempotency_keys'),
  hourly(15, 'purge_delivery_log'),
  hourly(20, 'purge_sessions'),
  hourly(25, 'purge_failed_guesses'),
  hourly(30, 'purge_spent_challenges'),
  hourly(45, 'purge_files'),
  hourly(50, 'forget_traces'),
  hourly(35, 'purge_invites'),
  hourly(40, 'purge_audit_log'),
  hourly(40, 'purge_drafts'),
  hourly(55, 'empty_trash'),
];

const BACKUP = 'make_backup';

/** All turns of this process. A backup has one each hour, so that one that failed is tried again. */
export function turnsOf({ backup }: Pick<Config, 'backup'>): readonly Turn[] {
  return backup === null ? SCHEDULE : [...SCHEDULE, hourly(backup.at % 60, BACKUP)];
}

/** Whether this process takes up a task: one without a place for backups leaves them to others. */
export function takesUp({ backup }: Pick<Config, 'backup'>, task: string): boolean {
  return task !== BACKUP || backup !== null;
}

/** Whether a task runs by the clock: the next run does what one run left. */
export function isScheduled(task: string): boolean {
  return task === BACKUP || SCHEDULE.some((turn) => turn.task === task);
}
