import type pg from 'pg';
import { ArrayWriter } from '../../db/array-writer.ts';
import { databaseProblem } from '../../db/constraint-errors.ts';
import { holdConnection } from '../../db/held-connection.ts';
import type { NewSubmission } from './batch.ts';
import type { BatchOutcome, IntakeOutcome, StoredBatch } from './outcomes.ts';
import { passOn, reserveOutgoing, type Sender } from './outgoing.ts';
import { storeSubmissions } from './queries.ts';

/** Stores submissions in batches, one statement at a time. */
interface IntakeLane {
  add(waiting: Waiting): void;
  /** Resolves when everything that was added is stored or refused. */
  drain(): Promise<void>;
}

/** A submission that waits to be stored. */
export interface Waiting {
  submission: NewSubmission;
  /** Characters of answers and delivery bodies. */
  length: number;
  /** When it began to wait, by `performance.now()`. */
  since: number;
  resolve(outcome: IntakeOutcome): void;
  reject(error: unknown): void;
}

export interface LaneParts {
  pool: pg.Pool;
  sender: Sender;
  onFlush: (batchSize: number, durationMs: number) => void;
  /** What waits in all lanes together. */
  backlog: Backlog;
  /** Takes over submissions of locked forms; without it the lane's statements wait for the locks. */
  onLocked?: (waiting: Waiting) => void;
}

export interface Backlog {
  count: number;
  /** Characters of answers and delivery bodies. */
  length: number;
}

/** The result of a statement. */
interface Flushed {
  /** Settles the promises of those who wait for it. */
  answer(): void;
  /** The error, if the database did not answer. */
  outage?: unknown;
}

const MAX_BATCH = 256;
/** Characters of answers and delivery bodies in one statement, so that large submissions do not add up. */
const MAX_BATCH_LENGTH = 8 * 1024 * 1024;
/** When a statement times out, submissions that waited longer than this behind it are refused too: the next one may take as long. */
const PATIENCE_MS = 1_000;
/** How often a statement is repeated that the database rolled back because of another transaction (SQLSTATE class 40). */
const MAX_RETRIES = 3;

/** While a statement is under way, new submissions queue up; the next statement takes them all. One statement is one commit. */
export function createIntakeLane({ pool, sender, onFlush, backlog, onLocked }: LaneParts): IntakeLane {
  let waiting: Waiting[] = [];
  let flushing: Promise<void> | null = null;
  const connection = holdConnection(pool);
  const writer = new ArrayWriter();

  function add(one: Waiting): void {
    backlog.count++;
    backlog.length += one.length;
    waiting.push(one);
    flushing ??= flushAll();
  }

  async function flushAll(): Promise<void> {
    // Submissions of the same turn may be a few promises behind this one, and should share its statement.
    await new Promise<void>(process.nextTick);
    let last: Flushed = { answer() {} };
    while (waiting.length > 0) {
      const next = flush(takeBatch());
      // Answering a batch takes as long as storing one, so the last batch is answered while this one is being stored.
      last.answer();
      last = await next;
      if (last.outage !== undefined) refuseImpatient(last.outage);
    }
    connection.letGo();
    flushing = null;
    last.answer();
  }

  function takeBatch(): Waiting[] {
    let count = 0;
    let length = 0;
    for (; count < waiting.length && count < MAX_BATCH && length < MAX_BATCH_LENGTH; count++)
      length += waiting[count]?.length ?? 0;
    backlog.count -= count;
    backlog.length -= length;
    return waiting.splice(0, count);
  }

  /** Otherwise they would wait for one timeout after the other. */
  function refuseImpatient(error: unknown): void {
    const latest = performance.now() - PATIENCE_MS;
    const impatient = waiting.filter(({ since }) => since < latest);
    waiting = waiting.filter(({ since }) => since >= latest);
    backlog.count -= impatient.length;
    for (const { length } of impatient) backlog.length -= length;
    refuse(impatient, error);
  }

  function refuse(refused: Waiting[], error: unknown): void {
    for (const { reject } of refused) reject(error);
  }

  async function flush(batch: Waiting[]): Promise<Flushed> {
    const startedAt = performance.now();
    try {
      const outcomes = await storePersistently(batch.map(({ submission }) => submission));
      onFlush(batch.length, performance.now() - startedAt);
      return { answer: () => batch.forEach((one, index) => void tell(one, outcomes[index])) };
    } catch (error) {
      if (databaseProblem(error) === 'unavailable')
        return { answer: () => refuse(batch, error), outage: error };
      // One submission that the database refuses must not take its neighbours down.
      return batch.length > 1 ? flushHalves(batch) : { answer: () => refuse(batch, error) };
    }
  }

  function tell(one: Waiting, outcome: BatchOutcome = { kind: 'stale' }): void {
    if (outcome.kind === 'locked') onLocked?.(one);
    else one.resolve(outcome);
  }

  /** Finds the submission that the database refuses in a few steps, however large the batch. */
  async function flushHalves(batch: Waiting[]): Promise<Flushed> {
    const middle = batch.length >> 1;
    const first = await flush(batch.slice(0, middle));
    first.answer();
    const rest = batch.slice(middle);
    // The rest is refused unasked: it would only wait for the next timeout.
    if (first.outage !== undefined) return { ...first, answer: () => refuse(rest, first.outage) };
    return flush(rest);
  }

  /** Repeats what failed through a deadlock with an operator's own SQL, or through stricter isolation than needed. */
  async function storePersistently(batch: NewSubmission[]): Promise<BatchOutcome[]> {
    for (let retries = 0; ; retries++) {
      try {
        return await store(batch);
      } catch (error) {
        const isCalledOff = String((error as { code?: string }).code).startsWith('40');
        if (!isCalledOff || retries === MAX_RETRIES) throw error;
      }
    }
  }

  async function store(batch: NewSubmission[]): Promise<BatchOutcome[]> {
    const outgoing = reserveOutgoing(batch, sender);
    let stored: StoredBatch = { outcomes: [], submissionIds: [], deliveryIds: [] };
    try {
      const options = { writer, skipsLocked: onLocked !== undefined };
      stored = await storeSubmissions(connection, batch, outgoing, options);
    } finally {
      // Also after an error: room that was reserved is given back. If the statement did store, the leases of its deliveries run out.
      passOn(outgoing, stored, sender);
    }
    return stored.outcomes;
  }

  return {
    add,
    async drain() {
      while (flushing) await flushing;
    },
  };
}
