import { lookup, Resolver } from 'node:dns/promises';
import { limitConcurrency } from '../limit-concurrency.ts';

/** Time for the first query. The second may take longer, but both together less than the 5 s for a connection. */
const QUERY_TIMEOUT_MS = 1000;
const QUERY_TRIES = 2;

/** Codes that mean that DNS does not know the name; the hosts file or mDNS may. */
const UNKNOWN_TO_DNS = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED']);

/** How many of the system's look-ups may wait for their turn, and for how long, as a connection has only 5 s in all. */
const MAX_WAITING = 1000;
const PATIENCE_MS = 2000;

const inTurn = limitConcurrency(1, MAX_WAITING);

/**
 * All addresses of a host name, IPv4 first; rejects when there is none. Asks DNS directly: a look-up by the system blocks a thread of
 * the process until it ends, so a few silent name servers would stop everything else that needs one. Therefore names that only the
 * system knows (hosts file, mDNS) are looked up one at a time.
 * @param nameServers (`address:port`) replace the system's in tests
 */
export async function resolveHost(hostname: string, nameServers?: readonly string[]): Promise<string[]> {
  // A new resolver per look-up notices when the system's name servers change.
  const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: QUERY_TRIES });
  if (nameServers !== undefined) resolver.setServers(nameServers);
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (addresses.length > 0) return addresses;
  const failed = answers.find((answer) => answer.status === 'rejected' && !isUnknownToDns(answer.reason));
  if (failed?.status === 'rejected') throw failed.reason;
  return resolveWithSystem(hostname);
}

async function resolveWithSystem(hostname: string): Promise<string[]> {
  const look = () => lookup(hostname, { all: true, order: 'ipv4first' });
  const answers = await inTurn(look, AbortSignal.timeout(PATIENCE_MS));
  return answers.map(({ address }) => address);
}

function isUnknownToDns(reason: unknown): boolean {
  return reason instanceof Error && 'code' in reason && UNKNOWN_TO_DNS.has(String(reason.code));
}
