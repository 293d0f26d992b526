import type { Ability } from '../access/abilities.ts';
import type { Context } from '../context.ts';
import { type Client, clientOf, isRedirectOf } from './client.ts';
import { oauthError } from './oauth-error.ts';

/** Abilities for which there are tools. */
export const OFFERED = [
  'workspaces-read',
  'forms-read',
  'forms-write',
  'manage-integrations',
] as const satisfies readonly Ability[];
type Offered = (typeof OFFERED)[number];
/** Abilities when a program names none: it may look, and change nothing. */
export const READING: readonly Offered[] = ['workspaces-read', 'forms-read'];

/** SHA-256 in base64url. */
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;

/** Parameters by their names in the protocol. */
interface RequestParameters {
  response_type?: string;
  client_id?: string;
  redirect_uri?: string;
  code_challenge?: string;
  code_challenge_method?: string;
  scope?: string;
  state?: string;
  resource?: string;
}

/** A program's request for access to somebody's data here. */
export interface AuthorizationRequest {
  client: Client;
  clientId: string;
  redirectUri: string;
  state: string | undefined;
  codeChallenge: string;
  /** Abilities that it asks for, which is not what it gets. */
  abilities: Offered[];
}

/**
 * Reads the whole request (RFC 6749, 4.1.1; RFC 7636, 4.3; RFC 8707, 2).
 * @throws HttpError 400 in the words of the protocol
 */
export function readRequest(context: Context, parameters: RequestParameters): AuthorizationRequest {
  const { response_type, client_id: clientId = '', code_challenge = '', code_challenge_method } = parameters;
  const client = clientOf(context.secrets, clientId);
  if (!client) throw oauthError('invalid_client', 'This program is not registered here.');
  const redirectUri = redirectOf(client, parameters.redirect_uri);
  if (response_type !== 'code') throw oauthError('unsupported_response_type', 'response_type must be code.');
  if (!CHALLENGE.test(code_challenge) || code_challenge_method !== 'S256')
    throw oauthError('invalid_request', 'A code_challenge with code_challenge_method S256 is needed.');
  requireResource(context, parameters.resource);
  return {
    client,
    clientId,
    redirectUri,
    state: parameters.state,
    codeChallenge: code_challenge,
    abilities: abilitiesIn(parameters.scope),
  };
}

/** The redirect URI; optional for a client that has registered only one. @throws HttpError 400 */
function redirectOf(client: Client, named: string | undefined): string {
  const [only, ...others] = client.redirectUris;
  const uri = named ?? (others.length === 0 ? only : undefined);
  if (uri === undefined || !isRedirectOf(client, uri))
    throw oauthError('invalid_redirect_uri', 'The redirect URI is none that this program has registered.');
  return uri;
}

/** The known abilities of the scope; others cannot be given. Reading when it names none. */
function abilitiesIn(scope = ''): Offered[] {
  const asked = scope.split(' ');
  const known = OFFERED.filter((ability) => asked.includes(ability));
  return known.length > 0 ? known : [...READING];
}

/** The identifier of the resource that tokens are for (RFC 9728, 1.2). */
export function resourceOf({ baseUrl }: Pick<Context, 'baseUrl'>): string {
  return `${baseUrl()}/mcp`;
}

/** @throws HttpError 400 `invalid_target` when the token is for another resource */
export function requireResource(context: Pick<Context, 'baseUrl'>, resource: string | undefined): void {
  if (resource === undefined) return;
  const ours = [resourceOf(context), context.baseUrl()];
  if (!ours.includes(resource.replace(/\/$/, '')))
    throw oauthError('invalid_target', `Tokens of this service are for ${resourceOf(context)}.`);
}

/** The address that returns the answer to the program (RFC 6749, 4.1.2; RFC 9207, 2). */
export function answerAddress(
  { baseUrl }: Pick<Context, 'baseUrl'>,
  { redirectUri, state }: Pick<AuthorizationRequest, 'redirectUri' | 'state'>,
  answer: { code: string } | { error: string; error_description: string },
): string {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries({
    ...answer,
    ...(state !== undefined && { state }),
    iss: baseUrl(),
  }))
    url.searchParams.set(name, value);
  return url.href;
}
