import { BlockList, isIP, isIPv4 } from 'node:net';

/** Private networks that the operator has opened to deliveries. */
export interface AllowedNetworks {
  /** The networks as CIDR text, to be shown at the start. */
  readonly cidrs: readonly string[];
  /** Whether a network besides loopback is listed, so that names of an inner network make sense. */
  readonly reachesBeyondLoopback: boolean;
  readonly list: BlockList;
}

/** IPv4 space that is not global unicast (IANA special-purpose registry, RFC 6890), and Azure's platform address. */
const FORBIDDEN_IPV4 = blockList([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]);

/** The only IPv6 space in public use (RFC 4291). Everything else is refused, mapped and translated IPv4 addresses included. */
const GLOBAL_IPV6 = blockList(['2000::/3']);

/** Refused inside 2000::/3: protocol assignments (among them Teredo), documentation, 6to4, documentation. */
const FORBIDDEN_IPV6 = blockList(['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']);

const LOOPBACK = blockList(['127.0.0.0/8', '::1/128']);

/**
 * Whether a connection to this address may be opened: it is global unicast, or in a network that the operator listed.
 * `::ffff:a.b.c.d` counts as listed when `a.b.c.d` is, and is refused otherwise.
 */
export function isAllowedAddress(address: string, allowedNetworks: AllowedNetworks): boolean {
  const family = isIP(address);
  if (family === 0 || address.includes('%')) return false;
  return allowedNetworks.list.check(address, family === 4 ? 'ipv4' : 'ipv6') || isPublicAddress(address);
}

/** Whether an address is global unicast, so that it may be anybody's on the internet. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 0 || address.includes('%')) return false;
  if (family === 4) return !FORBIDDEN_IPV4.check(address, 'ipv4');
  return GLOBAL_IPV6.check(address, 'ipv6') && !FORBIDDEN_IPV6.check(address, 'ipv6');
}

/** Whether the host, a name or an address without brackets, is the loopback of the machine that asks. */
export function isLoopback(host: string): boolean {
  const family = isIP(host);
  return family === 0 ? host === 'localhost' : LOOPBACK.check(host, family === 4 ? 'ipv4' : 'ipv6');
}

/** Whether the operator opened this machine's loopback, so that `localhost` may be reached. */
export function isLoopbackAllowed(allowedNetworks: AllowedNetworks): boolean {
  return isAllowedAddress('127.0.0.1', allowedNetworks) || isAllowedAddress('::1', allowedNetworks);
}

/**
 * Reads a list of CIDR networks separated by commas or spaces; a bare address is a network of one.
 * An empty text opens nothing. Throws an Error that says what to write.
 */
export function parseAllowedNetworks(text: string): AllowedNetworks {
  const cidrs = text
    .split(/[\s,]+/)
    .filter((part) => part !== '')
    .map(parseCidr);
  return {
    cidrs,
    reachesBeyondLoopback: cidrs.some((cidr) => !isLoopbackNetwork(cidr)),
    list: blockList(cidrs),
  };
}

function parseCidr(text: string): string {
  const [address = '', prefix, ...rest] = text.split('/');
  const longest = isIPv4(address) ? 32 : 128;
  const length = prefix === undefined ? longest : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN;
  if (isIP(address) === 0 || address.includes('%') || rest.length > 0 || !(length <= longest)) {
    throw new Error(`"${text}" is not a network: write it as CIDR, for example 10.0.0.0/8 or fd00::/8`);
  }
  return `${address}/${length}`;
}

/** A network wider than 127.0.0.0/8 has other addresses, too, even if its first one is loopback. */
function isLoopbackNetwork(cidr: string): boolean {
  const [address, length] = splitCidr(cidr);
  return length >= (isIPv4(address) ? 8 : 128) && isLoopback(address);
}

function blockList(cidrs: readonly string[]): BlockList {
  const list = new BlockList();
  for (const cidr of cidrs) {
    const [address, length] = splitCidr(cidr);
    list.addSubnet(address, length, isIPv4(address) ? 'ipv4' : 'ipv6');
  }
  return list;
}

function splitCidr(cidr: string): [address: string, length: number] {
  const slash = cidr.lastIndexOf('/');
  return [cidr.slice(0, slash), Number(cidr.slice(slash + 1))];
}
