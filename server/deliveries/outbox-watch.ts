import type { Logger } from 'pino';
import type { Db } from '../db/database.ts';
import { findDueIntegrations } from './outbox-queries.ts';

/** Finds what nobody said, and knows whether the database answers. */
export interface OutboxWatch {
  start(): void;
  /** A search that is under way may still end. */
  stop(): void;
  readonly isDatabaseDown: boolean;
  /** Nothing should be claimed until the next search succeeds. */
  databaseFailed(error: unknown): void;
}

interface Parts {
  db: Db;
  log: Logger;
  canMail: boolean;
  /** The database answers after a while in which it did not. */
  onRecovery(): void;
  /** Integrations with deliveries that are due, after each search that succeeded. */
  onDue(integrationIds: readonly number[]): void;
  inBackground(work: Promise<void>): void;
}

/** How often the outbox is searched for what nobody said: retries, other processes, crashes. */
const INTERVAL_MS = 1000;
/** Integrations found by one search; the next one goes on behind them. */
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
