import type { FastifyRequest } from 'fastify';
import { weightedList } from './weighted-list.ts';

/**
 * Whether the caller is a browser that wants a page, not a program that prefers JSON. The narrowest range that a type falls into has
 * its weight (RFC 9110, 12.5.1). Whoever takes anything and names no text is a program.
 */
export function wantsHtml({ headers: { accept } }: FastifyRequest): boolean {
  const weights = weightedList(accept);
  const html = weights.get('text/html') ?? weights.get('text/*') ?? 0;
  const json = weights.get('application/json') ?? weights.get('application/*') ?? weights.get('*/*') ?? 0;
  return html > 0 && html >= json;
}
