import { isIP } from 'node:net';
import type { AllowedNetworks } from '../outbound/address.ts';
import { isAllowedAddress, isLoopbackAllowed } from '../outbound/address.ts';

/** Characters, of the text as sent and of the parsed form. */
const MAX_URL_LENGTH = 2048;
/** Characters of a whole DNS name (RFC 1035 section 2.3.4). */
const MAX_NAME_LENGTH = 253;

const NOT_A_URL = 'The webhook URL must be a valid URL.';
const TOO_LONG = `The webhook URL may not be greater than ${MAX_URL_LENGTH} characters.`;
const HAS_CREDENTIALS = 'The webhook URL cannot contain embedded credentials.';
const NOT_PUBLIC = 'The webhook URL must resolve only to public IP addresses.';

/** White space, control, format and unassigned characters, lone surrogates, and the backslash, which parsers read as a slash. */
const UNSAFE_CHARACTER = /[\s\p{C}\\]/u;
/** Scheme, two slashes and a host: the URL parser itself would also take `http:host` and `http:////host`. */
const HTTP_WITH_AUTHORITY = /^https?:\/\/([^/?#]+)/i;
const DNS_LABEL = /^[a-z0-9_-]{1,63}$/;

/** Zones that exist only inside a network (RFC 6762, RFC 8375, ICANN's `internal`, Kubernetes services). */
const INNER_ZONES = ['local', 'internal', 'localdomain', 'home.arpa', 'svc'];
/** Names of cloud metadata services, refused whatever the operator allows. */
const METADATA_NAMES = new Set([
  'metadata',
  'metadata.goog',
  'metadata.google.internal',
  'metadata.azure.com',
  'metadata.azure.internal',
  'metadata.packet.net',
  'metadata.platformequinix.com',
  'metadata.tencentyun.com',
  'instance-data',
  'instance-data.ec2.internal',
]);

/**
 * Checks a webhook URL before it is stored. No name is looked up: it may come into existence later, and its addresses are checked at
 * every connection.
 * @returns `url` in the form to store
 */
export function checkWebhookUrl(
  raw: unknown,
  allowedNetworks: AllowedNetworks,
): { url: string } | { problem: string } {
  const read = readWebhookUrl(raw);
  if ('problem' in read) return read;
  const { hostname, href } = read.url;
  const address = addressOf(hostname);
  const isAllowed =
    isIP(address) === 0
      ? isAllowedName(hostname, allowedNetworks)
      : isAllowedAddress(address, allowedNetworks);
  return isAllowed ? { url: href } : { problem: NOT_PUBLIC };
}

/**
 * Reads a webhook URL, wherever it points. The raw text must look like an http(s) URL; from then on only its WHATWG-parsed form
 * counts, in which all spellings of an IP address are the same. Fragments, which HTTP never sends, and the dot at the end of a name
 * are dropped.
 */
export function readWebhookUrl(raw: unknown): { url: URL } | { problem: string } {
  if (typeof raw !== 'string' || UNSAFE_CHARACTER.test(raw)) return { problem: NOT_A_URL };
  if (raw.length > MAX_URL_LENGTH) return { problem: TOO_LONG };
  const authority = HTTP_WITH_AUTHORITY.exec(raw)?.[1];
  if (authority === undefined) return { problem: NOT_A_URL };
  if (authority.includes('@')) return { problem: HAS_CREDENTIALS };
  const url = URL.parse(raw);
  if (url === null || url.port === '0') return { problem: NOT_A_URL };

  url.hash = '';
  url.hostname = url.hostname.replace(/\.$/, '');
  if (isIP(addressOf(url.hostname)) === 0 && !isDnsName(url.hostname)) return { problem: NOT_A_URL };
  return url.href.length > MAX_URL_LENGTH ? { problem: TOO_LONG } : { url };
}

function addressOf(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

/** `localhost` and every name below it, which always mean this machine (RFC 6761 section 6.3). */
export function isLocalhostName(name: string): boolean {
  return isInZone(name, 'localhost');
}

function isDnsName(name: string): boolean {
  return name.length <= MAX_NAME_LENGTH && name.split('.').every((label) => DNS_LABEL.test(label));
}

function isAllowedName(name: string, allowedNetworks: AllowedNetworks): boolean {
  if (METADATA_NAMES.has(name)) return false;
  if (isLocalhostName(name)) return isLoopbackAllowed(allowedNetworks);
  const isInnerName = !name.includes('.') || INNER_ZONES.some((zone) => isInZone(name, zone));
  return !isInnerName || allowedNetworks.reachesBeyondLoopback;
}

function isInZone(name: string, zone: string): boolean {
  return name === zone || name.endsWith(`.${zone}`);
}
