import { isIP } from 'node:net';
import type { Config } from '../config.ts';
import { serversOf } from '../db/database-servers.ts';
import { isLoopback, isPublicAddress } from '../outbound/address.ts';

const WILDCARDS: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** Whether this HOST means every address of the machine. */
export function isWildcard(host: string): boolean {
  return host in WILDCARDS;
}

/** Address of the service as seen from this machine; null when PORT leaves the choice to the system. */
export function listeningUrl({ host, port }: Config): URL | null {
  return port === 0 ? null : new URL(`http://${forUrl(WILDCARDS[host] ?? host)}:${port}`);
}

/** Address that links point to. */
export function publicUrl({ baseUrl, host, port }: Config): URL {
  return new URL(baseUrl ?? `http://${forUrl(host)}:${port}`);
}

/** The address without user and password, which a URL may carry. */
export function shown({ protocol, host, pathname }: URL): string {
  return `${protocol}//${host}${pathname.replace(/\/+$/, '')}`;
}

/** The host of a URL as DNS and the system know it: without IPv6 brackets, and with `%2F` of a socket decoded. */
export function hostOf(url: URL): string {
  return decoded(url.hostname.replace(/^\[|\]$/g, ''));
}

/** The hosts of the database as the driver takes them: one behind the `?` wins. A path is the directory of a Unix socket. */
export function databaseHosts(databaseUrl: string | null): string[] {
  return serversOf(databaseUrl).map((server) => {
    const url = new URL(server);
    return url.searchParams.get('host') || hostOf(url);
  });
}

/** A decoded part of a URL, or the part as it is when it cannot be decoded. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Whether a host leads to the machine itself: every name below `localhost` does, too (RFC 6761, 6.3). */
export function isThisMachine(host: string): boolean {
  return isLoopback(host) || host.endsWith('.localhost');
}

/** Whether strangers may reach it: true for every name, and for every address that is not private. */
export function isPublic(host: string): boolean {
  if (isThisMachine(host)) return false;
  return isIP(host) === 0 || isWildcard(host) || isPublicAddress(host);
}

/** Networks of a CIDR list that contain all addresses. */
export function everyAddress(cidrs: readonly string[]): string[] {
  return cidrs.filter((cidr) => cidr.endsWith('/0'));
}

function forUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
