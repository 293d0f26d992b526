import { randomUUID } from 'node:crypto';
import type { Dispatcher } from '../../deliveries/dispatcher.ts';

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
      isTaken: !delivery.isMail && sender.reserve(delivery.integrationId, lengthOf(delivery)),
      claimedAt,
    })),
  );
}

/** But for the number in it. */
function lengthOf({ head, tail }: NewDelivery): number {
  return head.length + tail.length;
}

/**
 * Hands over what was stored.
 * @param submissionIds by place in the batch
 * @param deliveryIds in the order of `outgoing`; 0, or none, for what was not stored
 */
export function passOn(
  outgoing: readonly Outgoing[],
  { submissionIds, deliveryIds }: { submissionIds: readonly number[]; deliveryIds: readonly number[] },
  sender: Sender,
): void {
  const waiting = new Set<number>();
  outgoing.forEach(({ n, formId, integrationId, webhookId, isTaken, claimedAt, head, tail }, index) => {
    const id = deliveryIds[index];
    if (id && isTaken) {
      const body = `${head}${submissionIds[n]}${tail}`;
      sender.take({ formId, id, integrationId, webhookId, body, attemptsMade: 0 }, claimedAt);
    } else if (isTaken) sender.drop(integrationId);
    else if (id) waiting.add(integrationId);
  });
  if (waiting.size > 0) sender.wake(waiting);
}
