import { timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { SecretBox } from '../../secret-box.ts';

/** How a request looks to the service, after all proxies in front of it. */
export interface SeenRequest {
  /** Address of the other end of the connection: the proxy, where there is one. */
  peer: string;
  /** Address that counts as the client's. */
  address: string;
  /** Whether a proxy said who asked. */
  is_forwarded: boolean;
  protocol: string;
  host: string;
}

/** Carries a proof that the sender has the key of the installation. */
export const PROBE_HEADER = 'x-formstead-doctor';
const PURPOSE = 'doctor';
/** A proof is valid for this long before and after the moment it was made, as clocks may differ. */
const VALID_SECONDS = 60;

/** A value of the probe header. */
export function probeProof(secrets: Pick<SecretBox, 'sign'>): string {
  const seconds = String(nowInSeconds());
  return `${seconds}.${secrets.sign(seconds, PURPOSE)}`;
}

/** What a request with a valid proof may learn about itself; null for any other. */
export function seenByDoctor(request: FastifyRequest, secrets: Pick<SecretBox, 'sign'>): SeenRequest | null {
  const header = request.headers[PROBE_HEADER];
  const [, seconds = '', signature = ''] = /^(\d{1,12})\.([0-9a-f]{64})$/.exec(String(header ?? '')) ?? [];
  if (signature === '' || Math.abs(nowInSeconds() - Number(seconds)) > VALID_SECONDS) return null;
  const expected = secrets.sign(seconds, PURPOSE);
  if (!timingSafeEqual(Buffer.from(signature), Buffer.from(expected))) return null;
  return {
    peer: request.socket.remoteAddress ?? '',
    address: request.ip,
    is_forwarded: request.headers['x-forwarded-for'] !== undefined,
    protocol: request.protocol,
    host: request.host,
  };
}

function nowInSeconds(): number {
  return Math.floor(Date.now() / 1000);
}
