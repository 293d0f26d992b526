import { type AttemptResult, isDelivered } from './attempt.ts';
import type { Endpoint, MailEndpoint } from './endpoints.ts';
import type { MailServerKey } from './mail-room.ts';
import type { ClaimedDelivery } from './outbox-queries.ts';

/** Requests to one integration at a time. */
const MAX_WINDOW = 5;
/** Deliveries held for a receiver that works well: those that the intake hands over wait here while others are sent. */
const MAX_HELD = 2000;
/** Longest body that the intake may hand over (characters), and that may be claimed while much is held already (bytes). */
export const MAX_SHORT = 64 * 1024;
/** Deliveries claimed at a time: few at first, more and more for a receiver that is quick. */
const MIN_QUOTA = 5;
const MAX_QUOTA = 200;
/** A request that takes less is quick, and so is a claim that follows the last one within it. */
const QUICK_MS = 1000;
/** Statuses by which a receiver asks for fewer requests; no answer at all counts the same. */
const OVERLOADED = new Set([429, 502, 503, 504]);

/** What this process holds for one integration, and how fast it may go on. */
export interface Lane {
  readonly integrationId: number;
  /** Claimed and not yet sent. */
  queue: Claim[];
  /** Reserved by the intake and not committed yet. */
  promised: number;
  inFlight: number;
  /** Requests at a time; one until the receiver has answered. */
  window: number;
  /** Deliveries of the next claim. */
  quota: number;
  lastClaimedAt: number;
  /** The outbox may hold more deliveries that are due. */
  mayHaveMore: boolean;
  isClaiming: boolean;
  isAskingForEndpoint: boolean;
  /** Nothing is known of the receiver yet. */
  isNew: boolean;
  /** The receiver does not answer, or asks for fewer requests. */
  isFailing: boolean;
  /** The last request failed or took long. */
  isStruggling: boolean;
  /** The server of its mails, which many lanes may share; null when it sends none. */
  mailServer: MailServerKey | null;
}

export interface Claim {
  delivery: ClaimedDelivery;
  /** By `performance.now()`, just before it was claimed, or stored as claimed: its lease ends no earlier than counted from here. */
  claimedAt: number;
  /** Handed over by the intake, so it has just been submitted. */
  isFresh: boolean;
}

export function newLane(integrationId: number): Lane {
  return {
    integrationId,
    queue: [],
    promised: 0,
    inFlight: 0,
    window: 1,
    quota: MIN_QUOTA,
    lastClaimedAt: Number.NEGATIVE_INFINITY,
    mayHaveMore: false,
    isClaiming: false,
    isAskingForEndpoint: false,
    isNew: true,
    isFailing: false,
    isStruggling: false,
    mailServer: null,
  };
}

/** Whether another request may go out now. */
export function maySend(lane: Lane): boolean {
  return lane.queue.length > 0 && lane.inFlight < lane.window;
}

/** Whether the lane's next delivery has just been submitted. */
export function isFresh(lane: Lane): boolean {
  return lane.queue[0]?.isFresh === true;
}

/** Lanes whose next delivery is fresh come first. */
export function byUrgency(lanes: Iterable<Lane>): Lane[] {
  const { fresh = [], old = [] } = Object.groupBy(lanes, (lane) => (isFresh(lane) ? 'fresh' : 'old'));
  return [...fresh, ...old];
}

/** Whether to claim more: already at half a quota, so that a quick receiver never waits for the database. */
export function wantsMore(lane: Lane): boolean {
  return lane.mayHaveMore && !lane.isClaiming && lane.queue.length <= lane.quota / 2;
}

/**
 * Whether the intake may hand over one more delivery. Not while older ones wait in the outbox, as they would be overtaken forever, and
 * not for a receiver that is in trouble.
 * @param length characters of its body
 * @param isFull whether all lanes together hold much
 */
export function mayTakeOver(lane: Lane, length: number, isFull: boolean): boolean {
  const hasOlder = lane.mayHaveMore || lane.isClaiming;
  const hasRoom = isFull ? holdsNothing(lane) : lane.queue.length + lane.promised < MAX_HELD;
  return !hasOlder && !isTroubled(lane) && hasRoom && length <= MAX_SHORT;
}

/** Takes out the claims that this lane cannot send soon. */
export function surplus(lane: Lane): Claim[] {
  return lane.queue.splice(isTroubled(lane) ? lane.quota : MAX_HELD);
}

/** Whether its requests may take long, whatever the receiver answers in the end. */
export function isTroubled(lane: Lane): boolean {
  return lane.isFailing || lane.isStruggling;
}

function holdsNothing(lane: Lane): boolean {
  return lane.inFlight + lane.promised + lane.queue.length === 0;
}

/**
 * Takes lanes out of `hungry` whose quotas add up to `max`, at least one lane. Waking them from now on leads to another claim.
 * @param isFull all lanes together hold much: then only lanes that hold nothing are taken, with a quota of one
 */
export function takeHungry(hungry: Set<Lane>, max: number, isFull: boolean): Lane[] {
  const taken: Lane[] = [];
  let size = 0;
  for (const lane of hungry) {
    if (isFull && !holdsNothing(lane)) continue;
    if (isFull) lane.quota = 1;
    size += lane.quota;
    if (size > max && taken.length > 0) break;
    hungry.delete(lane);
    lane.isClaiming = true;
    lane.mayHaveMore = false;
    taken.push(lane);
  }
  return taken;
}

/** Removes lanes that have nothing to do. @returns their integrations */
export function dropIdle(lanes: Map<number, Lane>): number[] {
  const idle = [...lanes.values()].filter(isIdle).map(({ integrationId }) => integrationId);
  for (const id of idle) lanes.delete(id);
  return idle;
}

function isIdle(lane: Lane): boolean {
  return holdsNothing(lane) && !lane.isClaiming && !lane.isAskingForEndpoint && !lane.mayHaveMore;
}

/** A new lane starts as failing if its receiver failed in another process, or before a restart. */
export function learnFromEndpoint(lane: Lane, endpoint: Endpoint): void {
  if (lane.isNew) lane.isFailing = endpoint.isFailing;
  lane.isNew = false;
  lane.mailServer = endpoint.kind === 'web' ? null : mailServerKey(endpoint);
}

export function mailServerKey({ mailer }: MailEndpoint): MailServerKey {
  return mailer.workspaceId ?? 'installation';
}

/**
 * Raises the quota when a full claim soon follows the last one, as the receiver can take more at a time then.
 * @param isCut the claim was cut short, so it may have left deliveries of this lane behind
 */
export function learnFromClaim(lane: Lane, count: number, claimedAt: number, isCut: boolean): void {
  lane.mayHaveMore ||= isCut;
  if (count === lane.quota) {
    lane.mayHaveMore = true;
    const isQuick = claimedAt - lane.lastClaimedAt < QUICK_MS;
    if (isQuick && !lane.isStruggling) lane.quota = Math.min(lane.quota * 2, MAX_QUOTA);
  }
  lane.lastClaimedAt = claimedAt;
}

export function learnFromResult(lane: Lane, result: AttemptResult): void {
  lane.isFailing = !result.ok || OVERLOADED.has(result.status);
  lane.isStruggling = !isDelivered(result) || result.durationMs >= QUICK_MS;
  lane.window = lane.isFailing ? 1 : MAX_WINDOW;
  if (lane.isStruggling) lane.quota = MIN_QUOTA;
}
