import type { FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { isProgramOfThisMachine, namesAnotherClient } from '../http/network/own-machine.ts';
import { isPublicAddress } from '../outbound/address.ts';

/**
 * Whether the address of a request stands for one client. Programs on this machine are the operator's. Behind a proxy
 * that is not in TRUST_PROXY all visitors share an address, and one must not lock out the others.
 */
export function isOneClient(config: Config, request: FastifyRequest): boolean {
  if (isProgramOfThisMachine(request)) return false;
  const isBehindUnknownProxy = config.trustProxy.length === 0 && namesAnotherClient(request);
  return !isBehindUnknownProxy || isPublicAddress(request.ip);
}
