import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { createUnderWay } from '../under-way.ts';
import { type AttemptResult, describeAttempt } from './attempt.ts';
import { createAttemptLog } from './attempt-log.ts';
import { createClaiming } from './claiming.ts';
import { prepareRequest, send } from './deliver.ts';
import { deliverMail } from './deliver-mail.ts';
import { createEndpoints, type Endpoint } from './endpoints.ts';
import {
  byUrgency,
  type Claim,
  dropIdle,
  isFresh,
  isTroubled,
  type Lane,
  learnFromEndpoint,
  learnFromResult,
  mailServerKey,
  maySend,
  mayTakeOver,
  newLane,
  surplus,
  wantsMore,
} from './lane.ts';
import { createMailRoom } from './mail-room.ts';
import { type ClaimedDelivery, releaseDeliveries } from './outbox-queries.ts';
import { createOutboxWatch } from './outbox-watch.ts';
import { createPace } from './pace.ts';
import { surrender } from './surrender.ts';

/** Sends what the outbox holds. */
export interface Dispatcher {
  /**
   * Reserves room for a delivery that is about to be stored. If this returns true, the delivery must be stored as claimed, and
   * after the commit handed over by `take`, or given up by `drop`: so it need not be claimed and read. Never throws.
   * @param length characters of its body
   */
  reserve(integrationId: number, length: number): boolean;
  take(delivery: ClaimedDelivery, claimedAt: number): void;
  drop(integrationId: number): void;
  /** To be called when deliveries of these integrations have just been committed. Cheap; never throws. */
  wake(integrationIds: Iterable<number>): void;
  start(): void;
  /** Waits for requests that are on the wire, and gives unsent claims back. */
  stop(): Promise<void>;
}

const MAX_IN_FLIGHT = 512;
/** Sends of deliveries that are not fresh per turn of the event loop, so that fresh ones do not wait behind a long queue. */
const MAX_OLD_PER_TURN = 4;
/**
 * Characters of all bodies held. At this limit only lanes that hold nothing get more, a short body each, so that receivers that hang
 * with long bodies delay no others.
 */
const MAX_HELD_LENGTH = 32 * 1024 * 1024;
/** A claim that has not been sent by then is given back, long before its lease ends. */
const MAX_WAIT_MS = 30_000;

interface Parts
  extends Pick<
    Context,
    'db' | 'log' | 'secrets' | 'outbound' | 'mailerOf' | 'metrics' | 'publishedForms' | 'isUnderPressure'
  > {
  /** Connections of its own, with `OUTBOX_SETTINGS`: webhooks do not wait behind requests for a connection. */
  outbox: Pick<Database, 'db' | 'pool'>;
}

/**
 * Claims deliveries by lease and sends them. Each integration has a lane of its own, so that a slow receiver holds up no other. Any
 * number of dispatchers may work on one database. `random` (0 to 1) spreads the retries.
 */
