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

export function unavailable(): HttpError {
  const message = 'The service is temporarily unavailable. Please try again.';
  return new HttpError(503, message, {}, { 'retry-after': '2' });
}

/** 422: every problem at once, by the key of what is wrong. */
export function invalid(errors: ErrorBag): HttpError {
  const messages = Object.values(errors).flat();
  const more = messages.length - 1;
  const suffix = more > 0 ? ` (and ${more} more ${more === 1 ? 'error' : 'errors'})` : '';
  return new HttpError(422, `${messages[0] ?? 'The given data was invalid.'}${suffix}`, { errors });
}
