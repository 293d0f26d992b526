import type { FastifyRequest } from 'fastify';
import { callerOf } from '../access/guard.ts';
import { clientNetwork } from '../http/network/client-network.ts';

/** The author of an act in the audit log; names are looked up when it is written. */
export interface Actor {
  kind: 'user' | 'token' | 'cli' | 'system';
  /** null for the operator and the service itself. */
  userId: number | null;
  tokenId: number | null;
  /** The IPv4 address, or the /64 network of an IPv6 one. */
  network: string | null;
}

/** The operator at the command line. */
export const CLI: Actor = { kind: 'cli', userId: null, tokenId: null, network: null };
/** The service itself. */
export const SYSTEM: Actor = { kind: 'system', userId: null, tokenId: null, network: null };

/** The caller of a guarded route. */
export function actorOf(request: FastifyRequest): Actor {
  const { userId, tokenId } = callerOf(request);
  const kind = tokenId === null ? 'user' : 'token';
  return { kind, userId, tokenId, network: clientNetwork(request.ip) };
}

/** The actor for a request that signs in or registers. */
export function personOf(request: FastifyRequest, userId: number): Actor {
  return { kind: 'user', userId, tokenId: null, network: clientNetwork(request.ip) };
}
