import type { FastifyRequest } from 'fastify';

/** What a client may call a coding; the first that it names decides. */
const NAMES = { br: ['br', '*'], gzip: ['gzip', 'x-gzip', '*'] };

/** Whether the client takes an answer in this coding: named or `*`, and not with a weight of zero (RFC 9110, 12.5.3). */
export function acceptsEncoding({ headers }: FastifyRequest, coding: keyof typeof NAMES): boolean {
  const weights = new Map<string, number>();
  for (const part of (headers['accept-encoding'] ?? '').toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='));
    weights.set(name, weight === undefined ? 1 : Number(weight.slice(2)));
  }
  const named = NAMES[coding].find((name) => weights.has(name));
  return named !== undefined && Number(weights.get(named)) > 0;
}
