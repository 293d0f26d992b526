import type { FastifyRequest } from 'fastify';
import { weightedList } from './weighted-list.ts';

/** Names of a coding in `Accept-Encoding`; the first one that the client lists decides. */
const NAMES = { br: ['br', '*'], gzip: ['gzip', 'x-gzip', '*'] };

/** Whether the client accepts this coding: it lists it, or `*`, with a weight above zero (RFC 9110, 12.5.3). */
export function acceptsEncoding({ headers }: FastifyRequest, coding: keyof typeof NAMES): boolean {
  const weights = weightedList(headers['accept-encoding']);
  const named = NAMES[coding].find((name) => weights.has(name));
  return named !== undefined && Number(weights.get(named)) > 0;
}
