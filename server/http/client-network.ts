import { normalizeIP } from '@fastify/rate-limit';

/** Who holds one IPv6 address mostly holds the 64-bit network around it: a home or office, not 2^64 neighbours. */
const IPV6_PREFIX_BITS = 64;

/** What counts as one client: the IPv4 address, or the /64 network of an IPv6 one. */
export function clientNetwork(address: string): string {
  return normalizeIP(address, IPV6_PREFIX_BITS);
}
