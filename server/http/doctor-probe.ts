import { timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { SecretBox } from '../secret-box.ts';

/** How a request looks from the inside, after everything that stands in front of the service. */
export interface SeenRequest {
  /** Whose connection it came by: the proxy's, where there is one. */
  peer: string;
  /** Whom it counts as. */
  address: string;
  /** Whether somebody on the way said who asked. */
  is_forwarded: boolean;
  protocol: string;
  host: string;
}

/** Carries the proof of whoever has the key of the installation. */
export const PROBE_HEADER = 'x-formstead-doctor';
const PURPOSE = 'doctor';
/** A proof is good for so long, before and after the moment it was made. */
const VALID_SECONDS = 60;

/** A value of the probe header. */
export function probeProof(secrets: Pick<SecretBox, 'sign'>): string {
  const seconds = String(nowInSeconds());
  return `${seconds}.${secrets.sign(seconds, PURPOSE)}`;
}

/** What a request with a proof may learn of itself; null without one. */
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
