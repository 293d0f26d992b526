import { lookup, Resolver } from 'node:dns/promises';
import { limitConcurrency } from '../limit-concurrency.ts';

/** The wait for the first query; the second takes longer, and both stay below the 5 s a connection may take. */
const QUERY_TIMEOUT_MS = 1000;
const QUERY_TRIES = 2;

/** Answers that mean DNS knows nothing here, while the hosts file or mDNS still might. */
const UNKNOWN_TO_DNS = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED']);

/** Look-ups of the system that may wait for their turn, and for how long each: most of what a connection may take is over then. */
const MAX_WAITING = 1000;
const PATIENCE_MS = 2000;

const inTurn = limitConcurrency(1, MAX_WAITING);

/**
 * All addresses of a host name, IPv4 first; rejects when there is none. Asks DNS directly, because the system's own
 * look-up keeps a thread of the process busy until it ends and a few silent name servers would stop all others. A name
 * only the system knows (hosts file, mDNS) is asked there, one at a time, for the same reason. `nameServers`
 * (`address:port`) replaces the system's in tests.
 */
export async function resolveHost(hostname: string, nameServers?: readonly string[]): Promise<string[]> {
  // A new resolver per look-up follows changes of the system's name servers.
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
