import type { FastifyRequest } from 'fastify';
import { weightedList } from './weighted-list.ts';

/** Whether the caller is a browser that wants a page, not a program that prefers JSON. */
export function wantsHtml({ headers: { accept } }: FastifyRequest): boolean {
  const weights = weightedList(accept);
  const html = weights.get('text/html') ?? 0;
  return html > 0 && html >= (weights.get('application/json') ?? 0);
}
