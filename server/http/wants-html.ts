import type { FastifyRequest } from 'fastify';

/** Whether the caller is a browser that wants a page, rather than a program that wants JSON. */
export function wantsHtml({ headers: { accept = '' } }: FastifyRequest): boolean {
  return accept.includes('text/html');
}
