import { type Limiter, limitConcurrency } from '../limit-concurrency.ts';

/** Uploads received at a time; more wait for their turn. */
const AT_ONCE = 32;
const WAITING = 200;
/** The same of one network: whoever sends slowly keeps only his neighbours waiting. */
const AT_ONCE_PER_NETWORK = 8;
const WAITING_PER_NETWORK = 50;

const all = limitConcurrency(AT_ONCE, WAITING);
const perNetwork = new Map<string, { limit: Limiter; users: number }>();

/** Runs the work when its network and the process have a place for it. @throws HttpError 503 when too many wait */
export async function inTurn<Result>(network: string, work: () => Promise<Result>): Promise<Result> {
  const own = perNetwork.get(network) ?? {
    limit: limitConcurrency(AT_ONCE_PER_NETWORK, WAITING_PER_NETWORK),
    users: 0,
  };
  perNetwork.set(network, own);
  own.users += 1;
  try {
    return await own.limit(() => all(work));
  } finally {
    own.users -= 1;
    if (own.users === 0) perNetwork.delete(network);
  }
}
