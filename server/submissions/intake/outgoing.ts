import { randomUUID } from 'node:crypto';
import type { Dispatcher } from '../../deliveries/dispatcher.ts';

/** Of one UTF-16 code unit. */
const MAX_UTF8_BYTES = 3;
/** Room for more than this is given back after use. */
const MAX_KEPT_BYTES = 4 * 1024 * 1024;

/** Whoever sends what the intake stores. */
export type Sender = Pick<Dispatcher, 'reserve' | 'take' | 'drop' | 'wake'>;

/** A delivery whose body is `head`, the submission's numeric id, `tail`. */
export interface NewDelivery {
  integrationId: number;
  isMail: boolean;
  head: string;
  tail: string;
}

/** One delivery of a batch, on its way into the database. */
export interface Outgoing extends NewDelivery {
  /** Place of its submission in the batch. */
  n: number;
  formId: number;
  webhookId: string;
  /** The sender has room for it: it is stored as claimed, and nobody has to claim and read it. */
  isTaken: boolean;
  /** By `performance.now()`, before it was stored. */
  claimedAt: number;
}

export interface StoredSubmission {
  id: number;
  /** Ids of the deliveries that are taken, in their order. */
  takenIds: number[];
}

/** The deliveries of a batch, with room at the sender where there is any; `passOn` must follow. */
export function reserveOutgoing(
  batch: readonly { formId: number; deliveries: NewDelivery[] }[],
  sender: Sender,
): Outgoing[] {
  const claimedAt = performance.now();
  return batch.flatMap(({ formId, deliveries }, n) =>
    deliveries.map((delivery) => ({
      ...delivery,
      n,
      formId,
      webhookId: randomUUID(),
      isTaken: !delivery.isMail && sender.reserve(delivery.integrationId),
      claimedAt,
    })),
  );
}

/** Where the bodies of one batch after the other are put together. */
export type BodyRoom = (bytes: number) => Buffer;

/**
 * Hands out the same bytes again and again. V8 collects garbage by the size of buffers too, although none of it lies in its heap: a
 * new one for each batch made the collector take a third of the processor time of the service.
 */
export function createBodyRoom(): BodyRoom {
  let kept = Buffer.alloc(0);
  return (bytes) => {
    if (bytes > MAX_KEPT_BYTES) return Buffer.allocUnsafe(bytes);
    if (bytes > kept.length) kept = Buffer.allocUnsafeSlow(Math.min(bytes * 2, MAX_KEPT_BYTES));
    return kept;
  };
}

/**
 * The deliveries as JSON, and the bytes of their bodies one after the other: text in JSON would be escaped here and read
 * again there, which costs more than everything else of a delivery. They lie in `room` until it is asked for the next ones.
 */
export function outgoingParameters(
  outgoing: readonly Outgoing[],
  room: BodyRoom,
): [deliveries: string, bodies: Buffer] {
  const size = outgoing.reduce((sum, { head, tail }) => sum + head.length + tail.length, 0);
  const bodies = room(size * MAX_UTF8_BYTES);
  let end = 0;
  const rows = outgoing.map(({ n, integrationId, webhookId, isTaken, head, tail }) => {
    // PostgreSQL counts from 1.
    const start = end + 1;
    const headLength = bodies.write(head, end);
    const tailLength = bodies.write(tail, end + headLength);
    end += headLength + tailLength;
    const body = `"start":${start},"head":${headLength},"tail":${tailLength}`;
    return `{"n":${n},"integration_id":${integrationId},"webhook_id":"${webhookId}","is_taken":${isTaken},${body}}`;
  });
  return [`[${rows.join(',')}]`, bodies.subarray(0, end)];
}

/** Hands over what was stored, by the places of the batch; what is missing there was not. */
export function passOn(
  outgoing: readonly Outgoing[],
  stored: readonly (StoredSubmission | null)[],
  sender: Sender,
): void {
  const waiting = new Set<number>();
  for (const { n, formId, integrationId, webhookId, isTaken, claimedAt, head, tail } of outgoing) {
    const submission = stored[n];
    const id = isTaken ? submission?.takenIds.shift() : undefined;
    if (submission && id !== undefined) {
      const body = `${head}${submission.id}${tail}`;
      sender.take({ formId, id, integrationId, webhookId, body, attemptsMade: 0 }, claimedAt);
    } else if (isTaken) sender.drop(integrationId);
    else if (submission) waiting.add(integrationId);
  }
  if (waiting.size > 0) sender.wake(waiting);
}