export function createDispatcher(parts: Parts, random: () => number = Math.random): Dispatcher {
  const { outbox, log, mailerOf, metrics } = parts;
  const lanes = new Map<number, Lane>();
  /** Lanes to look after at the end of this turn of the event loop. */
  const touched = new Set<Lane>();
  const endpoints = createEndpoints(outbox.db, parts, log);
  const attempts = createAttemptLog(outbox.pool, log, (reason) => surrender(parts, reason));
  const onWire = createUnderWay();
  const background = createUnderWay();
  const mailRoom = createMailRoom();
  const pace = createPace(parts.isUnderPressure, pumpSoon);
  let heldLength = 0;
  /** How many deliveries that are not fresh may still be sent in this turn of the event loop. */
  let oldLeft = 0;
  let isRunning = false;
  let isPumpSet = false;
  const watch = createOutboxWatch({
    db: outbox.db,
    log,
    canMail: mailerOf(null).isConfigured,
    inBackground: background.add,
    onRecovery() {
      for (const lane of lanes.values()) touch(lane);
    },
    onDue(integrationIds) {
      for (const id of dropIdle(lanes)) endpoints.forget(id);
      wake(integrationIds);
    },
  });

  const claiming = createClaiming({
    pool: outbox.pool,
    canMail: mailerOf(null).isConfigured,
    mayClaim: () => isRunning && !watch.isDatabaseDown,
    isFull,
    hold,
    touch,
    databaseFailed: watch.databaseFailed,
    inBackground: background.add,
  });

  function wake(integrationIds: Iterable<number>): void {
    if (!isRunning) return;
    for (const id of integrationIds) {
      const lane = laneOf(id);
      lane.mayHaveMore = true;
      touch(lane);
    }
  }

  function reserve(integrationId: number, length: number): boolean {
    if (!isRunning || watch.isDatabaseDown) return false;
    const lane = laneOf(integrationId);
    if (!mayTakeOver(lane, length, isFull())) return false;
    lane.promised++;
    return true;
  }

  function take(delivery: ClaimedDelivery, claimedAt: number): void {
    const lane = laneOf(delivery.integrationId);
    lane.promised--;
    hold(lane, { delivery, claimedAt, isFresh: true });
    touch(lane);
  }

  function hold(lane: Lane, claim: Claim): void {
    lane.queue.push(claim);
    heldLength += claim.delivery.body.length;
  }

  function isFull(): boolean {
    return heldLength >= MAX_HELD_LENGTH;
  }

  function laneOf(integrationId: number): Lane {
    const lane = lanes.get(integrationId) ?? newLane(integrationId);
    lanes.set(integrationId, lane);
    return lane;
  }

  function touch(lane: Lane): void {
    touched.add(lane);
    pumpSoon();
  }

  function pumpSoon(): void {
    if (isPumpSet) return;
    isPumpSet = true;
    setImmediate(pump);
  }

  function pump(): void {
    isPumpSet = false;
    if (!isRunning) return;
    oldLeft = MAX_OLD_PER_TURN;
    for (const lane of byUrgency(touched)) {
      if (onWire.size >= MAX_IN_FLIGHT || !pace.mayBegin()) break;
      touched.delete(lane);
      // It goes behind the other lanes, so that none of them waits for one that has much to send.
      if (!advance(lane)) touched.add(lane);
    }
    if (oldLeft === 0) pumpSoon();
    claiming.goOn();
  }

  /** Sends what may be sent now. @returns false when the lane has to wait for requests of other lanes, or for the next turn */
  function advance(lane: Lane): boolean {
    if (isBarred(lane)) return false;
    while (maySend(lane)) {
      const endpoint = endpointOf(lane);
      if (endpoint === undefined) return true;
      if (isBarred(lane) || !mayGoThisTurn(lane)) return false;
      if (!sendNext(lane, endpoint)) break;
      if (isBarred(lane)) return false;
    }
    if (wantsMore(lane)) claiming.add(lane);
    return true;
  }

  /** @returns null when there is none, undefined when it has to be asked for first */
  function endpointOf(lane: Lane): Endpoint | null | undefined {
    const endpoint = endpoints.current(lane.integrationId);
    if (endpoint === undefined) askForEndpoint(lane);
    else if (endpoint !== null) learnFromEndpoint(lane, endpoint);
    return endpoint;
  }

  function mayGoThisTurn(lane: Lane): boolean {
    if (isFresh(lane)) return true;
    if (oldLeft === 0) return false;
    oldLeft--;
    return true;
  }

  /** Puts the lane's next delivery on the wire. @returns false when it cannot be sent: then all that the lane holds are given back */
  function sendNext(lane: Lane, endpoint: Endpoint | null): boolean {
    const claim = lane.queue.shift();
    if (claim === undefined) return false;
    const isOver = endpoint === null || performance.now() - claim.claimedAt > MAX_WAIT_MS;
    // Deliveries were removed since the claim, maybe these: all are given back, and those that still exist are claimed again.
    if (isOver || claim.claimedAt <= endpoints.removedAt(lane.integrationId)) {
      giveBack([claim, ...lane.queue.splice(0)], isOver ? [] : [lane.integrationId]);
      return false;
    }
    onWire.add(attempt(lane, endpoint, claim.delivery));
    return true;
  }

  function isBarred(lane: Lane): boolean {
    if (lane.mailServer !== null && mailRoom.isFull(lane.mailServer)) return true;
    if (!pace.mayBegin()) return true;
    // Receivers that fail or are slow get half of the slots at most.
    return onWire.size >= (isTroubled(lane) ? MAX_IN_FLIGHT / 2 : MAX_IN_FLIGHT);
  }

  function askForEndpoint(lane: Lane): void {
    if (lane.isAskingForEndpoint) return;
    lane.isAskingForEndpoint = true;
    const asked = endpoints.refresh(lane.integrationId).catch((error: unknown) => {
      giveBack(lane.queue.splice(0));
      watch.databaseFailed(error);
    });
    background.add(
      asked.then(() => {
        lane.isAskingForEndpoint = false;
        touch(lane);
      }),
    );
  }

  async function attempt(lane: Lane, endpoint: Endpoint, delivery: ClaimedDelivery): Promise<void> {
    lane.inFlight++;
    pace.began();
    const startedAt = performance.now();
    const result = await sendOne(endpoint, delivery);
    lane.inFlight--;
    heldLength -= delivery.body.length;
    const sentTo = endpoint.kind === 'web' ? endpoint.storedUrl : null;
    const { record, outcome } = describeAttempt(delivery, result, sentTo, random);
    attempts.add(record, startedAt);
    metrics.deliveryFinished(outcome, result.durationMs);
    learnFromResult(lane, result);
    // A receiver that became slow cannot take these soon: other processes may.
    giveBack(surplus(lane));
    touch(lane);
  }

  async function sendOne(endpoint: Endpoint, delivery: ClaimedDelivery): Promise<AttemptResult> {
    if (endpoint.kind === 'web')
      return send(parts.outbound, prepareRequest(endpoint, delivery), String(delivery.integrationId));
    return mailRoom.use(mailServerKey(endpoint), () => deliverMail(parts, endpoint, delivery));
  }

  /** @param wanting integrations to wake afterwards, so that deliveries that still exist are claimed again */
  function giveBack(claims: Claim[], wanting: number[] = []): void {
    if (claims.length === 0) return;
    const now = performance.now();
    const aged = claims.map(({ delivery, claimedAt }) => ({ delivery, ageMs: now - claimedAt }));
    for (const { delivery } of claims) heldLength -= delivery.body.length;
    // If this fails, their leases end by themselves.
    const released = releaseDeliveries(outbox.db, aged).catch(() => {});
    background.add(released.then(() => wake(wanting)));
  }

  return {
    wake,
    reserve,
    take,
    drop: (integrationId) => void laneOf(integrationId).promised--,
    start() {
      isRunning = true;
      watch.start();
    },
    async stop() {
      isRunning = false;
      watch.stop();
      await background.ended();
      giveBack([...lanes.values()].flatMap((lane) => lane.queue.splice(0)));
      while (onWire.size + background.size > 0) await Promise.all([onWire.ended(), background.ended()]);
      await attempts.drain();
      lanes.clear();
    },
  };
}
