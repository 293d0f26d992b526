import type { Context } from '../context.ts';
import { OFFERED, READING, resourceOf } from './authorization-request.ts';

type Base = Pick<Context, 'baseUrl'>;

/** Address where programs learn who issues tokens for `/mcp` (RFC 9728, 3.1: the path of the resource comes last). */
export const RESOURCE_METADATA = '/.well-known/oauth-protected-resource/mcp';

/** RFC 9728, 2. */
export function resourceMetadata(context: Base) {
  return {
    resource: resourceOf(context),
    resource_name: 'Formstead',
    authorization_servers: [context.baseUrl()],
    bearer_methods_supported: ['header'],
    // Most programs ask for everything listed here.
    scopes_supported: READING,
  };
}

/** RFC 8414, 2. */
export function serverMetadata({ baseUrl }: Base) {
  const issuer = baseUrl();
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    registration_endpoint: `${issuer}/oauth/register`,
    revocation_endpoint: `${issuer}/oauth/revoke`,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    authorization_response_iss_parameter_supported: true,
    scopes_supported: OFFERED,
  };
}

/** Header of the response to a request without a valid token (RFC 6750, 3; RFC 9728, 5.1). */
export function challenge({ baseUrl }: Base): string {
  return `Bearer resource_metadata="${baseUrl()}${RESOURCE_METADATA}", scope="${READING.join(' ')}"`;
}
