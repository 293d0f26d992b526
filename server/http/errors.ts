import type { ErrorBag } from '../../fields/property.ts';

const MEBIBYTE = 1024 ** 2;
/** The only 5xx that says nothing about how the service is: its protocol has something, the service has not. */
export const NOT_IMPLEMENTED = 501;

/** An answer other than success: JSON with `message`, and more members or headers where given. */
export class HttpError extends Error {
  readonly statusCode: number;
  readonly members: Record<string, unknown>;
  readonly headers: Record<string, string>;

  constructor(
    statusCode: number,
    message: string,
    members: Record<string, unknown> = {},
    headers: Record<string, string> = {},
  ) {
    super(message);
    this.statusCode = statusCode;
    this.members = members;
    this.headers = headers;
  }
}

/** Whether the request was refused for a reason of its own; any other error is the service's. */
export function isRefusal(error: unknown): error is HttpError {
  return error instanceof HttpError && error.statusCode < 500;
}

export function unauthenticated(): HttpError {
  return new HttpError(401, 'Unauthenticated.', {}, { 'www-authenticate': 'Bearer' });
}

export function forbidden(message = 'This action is unauthorized.'): HttpError {
  return new HttpError(403, message);
}

/** @param what noun of the missing resource, as in `Form not found.` */
export function notFound(what: string): HttpError {
  return new HttpError(404, `${what} not found.`);
}

/** @param limit bytes */
export function bodyTooLarge(limit: number): HttpError {
  return new HttpError(413, `The request body may not be larger than ${sizeInWords(limit)}.`);
}

/** Such as `2 MiB` or `16 KiB`. @param size bytes */
function sizeInWords(size: number): string {
  return size < MEBIBYTE ? `${size / 1024} KiB` : `${size / MEBIBYTE} MiB`;
}

/** 404 of the public endpoints, byte for byte the same for drafts, deleted and unknown forms. */
export function publicFormNotFound(): HttpError {
  return new HttpError(404, 'Form not found.', { error: 'form_not_found' });
}

/** 404 of an address that does not exist, or must seem so to this caller. */
export function unknownAddress(): HttpError {
  return new HttpError(404, 'This address does not exist.');
}

/** @param seconds until another attempt is accepted */
export function tooManyAttempts(seconds: number): HttpError {
  return new HttpError(429, 'Too Many Attempts.', {}, { 'retry-after': String(Math.ceil(seconds)) });
}

export function unavailable(): HttpError {
  const message = 'The service is temporarily unavailable. Please try again.';
  return new HttpError(503, message, {}, { 'retry-after': '2' });
}

/**
 * 422 with all problems, by the key of what is wrong.
 * @param andMore words the summary of several problems; in English without it
 */
export function invalid(errors: ErrorBag, andMore = andMoreInEnglish): HttpError {
  const [first = 'The given data was invalid.', ...more] = Object.values(errors).flat();
  return new HttpError(422, more.length > 0 ? andMore(first, more.length) : first, { errors });
}

function andMoreInEnglish(first: string, count: number): string {
  return `${first} (and ${count} more ${count === 1 ? 'error' : 'errors'})`;
}
