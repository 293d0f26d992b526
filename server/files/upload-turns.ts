import { limitConcurrency, limitConcurrencyPerKey } from '../limit-concurrency.ts';

/** Uploads received at a time; more wait for their turn. */
const AT_ONCE = 32;
const WAITING = 200;
/** Uploads received at a time from one network, so that a slow sender keeps only that network waiting. */
const AT_ONCE_PER_NETWORK = 8;
const WAITING_PER_NETWORK = 50;

const all = limitConcurrency(AT_ONCE, WAITING);
const perNetwork = limitConcurrencyPerKey(AT_ONCE_PER_NETWORK, WAITING_PER_NETWORK);

/** Runs the work when both its network and the process have a free place. @throws HttpError 503 when too many wait */
export function inTurn<Result>(network: string, work: () => Promise<Result>): Promise<Result> {
  return perNetwork(network, () => all(work));
}
