import type pg from 'pg';
import { unavailable } from '../../http/errors.ts';
import type { NewSubmission } from './batch.ts';
import { type Backlog, createIntakeLane, type LaneParts, type Waiting } from './lane.ts';
import type { IntakeOutcome } from './outcomes.ts';
import type { Sender } from './outgoing.ts';
import { takesWrites } from './queries.ts';

export interface Intake {
  /** Resolves after the commit. @throws HttpError 503 when the database does not answer in time. */
  add(submission: NewSubmission): Promise<IntakeOutcome>;
  /** Whether submissions can be stored. @throws the error of the database */
  isReady(): Promise<boolean>;
  /** Resolves when everything that was added is stored or refused. */
  drain(): Promise<void>;
}

/** When this many submissions wait, new ones are refused with 503 instead of piling up in memory. */
const MAX_WAITING = 20_000;
/** Limit for all that wait together, in characters of answers and delivery bodies. */
const MAX_WAITING_LENGTH = 256 * 1024 * 1024;
/** How long submissions of a form that was found locked take the second lane. */
const LOCKED_MS = 1_000;
/**
 * Characters of answers and delivery bodies. A longer submission is stored in the second lane: with a long body for each of fifty
 * webhooks it may take the database seconds.
 */
const MAX_SHARED_LENGTH = 4 * 1024 * 1024;
/** For so long a statement that stored proves that the next one can. */
const PROOF_MS = 2_000;

/**
 * Stores submissions in batches without ever waiting for one to fill. The common lane waits for no lock. Submissions whose form is
 * locked, because somebody changes it or deletes from it, wait in a second lane, where very long ones are stored too. So a form
 * that is locked for long holds up no other.
 * @param pool has two connections, one for each lane
 */
export function createIntake(
  pool: pg.Pool,
  onFlush: (batchSize: number, durationMs: number) => void,
  sender: Sender,
): Intake {
  const backlog: Backlog = { count: 0, length: 0 };
  let flushedAt = Number.NEGATIVE_INFINITY;
  const parts: LaneParts = {
    pool,
    sender,
    onFlush(batchSize, durationMs) {
      flushedAt = performance.now();
      onFlush(batchSize, durationMs);
    },
    backlog,
  };
  /** By form: until when its submissions take the second lane, by `performance.now()`. */
  const lockedUntil = new Map<number, number>();
  const patient = createIntakeLane(parts);
  const common = createIntakeLane({ ...parts, onLocked: waitForLock });

  function waitForLock(waiting: Waiting): void {
    lockedUntil.set(waiting.submission.formId, performance.now() + LOCKED_MS);
    patient.add(waiting);
  }

  function isLocked(formId: number): boolean {
    const until = lockedUntil.get(formId);
    if (until === undefined) return false;
    if (until > performance.now()) return true;
    lockedUntil.delete(formId);
    return false;
  }

  return {
    add(submission) {
      const length = lengthOf(submission);
      const isTooMuch = backlog.count >= MAX_WAITING || backlog.length + length > MAX_WAITING_LENGTH;
      if (isTooMuch) return Promise.reject(unavailable());
      const lane = length > MAX_SHARED_LENGTH || isLocked(submission.formId) ? patient : common;
      return new Promise((resolve, reject) => {
        lane.add({ submission, length, since: performance.now(), resolve, reject });
      });
    },
    // Under load both connections are held, and the last statement says as much as another one.
    isReady: async () => performance.now() < flushedAt + PROOF_MS || takesWrites(pool),
    async drain() {
      await common.drain();
      await patient.drain();
    },
  };
}

function lengthOf(submission: NewSubmission): number {
  let length = submission.data.length;
  for (const { head, tail } of submission.deliveries) length += head.length + tail.length;
  return length;
}
