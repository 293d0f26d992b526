import type { Logger } from 'pino';
import type { Db } from '../db/database.ts';
import { findDueIntegrations } from './outbox-queries.ts';

/** Finds due deliveries that nobody has woken the dispatcher for, and knows whether the database answers. */
interface OutboxWatch {
  start(): void;
  /** Starts no further search; one under way goes on. */
  stop(): void;
  readonly isDatabaseDown: boolean;
  /** Counts the database as down until the next search succeeds. */
  databaseFailed(error: unknown): void;
}

interface Parts {
  db: Db;
  log: Logger;
  canMail: boolean;
  /** Called when the database answers again. */
  onRecovery(): void;
  /** Called after each successful search, with integrations that have due deliveries. */
  onDue(integrationIds: readonly number[]): void;
  inBackground(work: Promise<void>): void;
}

/** Between two searches for retries, and for what other processes or crashes have left in the outbox. */
const INTERVAL_MS = 1000;
/** Integrations per search; the next search goes on after them. */
const LIMIT = 1000;

export function createOutboxWatch({ db, log, canMail, onRecovery, onDue, inBackground }: Parts): OutboxWatch {
  let timer: NodeJS.Timeout | undefined;
  let isRunning = false;
  let isDatabaseDown = false;
  let afterId = 0;

  async function search(): Promise<void> {
    try {
      const due = await findDueIntegrations(db, afterId, LIMIT, canMail);
      afterId = due.length === LIMIT ? (due.at(-1) ?? 0) : 0;
      if (isDatabaseDown) databaseAnswered();
      onDue(due);
    } catch (error) {
      databaseFailed(error);
    }
    if (isRunning) timer = setTimeout(() => inBackground(search()), INTERVAL_MS);
  }

  function databaseAnswered(): void {
    isDatabaseDown = false;
    log.info('deliveries go on: the database answers again');
    onRecovery();
  }

  function databaseFailed(error: unknown): void {
    if (!isDatabaseDown) log.error({ err: error }, 'deliveries wait: the database does not answer');
    isDatabaseDown = true;
  }

  return {
    start() {
      isRunning = true;
      inBackground(search());
    },
    stop() {
      isRunning = false;
      clearTimeout(timer);
    },
    get isDatabaseDown() {
      return isDatabaseDown;
    },
    databaseFailed,
  };
}
