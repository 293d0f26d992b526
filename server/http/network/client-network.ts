import { isIP } from 'node:net';
import { normalizeIP } from '@fastify/rate-limit';
import type { SecretBox } from '../../secret-box.ts';

/** A home or office usually has a 64-bit IPv6 network to itself, and may use any address in it. */
const IPV6_PREFIX_BITS = 64;
/** Providers give a customer up to so large a network; of IPv4, mostly part of a /24. */
const IPV6_NEIGHBOURHOOD_BITS = 48;
const LAST_OF_IPV4 = /^(\d+\.\d+\.\d+)\.\d+$/;
/** Some proxies append the port (Azure, IIS, AWS on request), which differs from connection to connection. */
const WITH_PORT = /^(?:([\d.]+)|\[(.+)\])(?::\d+)?$/;
/** For a text that is no address: a proxy hides who asks (RFC 7239, 6), or passes on an invented text. */
const UNKNOWN = 'unknown';

/** What counts as one client: an IPv4 address, or the /64 network of an IPv6 address. */
export function clientNetwork(address: string): string {
  return networkOf(address, IPV6_PREFIX_BITS);
}

/** What may be many clients of one customer: the /24 network of an IPv4 address, or the /48 network of an IPv6 address. */
export function clientNeighbourhood(address: string): string {
  return networkOf(address, IPV6_NEIGHBOURHOOD_BITS).replace(LAST_OF_IPV4, '$1.0');
}

/** Identifies clients without storing their address: a keyed hash of 16 bytes. @param client says who it is, such as a form and a network */
export function clientHash({ sign }: Pick<SecretBox, 'sign'>, client: string, purpose: string): Buffer {
  return Buffer.from(sign(client, purpose).slice(0, 32), 'hex');
}

function networkOf(address: string, ipv6PrefixBits: number): string {
  const [, v4, v6] = WITH_PORT.exec(address) ?? [];
  const plain = v4 ?? v6 ?? address;
  return isIP(plain) === 0 ? UNKNOWN : normalizeIP(plain, ipv6PrefixBits);
}
