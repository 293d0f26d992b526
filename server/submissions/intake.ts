import type pg from 'pg';
import { databaseProblem } from '../db/constraint-errors.ts';
import { unavailable } from '../http/errors.ts';
import {
  createBodyRoom,
  outgoingParameters,
  passOn,
  reserveOutgoing,
  type Sender,
  type StoredSubmission,
} from './outgoing.ts';
import { type IntakeOutcome, type NewSubmission, type StoredRow, storeSubmissions } from './store-queries.ts';

export interface Intake {
  /** Resolves after the commit. @throws HttpError 503 when the database does not answer in time. */
  add(submission: NewSubmission): Promise<IntakeOutcome>;
  /** Waits for what was added. */
  drain(): Promise<void>;
}

interface Waiting {
  submission: NewSubmission;
  /** Characters of answers and bodies. */
  length: number;
  /** By `performance.now()`. */
  since: number;
  resolve(outcome: IntakeOutcome): void;
  reject(error: unknown): void;
}

const MAX_BATCH = 256;
/** Characters of answers and bodies in one statement, so that large submissions do not add up. */
const MAX_BATCH_LENGTH = 8 * 1024 * 1024;
/** Beyond this many waiting submissions new ones are refused with 503 instead of piling up in memory. */
const MAX_WAITING = 20_000;
/** The same for their characters of answers and bodies. */
const MAX_WAITING_LENGTH = 256 * 1024 * 1024;
/** Whoever waited longer behind a statement that timed out is refused with it: the next one may take as long. */
const PATIENCE_MS = 1_000;
/** SQLSTATE 40: the database called the statement off because of another transaction. It is made anew so often. */
const MAX_RETRIES = 3;

/**
 * Stores submissions in batches without ever waiting for one to fill: while a statement is under way new arrivals
 * queue up, and the next statement takes them all. One statement is one commit, synchronous and complete.
 */
export function createIntake(
  pool: pg.Pool,
  onFlush: (batchSize: number, durationMs: number) => void,
  sender: Sender,
): Intake {
  let waiting: Waiting[] = [];
  let waitingLength = 0;
  let flushing: Promise<void> | null = null;
  /** One statement is under way at a time. */
  const room = createBodyRoom();

  function add(submission: NewSubmission): Promise<IntakeOutcome> {
    const isTooMuch = waiting.length >= MAX_WAITING || waitingLength >= MAX_WAITING_LENGTH;
    if (isTooMuch) return Promise.reject(unavailable());
    return new Promise((resolve, reject) => {
      const length = lengthOf(submission);
      waitingLength += length;
      waiting.push({ submission, length, since: performance.now(), resolve, reject });
      flushing ??= flushAll();
    });
  }

  async function flushAll(): Promise<void> {
    // The rest of this turn of the event loop may bring more.
    await new Promise(setImmediate);
    while (waiting.length > 0) await flush(takeBatch());
    flushing = null;
  }

  function takeBatch(): Waiting[] {
    let count = 0;
    let length = 0;
    for (; count < waiting.length && count < MAX_BATCH && length < MAX_BATCH_LENGTH; count++)
      length += waiting[count]?.length ?? 0;
    waitingLength -= length;
    return waiting.splice(0, count);
  }

  /** Nobody waits for one timeout after the other. */
  function refuseImpatient(error: unknown): void {
    const latest = performance.now() - PATIENCE_MS;
    const refused = waiting.filter(({ since }) => since < latest);
    waiting = waiting.filter(({ since }) => since >= latest);
    for (const { length, reject } of refused) {
      waitingLength -= length;
      reject(error);
    }
  }

  async function flush(batch: Waiting[]): Promise<void> {
    const startedAt = performance.now();
    try {
      const outcomes = await storePersistently(batch.map(({ submission }) => submission));
      onFlush(batch.length, performance.now() - startedAt);
      batch.forEach(({ resolve }, index) => void resolve(outcomes[index] ?? { kind: 'stale' }));
    } catch (error) {
      // One submission the database refuses must not take its neighbours down.
      if (batch.length > 1 && databaseProblem(error) !== 'unavailable')
        for (const one of batch) await flush([one]);
      else {
        for (const { reject } of batch) reject(error);
        refuseImpatient(error);
      }
    }
  }

  /** A deadlock with somebody's own SQL, or isolation that is stricter than needed, is nobody's fault who submits. */
  async function storePersistently(batch: NewSubmission[]): Promise<IntakeOutcome[]> {
    for (let retries = 0; ; retries++) {
      try {
        return await store(batch);
      } catch (error) {
        const isCalledOff = String((error as { code?: string }).code).startsWith('40');
        if (!isCalledOff || retries === MAX_RETRIES) throw error;
      }
    }
  }

  async function store(batch: NewSubmission[]): Promise<IntakeOutcome[]> {
    const outgoing = reserveOutgoing(batch, sender);
    let rows: StoredRow[] = [];
    try {
      rows = await storeSubmissions(pool, batch, outgoingParameters(outgoing, room));
    } finally {
      // What was not stored, and what nobody knows of: its lease ends.
      passOn(outgoing, rows.map(storedOf), sender);
    }
    return rows.map(([kind, isFirst]) =>
      kind === 'stored' ? { kind, isFirst } : { kind },
    ) as IntakeOutcome[];
  }

  return {
    add,
    async drain() {
      while (flushing) await flushing;
    },
  };
}

function lengthOf(submission: NewSubmission): number {
  let length = submission.data.length;
  for (const { head, tail } of submission.deliveries) length += head.length + tail.length;
  return length;
}

function storedOf([kind, , submissionId, ids]: StoredRow): StoredSubmission | null {
  if (kind !== 'stored' || submissionId === null) return null;
  return { id: submissionId, takenIds: ids?.split(',').map(Number) ?? [] };
}
