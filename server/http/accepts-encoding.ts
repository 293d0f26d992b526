import type { FastifyRequest } from 'fastify';
import { weightedList } from './weighted-list.ts';

/** What a client may call a coding; the first that it names decides. */
const NAMES = { br: ['br', '*'], gzip: ['gzip', 'x-gzip', '*'] };

/** Whether the client takes an answer in this coding: named or `*`, and not with a weight of zero (RFC 9110, 12.5.3). */
export function acceptsEncoding({ headers }: FastifyRequest, coding: keyof typeof NAMES): boolean {
  const weights = weightedList(headers['accept-encoding']);
  const named = NAMES[coding].find((name) => weights.has(name));
  return named !== undefined && Number(weights.get(named)) > 0;
}
