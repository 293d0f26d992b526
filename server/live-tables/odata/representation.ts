import type { FastifyReply, FastifyRequest } from 'fastify';
import { optionIn, type Query } from './options.ts';
import { badRequest, notAcceptable } from './problems.ts';

/** How much an answer says of itself: `minimal` has its context, `none` has not. */
export type MetadataLevel = 'minimal' | 'none';

/** Names that `$format` has for them (OData URL Conventions 4.0, 5.1.6). */
const SHORT_NAMES = new Map([
  ['json', 'application/json'],
  ['xml', 'application/xml'],
]);
const PAGE_SIZE = /(?:^|[,;])\s*(?:odata\.)?maxpagesize\s*=\s*"?(\d{1,9})"?/i;

const JSON_RANGES = ['application/json', 'application/*', '*/*'];

/** How the client wants JSON. @throws HttpError 406 for other formats, and for all metadata */
export function jsonFor(request: FastifyRequest): MetadataLevel {
  const format = formatOf(request);
  const levels = (format ?? request.headers.accept ?? '*/*').toLowerCase().split(',').map(levelIn);
  const level = levels.find((one) => one !== null);
  if (!level) throw notAcceptable('Answers are application/json, with odata.metadata=minimal or none.');
  return level;
}

/**
 * Of addresses with one format, which clients know: they often accept what they accept elsewhere.
 * @throws HttpError 406 when `$format` asks for another one
 */
export function refuseOtherFormat(request: FastifyRequest, type: string): void {
  const format = formatOf(request);
  if (format !== null && format.replace(/;.*/, '').trim().toLowerCase() !== type)
    throw notAcceptable(`This answer is ${type}.`);
}

/** `$format` takes precedence over `Accept`. */
function formatOf({ query }: FastifyRequest): string | null {
  const format = optionIn(query as Query, '$format');
  return format && (SHORT_NAMES.get(format) ?? format);
}

/** null when it is no JSON, has a weight of zero, or a level that answers do not have. */
function levelIn(range: string): MetadataLevel | null {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim());
  const values = new Map(parameters.map((one) => one.split('=', 2) as [string, string]));
  if (!JSON_RANGES.includes(type) || Number(values.get('q') ?? 1) === 0) return null;
  const level = values.get('odata.metadata') ?? values.get('metadata') ?? 'minimal';
  return level === 'minimal' || level === 'none' ? level : null;
}

/**
 * Entities in a page at most, by the preference of the client.
 * @throws HttpError 400 for none at all
 */
export function pageSizeFor({ headers }: FastifyRequest, reply: FastifyReply, most: number): number {
  const [, digits] = PAGE_SIZE.exec(String(headers.prefer ?? '')) ?? [];
  const size = digits === undefined ? most : Number(digits);
  if (size === 0) throw badRequest('The preference odata.maxpagesize is at least 1.');
  if (digits !== undefined && size <= most) reply.header('preference-applied', `odata.maxpagesize=${size}`);
  return Math.min(size, most);
}
