import type pg from 'pg';
import { type Claim, type Lane, learnFromClaim, MAX_SHORT, takeHungry } from './lane.ts';
import { type ClaimedDelivery, claimDeliveries, isCutShort } from './outbox-queries.ts';

/** Claims deliveries from the outbox for lanes that want more, one statement after the other. */
interface Claiming {
  /** Notes that the lane wants more. */
  add(lane: Lane): void;
  /** Begins to claim, unless it is under way. */
  goOn(): void;
}

interface Parts {
  /** With `OUTBOX_SETTINGS`. */
  pool: pg.Pool;
  canMail: boolean;
  mayClaim(): boolean;
  /** Whether much is held already. */
  isFull(): boolean;
  hold(lane: Lane, claim: Claim): void;
  /** To be called when the lane's claim has come back. */
  touch(lane: Lane): void;
  databaseFailed(error: unknown): void;
  inBackground(work: Promise<void>): void;
}

/** Deliveries claimed by one statement. */
const MAX_CLAIM = 256;

export function createClaiming(parts: Parts): Claiming {
  const hungry = new Set<Lane>();
  let isRunning = false;

  async function claimAll(): Promise<void> {
    isRunning = true;
    while (parts.mayClaim()) {
      const isFull = parts.isFull();
      const eager = takeHungry(hungry, MAX_CLAIM, isFull);
      if (eager.length === 0) break;
      await claim(eager, isFull ? MAX_SHORT : null);
    }
    isRunning = false;
  }

  async function claim(eager: Lane[], longest: number | null): Promise<void> {
    const claimedAt = performance.now();
    let claimed: ClaimedDelivery[] = [];
    try {
      claimed = await claimDeliveries(parts.pool, eager, { canMail: parts.canMail, longest });
    } catch (error) {
      for (const lane of eager) lane.mayHaveMore = true;
      parts.databaseFailed(error);
    }
    const byIntegration = Map.groupBy(claimed, ({ integrationId }) => integrationId);
    const isCut = isCutShort(claimed);
    for (const lane of eager) {
      const deliveries = byIntegration.get(lane.integrationId) ?? [];
      for (const delivery of deliveries) parts.hold(lane, { delivery, claimedAt, isFresh: false });
      lane.isClaiming = false;
      learnFromClaim(lane, deliveries.length, claimedAt, isCut);
      // It got nothing, so it goes before lanes that got something.
      if (isCut && deliveries.length === 0) hungry.add(lane);
      parts.touch(lane);
    }
  }

  return {
    add: (lane) => void hungry.add(lane),
    goOn() {
      if (!isRunning) parts.inBackground(claimAll());
    },
  };
}
