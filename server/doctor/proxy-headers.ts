import { isIP } from 'node:net';
import type { Config } from '../config.ts';
import { PROBE_HEADER, probeProof, type SeenRequest } from '../http/network/doctor-probe.ts';
import { boxOf } from '../key-rotation/key-files.ts';
import { parseAllowedNetworks } from '../outbound/address.ts';
import { publicUrl } from './addresses.ts';
import { ok, type Verdict, warn } from './finding.ts';
import { askLiveness } from './liveness.ts';
import { keyHere } from './settings.ts';

/** Checks how a request from here to the public address arrives: what the proxy says, and whether it is trusted. */
export async function proxyHeaders(config: Config): Promise<Verdict> {
  const key = await keyHere(config);
  if (key === null) return ok('not asked: the key of the service is not here');
  const proof = probeProof(boxOf(key));
  const url = publicUrl(config);
  const { problem, seen } = await askLiveness(url, { [PROBE_HEADER]: proof });
  if (problem !== null) return ok('not asked: the public address does not answer');
  if (seen === null) {
    const mend = `Set SECRET_KEY or DATA_DIR as the service does, compare the clocks, and let the proxy pass ${PROBE_HEADER} on.`;
    return warn('what answers at BASE_URL does not know the key that is here', mend);
  }
  return judge(seen, url, config.trustProxy);
}

/** @param url the public address */
export function judge(
  { peer, address, is_forwarded, protocol, host }: SeenRequest,
  url: URL,
  trustProxy: readonly string[] = [],
): Verdict {
  const proxy = `${peer}/${isIP(peer) === 6 ? 128 : 32}`;
  if (!is_forwarded && protocol === withoutColon(url) && host === url.host)
    return ok('nothing stands in between');
  if (!is_forwarded)
    return warn(
      'the proxy does not send X-Forwarded-For: all visitors count as one',
      'nginx: proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;',
    );
  // Also for a trusted proxy on this machine: the doctor itself asks from there.
  if (address === peer && !isTrusted(peer, trustProxy))
    return warn(
      `X-Forwarded-For is sent by ${peer}, which is not trusted: all visitors count as one`,
      `Set TRUST_PROXY=${proxy}, if that is the proxy.`,
    );
  if (protocol !== withoutColon(url))
    return warn(
      `requests arrive as ${protocol}, and BASE_URL is ${withoutColon(url)}`,
      'nginx: proxy_set_header X-Forwarded-Proto $scheme;',
    );
  if (host !== url.host)
    return warn(
      `requests arrive for the host ${host}, and BASE_URL is ${url.host}`,
      // $host has no port.
      `nginx: proxy_set_header Host ${url.port === '' ? '$host' : '$http_host'};`,
    );
  return ok(`${peer} says who asks, by which protocol and for which host`);
}

function isTrusted(peer: string, trustProxy: readonly string[]): boolean {
  const { list } = parseAllowedNetworks(trustProxy.join(' '));
  return isIP(peer) !== 0 && list.check(peer, isIP(peer) === 4 ? 'ipv4' : 'ipv6');
}

function withoutColon({ protocol }: URL): string {
  return protocol.slice(0, -1);
}
