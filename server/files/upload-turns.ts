import type { FastifyRequest } from 'fastify';
import { clientNetwork } from '../http/network/client-network.ts';
import { keyToGiveWay, limitConcurrency, limitConcurrencyPerKey } from '../limit-concurrency.ts';

/** Uploads received at a time; more wait for their turn. */
const AT_ONCE = 32;
const WAITING = 200;
/** Uploads received at a time from one network, so that a slow sender keeps only that network waiting. */
const AT_ONCE_PER_NETWORK = 8;
const WAITING_PER_NETWORK = 50;
/** Who has waited so long for a place gets that of a network with more: a few slow ones could hold all places for ten minutes. */
const PATIENCE_MS = 10_000;

interface UnderWay {
  /** Network of the sender. */
  key: string;
  giveWay(): void;
}

const all = limitConcurrency(AT_ONCE, WAITING);
const perNetwork = limitConcurrencyPerKey(AT_ONCE_PER_NETWORK, WAITING_PER_NETWORK);
/** The oldest first. */
const underWay = new Set<UnderWay>();

/**
 * Receives something when both its network and the process have a free place. The connection may be closed meanwhile, for others.
 * @throws HttpError 503 when too many wait
 */
export function inTurn<Result>({ ip, raw }: FastifyRequest, receive: () => Promise<Result>): Promise<Result> {
  const network = clientNetwork(ip);
  const one = { key: network, giveWay: () => void raw.destroy() };
  return perNetwork(network, async () => {
    const patience = setTimeout(() => makeRoom(network), PATIENCE_MS).unref();
    try {
      return await all(() => {
        clearTimeout(patience);
        underWay.add(one);
        return receive();
      });
    } finally {
      clearTimeout(patience);
      underWay.delete(one);
    }
  });
}

/** Ends the oldest upload of the network with the most, unless this one would then have more. */
function makeRoom(network: string): void {
  const most = keyToGiveWay(underWay, network);
  const oldest = [...underWay].find(({ key }) => key === most);
  if (!oldest) return;
  underWay.delete(oldest);
  oldest.giveWay();
}
