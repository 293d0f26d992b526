import { randomUUID } from 'node:crypto';
import type { Dispatcher } from '../../deliveries/dispatcher.ts';
import { type NewDelivery, type PayloadHalves, wholeBody } from '../../deliveries/payload.ts';

/** The part of the dispatcher that the intake hands deliveries to. */
export type Sender = Pick<Dispatcher, 'reserve' | 'take' | 'drop' | 'wake'>;

/** One delivery of a batch, on its way into the database. */
export interface Outgoing extends NewDelivery {
  /** Index of its submission in the batch. */
  n: number;
  formId: number;
  webhookId: string;
  /** The sender has room for it: it is stored as already claimed, and its body handed over in memory. */
  isTaken: boolean;
  /** By `performance.now()`, before it is stored: its lease ends no earlier than counted from here. */
  claimedAt: number;
}

/** Lists the deliveries of a batch, and reserves room at the sender where there is any; `passOn` must follow. */
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

/** Characters, without the id between `head` and `tail`. */
function lengthOf({ head, tail }: PayloadHalves): number {
  return head.length + tail.length;
}

/**
 * Hands what was stored to the sender, and gives back the room that was reserved for the rest.
 * @param submissionIds by index in the batch
 * @param deliveryIds in the order of `outgoing`; 0, or missing, where nothing was stored
 */
export function passOn(
  outgoing: readonly Outgoing[],
  { submissionIds, deliveryIds }: { submissionIds: readonly number[]; deliveryIds: readonly number[] },
  sender: Sender,
): void {
  const waiting = new Set<number>();
  outgoing.forEach((delivery, index) => {
    const { n, formId, integrationId, webhookId, isTaken, claimedAt } = delivery;
    const id = deliveryIds[index];
    if (id && isTaken) {
      const body = wholeBody(delivery, submissionIds[n] ?? 0);
      sender.take({ formId, id, integrationId, webhookId, body, attemptsMade: 0 }, claimedAt);
    } else if (isTaken) sender.drop(integrationId);
    else if (id) waiting.add(integrationId);
  });
  if (waiting.size > 0) sender.wake(waiting);
}
