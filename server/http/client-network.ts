import { isIP } from 'node:net';
import { normalizeIP } from '@fastify/rate-limit';

/** Who holds one IPv6 address mostly holds the 64-bit network around it: a home or office, not 2^64 neighbours. */
const IPV6_PREFIX_BITS = 64;
/** Some proxies name the port as well (Azure, IIS, where AWS is told to): another one for every connection. */
const WITH_PORT = /^(?:([\d.]+)|\[(.+)\])(?::\d+)?$/;
/** What a proxy writes that does not say who asks (RFC 7239, 6), or passes on of what somebody made up. */
const UNKNOWN = 'unknown';

/** What counts as one client: the IPv4 address, or the /64 network of an IPv6 one. */
export function clientNetwork(address: string): string {
  const [, v4, v6] = WITH_PORT.exec(address) ?? [];
  const plain = v4 ?? v6 ?? address;
  return isIP(plain) === 0 ? UNKNOWN : normalizeIP(plain, IPV6_PREFIX_BITS);
}
