import { textOf } from '../../fields/as-text/text-of.ts';
import { isBlank } from '../../fields/block-options/options.ts';
import { type JsonValue, ownMember } from '../../fields/property.ts';
import { cut } from '../../fields/texts/cut.ts';
import { ApiError, api, type Errors, isPassing } from '../api/client.ts';
import { formatNumber } from '../lib/format.ts';
import type { Sent } from './read-rows.ts';
import type { SourceRow } from './read-table.ts';

/** Responses and bytes per call: the service accepts 500, and 1 MiB. */
const PER_CALL = 500;
const CALL_BYTES = 900_000;
/** Most characters of an answer quoted in a problem. */
const TOLD_CHARACTERS = 80;
/** Milliseconds before a failed call is repeated. */
const PAUSE_MS = 3_000;

export interface Refused {
  row: SourceRow;
  /** Reasons for the refusal, each a sentence. */
  reasons: string[];
}

export interface CallOutcome {
  /** How many were stored, or would be. */
  stored: number;
  alreadyThere: number;
  /** Rows that would be stored. */
  fitting: SourceRow[];
  refused: Refused[];
  /** Numeric ids of stored responses. */
  ids: number[];
}

interface Item {
  row: SourceRow;
  sent: Sent;
}

interface Sending {
  form: number;
  rows: readonly SourceRow[];
  read: (row: SourceRow) => Sent;
  isCheck: boolean;
  /** Rows that may be stored although the response was lost; they are added here. */
  uncertain: Set<SourceRow>;
  signal: AbortSignal;
  /** @param trouble why nothing proceeds at the moment; null when it does again */
  onTrouble(trouble: string | null): void;
  /** Resolves when the user asks to go on at once. */
  whenAsked(): Promise<void>;
}

/**
 * Sends rows batch by batch, and waits while the network is down, the service restarts, or the session has ended. A repeated
 * batch is stored only once. When stopped, it ends between two batches.
 */
export async function* sendBatches(sending: Sending): AsyncGenerator<CallOutcome & { rows: number }> {
  const firstOf = new Map<string, SourceRow>();
  for (const batch of batchesOf(sending)) {
    if (sending.signal.aborted) return;
    const { first, repeated } = apart(batch, firstOf);
    const outcome = first.length === 0 ? NONE : await sendPatiently(first, sending);
    if (outcome === null) return;
    yield { ...outcome, refused: [...outcome.refused, ...repeated], rows: batch.length };
  }
}

/** Separates rows whose id occurred before: in another call the service would take them for already stored. */
function apart(batch: Item[], firstOf: Map<string, SourceRow>): { first: Item[]; repeated: Refused[] } {
  const first: Item[] = [];
  const repeated: Refused[] = [];
  for (const item of batch) {
    const before = firstOf.get(item.sent.source_id);
    if (before) {
      const reason = `Row ${formatNumber(before.number)} has the same response id.`;
      repeated.push({ row: item.row, reasons: [reason] });
      continue;
    }
    firstOf.set(item.sent.source_id, item.row);
    first.push(item);
  }
  return { first, repeated };
}

/** Reads rows when their batch is due, so that a large file causes no wait. */
function* batchesOf({ rows, read }: Sending): Generator<Item[]> {
  const encoder = new TextEncoder();
  let batch: Item[] = [];
  let bytes = 0;
  for (const row of rows) {
    const sent = read(row);
    const size = encoder.encode(JSON.stringify(sent)).length + 1;
    if (batch.length === PER_CALL || (batch.length > 0 && bytes + size > CALL_BYTES)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push({ row, sent });
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}

/** @returns null if it was stopped while waiting */
async function sendPatiently(batch: Item[], sending: Sending): Promise<CallOutcome | null> {
  do {
    try {
      const outcome = await sendBatch(batch, sending);
      sending.onTrouble(null);
      return outcome;
    } catch (error) {
      await waitAfter(error, batch, sending);
    }
  } while (!sending.signal.aborted);
  return null;
}

/** @throws errors that do not pass */
async function waitAfter(error: unknown, batch: Item[], sending: Sending): Promise<void> {
  if (!isPassing(error) && !isSignedOut(error)) throw error;
  if (!sending.isCheck) for (const { row } of batch) sending.uncertain.add(row);
  if (sending.signal.aborted) return;
  sending.onTrouble((error as Error).message);
  await untilLater(sending, isPassing(error));
}

/** The service's messages, each after the answer concerned: which option does not exist, which number is too large. */
function reasonsOf(errors: Errors, { answers }: Sent): string[] {
  return Object.entries(errors).flatMap(([key, messages]) => {
    const answer = ownMember(answers, key) ?? ownMember(answers, key.split('.', 1)[0] ?? '');
    const told = isBlank(answer) ? '' : `“${cut(textOf(answer as JsonValue), TOLD_CHARACTERS)}”: `;
    return messages.map((message) => told + message);
  });
}

async function sendBatch(batch: Item[], sending: Sending): Promise<CallOutcome> {
  const { form, isCheck, uncertain } = sending;
  const rowAt = (index: number) => (batch[index] as Item).row;
  try {
    const answer = await api.post('/open/forms/{form}/submissions/import', {
      path: { form },
      body: { submissions: batch.map(({ sent }) => sent), check_only: isCheck, skip_invalid: true },
    });
    const isOwn = ({ index, is_new }: { index: number; is_new: boolean }) =>
      is_new || uncertain.has(rowAt(index));
    const own = answer.submissions.filter(isOwn);
    const isOut = new Set([...answer.refused, ...answer.submissions].map(({ index }) => index));
    return {
      stored: isCheck ? answer.stored : own.length,
      alreadyThere: answer.submissions.length - own.length,
      fitting: batch.filter((_, index) => !isOut.has(index)).map(({ row }) => row),
      refused: answer.refused.map(({ index, errors }) => ({
        row: rowAt(index),
        reasons: reasonsOf(errors as Errors, (batch[index] as Item).sent),
      })),
      ids: own.map(({ id }) => id),
    };
  } catch (error) {
    if (!(error instanceof ApiError) || (error.status !== 422 && error.status !== 413)) throw error;
    // The batch contains something that cannot be sent: halving it finds the row.
    const half = Math.ceil(batch.length / 2);
    if (batch.length === 1) return { ...NONE, refused: [{ row: rowAt(0), reasons: [error.message] }] };
    const first = await sendBatch(batch.slice(0, half), sending);
    const second = await sendBatch(batch.slice(half), sending);
    return {
      stored: first.stored + second.stored,
      alreadyThere: first.alreadyThere + second.alreadyThere,
      fitting: [...first.fitting, ...second.fitting],
      refused: [...first.refused, ...second.refused],
      ids: [...first.ids, ...second.ids],
    };
  }
}

const NONE: CallOutcome = { stored: 0, alreadyThere: 0, fitting: [], refused: [], ids: [] };

function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}

/** Waits until the user asks, the import is stopped or, if `isBySelf`, some time has passed. */
function untilLater({ signal, whenAsked }: Sending, isBySelf: boolean): Promise<void> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
    void whenAsked().then(resolve);
    if (isBySelf) setTimeout(resolve, PAUSE_MS);
  });
}
