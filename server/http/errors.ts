import type { ErrorBag } from '../../fields/property.ts';

/** An answer other than success: always JSON with `message`, some with more members or headers. */
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

/** Whether the request itself was refused; anything else failed on our side. */
export function isRefusal(error: unknown): error is HttpError {
  return error instanceof HttpError && error.statusCode < 500;
}

export function unauthenticated(): HttpError {
  return new HttpError(401, 'Unauthenticated.', {}, { 'www-authenticate': 'Bearer' });
}

export function forbidden(message = 'This action is unauthorized.'): HttpError {
  return new HttpError(403, message);
}

/** @param what the noun of the missing resource, as in `Form not found.` */
export function notFound(what: string): HttpError {
  return new HttpError(404, `${what} not found.`);
}

/** 404 of the public endpoints; drafts, deleted and unknown forms answer byte for byte the same. */
export function publicFormNotFound(): HttpError {
  return new HttpError(404, 'Form not found.', { error: 'form_not_found' });
}

/** 404 of what is no address of ours, or none for whoever asks. */
export function unknownAddress(): HttpError {
  return new HttpError(404, 'This address does not exist.');
}

/** @param seconds until the next attempt is looked at */
export function tooManyAttempts(seconds: number): HttpError {
  return new HttpError(429, 'Too Many Attempts.', {}, { 'retry-after': String(Math.ceil(seconds)) });
}

export function unavailable(): HttpError {
  const message = 'The service is temporarily unavailable. Please try again.';
  return new HttpError(503, message, {}, { 'retry-after': '2' });
}

/**
 * 422: every problem at once, by the key of what is wrong.
 * @param andMore words the message of several problems in another language than English
 */
export function invalid(errors: ErrorBag, andMore = andMoreInEnglish): HttpError {
  const [first = 'The given data was invalid.', ...more] = Object.values(errors).flat();
  return new HttpError(422, more.length > 0 ? andMore(first, more.length) : first, { errors });
}

function andMoreInEnglish(first: string, count: number): string {
  return `${first} (and ${count} more ${count === 1 ? 'error' : 'errors'})`;
}
