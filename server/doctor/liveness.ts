import type { SeenRequest } from '../http/network/doctor-probe.ts';
import { parseAllowedNetworks } from '../outbound/address.ts';
import { createOutbound } from '../outbound/request.ts';
import { REQUEST_LIMIT_MS } from './finding.ts';

interface Liveness {
  /** null when the service itself answers there, else what answered instead. */
  problem: string | null;
  /** The request as the service received it; null without a proof, or when another installation answers. */
  seen: SeenRequest | null;
}

/** The operator named these addresses, unlike those of webhooks: they may be in any network. */
const OPERATORS_ADDRESSES = parseAllowedNetworks('0.0.0.0/0, ::/0');

/** Asks a service for its liveness. @param headers such as the proof for which it tells how the request arrived */
export async function askLiveness(url: URL, headers: Record<string, string> = {}): Promise<Liveness> {
  const outbound = createOutbound({ allowedNetworks: OPERATORS_ADDRESSES });
  try {
    const result = await outbound.request({
      url: `${url.href.replace(/\/+$/, '')}/livez`,
      method: 'GET',
      headers: { accept: 'application/json', ...headers },
      timeoutMs: REQUEST_LIMIT_MS,
    });
    if (!result.ok) return { problem: result.detail, seen: null };
    if (result.status !== 200) return { problem: `The answer is ${result.status}.`, seen: null };
    const body = parse(result.bodyExcerpt);
    if (body?.status !== 'ok') return { problem: 'The answer is not that of Formstead.', seen: null };
    return { problem: null, seen: body.seen ?? null };
  } finally {
    await outbound.close();
  }
}

function parse(text: string): { status?: unknown; seen?: SeenRequest } | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
