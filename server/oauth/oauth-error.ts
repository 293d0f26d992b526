import { HttpError } from '../http/errors.ts';

/** Error codes of RFC 6749 (4.1.2.1, 5.2), RFC 7591 (3.2.2) and RFC 8707 (2). */
type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_target'
  | 'invalid_redirect_uri'
  | 'invalid_client_metadata'
  | 'unsupported_grant_type'
  | 'unsupported_response_type';

/** An error in the protocol's members, beside those of the API. */
export function oauthError(code: OAuthErrorCode, description: string): HttpError {
  return new HttpError(400, description, { error: code, error_description: description });
}
