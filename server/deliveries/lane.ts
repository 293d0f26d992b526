import type { AttemptResult } from './attempt.ts';
import { isDelivered } from './deliver.ts';
import type { Endpoint } from './endpoints.ts';
import type { ClaimedDelivery } from './outbox-queries.ts';

/** Requests to one integration at a time. */
const MAX_WINDOW = 5;
/** Deliveries held of a receiver that is well: what the intake hands over waits here while others are sent. */
const MAX_HELD = 2000;
/** Of a body: characters where the intake hands it over, bytes where it is claimed while much is held already. What is longer is not. */
export const MAX_SHORT = 64 * 1024;
/** Deliveries claimed at a time: few at first, more and more for a receiver that is quick. */
const MIN_QUOTA = 5;
const MAX_QUOTA = 200;
/** A request, and a claim, is quick below this. */
const QUICK_MS = 1000;
/** Answers that ask for fewer requests, as no answer at all does. */
const OVERLOADED = new Set([429, 502, 503, 504]);

/** What this process has in hand for one integration, and at which pace it goes on. */
export interface Lane {
  readonly integrationId: number;
  /** Claimed and not yet sent. */
  queue: Claim[];
  /** Taken from the intake and not committed yet. */
  promised: number;
  inFlight: number;
  /** Requests at a time; one until the receiver has answered. */
  window: number;
  /** Size of the next claim. */
  quota: number;
  lastClaimedAt: number;
  /** The outbox may hold more that is due. */
  mayHaveMore: boolean;
  isClaiming: boolean;
  isAskingForEndpoint: boolean;
  /** Nothing is known of the receiver yet. */
  isNew: boolean;
  /** The receiver does not answer, or asks for fewer requests. */
  isFailing: boolean;
  /** The last request failed or took long. */
  isStruggling: boolean;
  /** It sends mail, all of it to one server. */
  isMail: boolean;
}

export interface Claim {
  delivery: ClaimedDelivery;
  /** By `performance.now()`, before the claim was asked for, or before it was stored as claimed. */
  claimedAt: number;
  /** Handed over by the intake: it has just been submitted. */
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
    isMail: false,
  };
}

/** Whether another request may go out now. */
export function maySend(lane: Lane): boolean {
  return lane.queue.length > 0 && lane.inFlight < lane.window;
}

/** Whether its next delivery has just been submitted. */
export function isFresh(lane: Lane): boolean {
  return lane.queue[0]?.isFresh === true;
}

/** Those whose next delivery is new first. */
export function byUrgency(lanes: Iterable<Lane>): Lane[] {
  const { fresh = [], old = [] } = Object.groupBy(lanes, (lane) => (isFresh(lane) ? 'fresh' : 'old'));
  return [...fresh, ...old];
}

/** Claims ahead, so that a quick receiver never waits for the database. */
export function wantsMore(lane: Lane): boolean {
  return lane.mayHaveMore && !lane.isClaiming && lane.queue.length <= lane.quota / 2;
}

/**
 * Whether the intake may hand over one more. Not while older ones wait in the outbox, which would then wait forever,
 * and not for a receiver that has enough to do.
 * @param length of its body, characters
 * @param isFull all lanes together hold much
 */
export function mayTakeOver(lane: Lane, length: number, isFull: boolean): boolean {
  const hasOlder = lane.mayHaveMore || lane.isClaiming;
  const hasRoom = isFull ? holdsNothing(lane) : lane.queue.length + lane.promised < MAX_HELD;
  return !hasOlder && !isTroubled(lane) && hasRoom && length <= MAX_SHORT;
}

/** Claims for which others may have more time. */
export function surplus(lane: Lane): Claim[] {
  return lane.queue.splice(isTroubled(lane) ? lane.quota : MAX_HELD);
}

function isTroubled(lane: Lane): boolean {
  return lane.isFailing || lane.isStruggling;
}

function holdsNothing(lane: Lane): boolean {
  return lane.inFlight + lane.promised + lane.queue.length === 0;
}

/**
 * Takes the lanes whose next claims come to `max`, at least one. From now on whoever wakes them asks for another claim.
 * @param isFull all together hold much: only those that hold nothing, for one delivery each
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

/** Forgets lanes with nothing to do. @returns their integrations */
export function dropIdle(lanes: Map<number, Lane>): number[] {
  const idle = [...lanes.values()].filter(isIdle).map(({ integrationId }) => integrationId);
  for (const id of idle) lanes.delete(id);
  return idle;
}

function isIdle(lane: Lane): boolean {
  return holdsNothing(lane) && !lane.isClaiming && !lane.isAskingForEndpoint && !lane.mayHaveMore;
}

/** A receiver that failed in another process, or before a restart, is treated as failing from the start. */
export function learnFromEndpoint(lane: Lane, endpoint: Endpoint): void {
  if (lane.isNew) lane.isFailing = endpoint.isFailing;
  lane.isNew = false;
  lane.isMail = endpoint.kind !== 'web';
}

/**
 * A full claim soon after the last one: the receiver can take more at a time.
 * @param isCut others were given what it might have been given
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
