import { HttpError, NOT_IMPLEMENTED } from '../../http/errors.ts';

/** Names of problems that programs may rely on, by status. */
const CODES: Record<number, string> = {
  400: 'BadRequest',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  406: 'NotAcceptable',
  429: 'TooManyRequests',
  501: 'NotImplemented',
  503: 'ServiceUnavailable',
};

/** 400: the request does not follow OData, or names something that is not there. */
export function badRequest(message: string): HttpError {
  return new HttpError(400, message);
}

/** OData knows it, this service does not (OData 4.0 part 1, 9.3.1). */
export function notImplemented(message: string): HttpError {
  return new HttpError(NOT_IMPLEMENTED, message);
}

export function notAcceptable(message: string): HttpError {
  return new HttpError(406, message);
}

/** A refusal as OData clients read it (OData JSON Format 4.0, 19). They know 400 for what is 422 elsewhere. */
export function refusalInOData({ statusCode, message }: HttpError): { status: number; body: object } {
  const status = statusCode === 422 ? 400 : statusCode;
  return { status, body: { error: { code: CODES[status] ?? 'Error', message } } };
}
