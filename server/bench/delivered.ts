import { setTimeout as sleep } from 'node:timers/promises';
import { CommandError } from '../cli/command.ts';
import type { Bench } from './figure.ts';
import { countDeliveries } from './queries.ts';

/** Far more than a receiver that answers at once needs. */
export const DELIVERY_LIMIT_MS = 120_000;
const LOOK_INTERVAL_MS = 50;

/**
 * Waits until `count` webhooks have arrived and all attempts are recorded.
 * @returns milliseconds from the first arrival to the last
 */
export async function awaitDelivered(bench: Bench, count: number): Promise<number> {
  const { milliseconds } = await bench.load.run('arrivals', { count, limitMs: DELIVERY_LIMIT_MS });
  await awaitOnRecord(bench);
  return milliseconds;
}

/** Waits until nothing is left to deliver. */
export async function awaitOnRecord({ scratch }: Bench): Promise<void> {
  const deadline = Date.now() + DELIVERY_LIMIT_MS;
  while ((await countDeliveries(scratch.db(), 'pending')) > 0) {
    if (Date.now() > deadline) throw new CommandError('Not all deliveries were put on record.');
    await sleep(LOOK_INTERVAL_MS);
  }
}
