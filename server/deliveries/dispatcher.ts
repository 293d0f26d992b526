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
  type Lane,
  learnFromEndpoint,
  learnFromResult,
  maySend,
  mayTakeOver,
  newLane,
  surplus,
  wantsMore,
} from './lane.ts';
import { type ClaimedDelivery, releaseDeliveries } from './outbox-queries.ts';
import { createOutboxWatch } from './outbox-watch.ts';
import { createPace } from './pace.ts';
import { surrender } from './surrender.ts';

/** Sends what the outbox holds. */
export interface Dispatcher {
  /**
   * Asks for room for a delivery that is about to be stored. True: it is to be stored as claimed, and must come by `take`
   * after the commit, or be named to `drop`. Nobody has to claim and read it then. Never throws.
   * @param length of its body, characters
   */
  reserve(integrationId: number, length: number): boolean;
  take(delivery: ClaimedDelivery, claimedAt: number): void;
  drop(integrationId: number): void;
  /** Says that deliveries of these integrations have just been committed. Cheap; never throws. */
  wake(integrationIds: Iterable<number>): void;
  start(): void;
  /** Finishes what is on the wire, gives unsent claims back. */
  stop(): Promise<void>;
}

const MAX_IN_FLIGHT = 512;
/** All mail goes to one server. */
const MAX_MAILS_IN_FLIGHT = 10;
/** In one turn of the event loop, so that what is new does not wait behind a queue that drains. */
const MAX_OLD_PER_TURN = 4;
/**
 * While the bodies held are longer (characters), only lanes that hold nothing are given more, a short one each: receivers that hang, with
 * long bodies, delay no others.
 */
const MAX_HELD_LENGTH = 32 * 1024 * 1024;
/** A claim that was not sent by then is given back, long before its lease ends. */
const MAX_WAIT_MS = 30_000;

interface Parts
  extends Pick<
    Context,
    'db' | 'log' | 'secrets' | 'outbound' | 'mailer' | 'metrics' | 'publishedForms' | 'isUnderPressure'
  > {
  /** Sessions with `OUTBOX_OPTIONS`, for all that a webhook needs: it waits behind nobody's requests. */
  outbox: Pick<Database, 'db' | 'pool'>;
}

/**
 * Claims deliveries by lease and sends them, each integration in a lane of its own, so that a slow receiver stands in
 * front of nobody else. Any number of dispatchers work on one database. `random` (0 to 1) spreads the retries.
 */
export function createDispatcher(parts: Parts, random: () => number = Math.random): Dispatcher {
  const { outbox, log, mailer, metrics } = parts;
  const lanes = new Map<number, Lane>();
  /** Lanes to look after at the end of this turn of the event loop. */
  const touched = new Set<Lane>();
  const endpoints = createEndpoints(outbox.db, parts.secrets, log);
  const attempts = createAttemptLog(outbox.pool, log, (reason) => surrender(parts, reason));
  const onWire = createUnderWay();
  const background = createUnderWay();
  const pace = createPace(parts.isUnderPressure, pumpSoon);
  let heldLength = 0;
  /** Old ones that may still be sent in this turn of the event loop. */
  let oldLeft = 0;
  let mailsInFlight = 0;
  let isRunning = false;
  let isPumpSet = false;
  const watch = createOutboxWatch({
    db: outbox.db,
    log,
    canMail: mailer.isConfigured,
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
    canMail: mailer.isConfigured,
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
      // Behind the others, so that none of them waits for one that has much to send.
      if (!advance(lane)) touched.add(lane);
    }
    if (oldLeft === 0) pumpSoon();
    claiming.goOn();
  }

  /** Sends what may be sent now. False: the lane waits until requests of others have ended. */
  function advance(lane: Lane): boolean {
    if (isBarred(lane)) return false;
    while (maySend(lane)) {
      const endpoint = endpoints.current(lane.integrationId);
      if (endpoint === undefined) {
        askForEndpoint(lane);
        return true;
      }
      if (endpoint !== null) learnFromEndpoint(lane, endpoint);
      if (isBarred(lane)) return false;
      if (!isFresh(lane)) {
        if (oldLeft === 0) return false;
        oldLeft--;
      }
      const claim = lane.queue.shift();
      if (claim === undefined) break;
      const isOver = endpoint === null || performance.now() - claim.claimedAt > MAX_WAIT_MS;
      // Its submission may be among those that were deleted: what is still there is claimed again.
      if (isOver || claim.claimedAt <= endpoints.removedAt(lane.integrationId)) {
        giveBack([claim, ...lane.queue.splice(0)], isOver ? [] : [lane.integrationId]);
        break;
      }
      onWire.add(attempt(lane, endpoint, claim.delivery));
      if (isBarred(lane)) return false;
    }
    if (wantsMore(lane)) claiming.add(lane);
    return true;
  }

  function isBarred(lane: Lane): boolean {
    if (lane.isMail && mailsInFlight >= MAX_MAILS_IN_FLIGHT) return true;
    if (!pace.mayBegin()) return true;
    // Failing receivers, which may hang, are never given the other half.
    return onWire.size >= (lane.isFailing ? MAX_IN_FLIGHT / 2 : MAX_IN_FLIGHT);
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
    const sentTo = endpoint.kind === 'web' ? endpoint.url : null;
    const { record, outcome } = describeAttempt(delivery, result, sentTo, random);
    attempts.add(record, startedAt);
    metrics.deliveryFinished(outcome, result.durationMs);
    learnFromResult(lane, result);
    // Others may take what a receiver that became slow cannot take soon.
    giveBack(surplus(lane));
    touch(lane);
  }

  async function sendOne(endpoint: Endpoint, delivery: ClaimedDelivery): Promise<AttemptResult> {
    if (endpoint.kind === 'web')
      return send(parts.outbound, prepareRequest(endpoint, delivery), String(delivery.integrationId));
    mailsInFlight++;
    const result = await deliverMail(parts, endpoint, delivery);
    mailsInFlight--;
    return result;
  }

  /** @param wanting integrations to be woken: what is still there is claimed again */
  function giveBack(claims: Claim[], wanting: number[] = []): void {
    if (claims.length === 0) return;
    const now = performance.now();
    const aged = claims.map(({ delivery, claimedAt }) => ({ delivery, ageMs: now - claimedAt }));
    for (const { delivery } of claims) heldLength -= delivery.body.length;
    // When that fails, the lease ends by itself.
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
