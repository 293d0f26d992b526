import type { SeenRequest } from '../http/doctor-probe.ts';
import { parseAllowedNetworks } from '../outbound/address.ts';
import { createOutbound } from '../outbound/request.ts';

export interface Liveness {
  /** null when the service itself answers there, else what came instead. */
  problem: string | null;
  /** How the request arrived; null without a proof, or when another installation answers. */
  seen: SeenRequest | null;
}

/** Below the limit of a check, so that the reason of the failure is heard. */
const REQUEST_TIMEOUT_MS = 4_500;
/** Unlike the address of a webhook, these were named by the operator: they may lie in any network. */
const OPERATORS_ADDRESSES = parseAllowedNetworks('0.0.0.0/0, ::/0');

/** Asks a service whether it lives. @param headers such as the proof that makes it tell how it was asked */
export async function askLiveness(url: URL, headers: Record<string, string> = {}): Promise<Liveness> {
  const outbound = createOutbound({ allowedNetworks: OPERATORS_ADDRESSES });
  try {
    const result = await outbound.request({
      url: `${url.href.replace(/\/+$/, '')}/livez`,
      method: 'GET',
      headers: { accept: 'application/json', ...headers },
      timeoutMs: REQUEST_TIMEOUT_MS,
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
