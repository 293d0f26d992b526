import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Ability } from '../access/abilities.ts';
import { issueToken, revokeToken, tokenExpiry } from '../access/issue-token.ts';
import { hashToken, isWellFormedToken } from '../access/token-format.ts';
import type { Actor } from '../audit/actor.ts';
import type { Context } from '../context.ts';
import { type AuthorizationRequest, requireResource } from './authorization-request.ts';
import { oauthError } from './oauth-error.ts';
import { findTokenByHash, insertAuthorizationCode, takeAuthorizationCode } from './queries.ts';

const CODE_BYTES = 32;
/** RFC 7636, 4.1. */
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;

interface Consent {
  userId: number;
  abilities: Ability[];
  /** null = never. */
  expiresInDays: number | null;
}

/** Stores what a person has allowed a program. @returns the code that the program exchanges for its token, once */
export async function allow(
  { db }: Context,
  { client, clientId, redirectUri, codeChallenge }: AuthorizationRequest,
  { userId, abilities, expiresInDays }: Consent,
): Promise<string> {
  const code = randomBytes(CODE_BYTES).toString('base64url');
  await insertAuthorizationCode(db, {
    codeHash: hashToken(code),
    userId,
    clientId,
    redirectUri,
    codeChallenge,
    name: client.name,
    abilities: [...new Set(abilities)],
    tokenExpiresAt: tokenExpiry(expiresInDays, undefined),
  });
  return code;
}

/** Parameters by their names in the protocol. */
type TokenParameters = Partial<
  Record<'grant_type' | 'code' | 'redirect_uri' | 'client_id' | 'code_verifier' | 'resource', string>
>;

/**
 * Exchanges a code for a token (RFC 6749, 4.1.3; RFC 7636, 4.6).
 * @param actorOf the person who allowed it, for the audit log
 * @throws HttpError 400 `invalid_grant` and others of the protocol
 */
export async function takeToken(
  context: Context,
  parameters: TokenParameters,
  actorOf: (userId: number) => Actor,
) {
  const { grant_type, code, redirect_uri, client_id, code_verifier = '', resource } = parameters;
  if (grant_type !== 'authorization_code')
    throw oauthError('unsupported_grant_type', 'grant_type must be authorization_code.');
  if (code === undefined || client_id === undefined)
    throw oauthError('invalid_request', 'code and client_id are needed.');
  requireResource(context, resource);
  const allowed = await takeAuthorizationCode(context.db, hashToken(code));
  const isTheSame =
    allowed !== null &&
    allowed.clientId === client_id &&
    (redirect_uri ?? allowed.redirectUri) === allowed.redirectUri &&
    isVerified(code_verifier, allowed.codeChallenge);
  if (!isTheSame)
    throw oauthError('invalid_grant', 'This code is good no more, or it was given to another program.');
  const { userId, name, tokenExpiresAt } = allowed;
  const abilities = allowed.abilities as Ability[];
  const wanted = { userId, name, abilities, expiresAt: tokenExpiresAt };
  const { token } = await issueToken(context.db, wanted, actorOf(userId));
  return { token, abilities, expiresAt: tokenExpiresAt };
}

function isVerified(verifier: string, challenge: string): boolean {
  if (!VERIFIER.test(verifier)) return false;
  const made = createHash('sha256').update(verifier).digest('base64url');
  return timingSafeEqual(Buffer.from(made), Buffer.from(challenge));
}

/** Revokes a token on behalf of its program (RFC 7009). An unknown token counts as revoked. */
export async function endToken(
  { db }: Context,
  token: string,
  actorOf: (userId: number) => Actor,
): Promise<void> {
  const found = isWellFormedToken(token) ? await findTokenByHash(db, hashToken(token)) : null;
  if (found) await revokeToken(db, found.id, found.userId, actorOf(found.userId));
}
