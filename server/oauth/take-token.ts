import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Ability } from '../access/abilities.ts';
import { issueTokenIn, revokeToken, tokenExpiry } from '../access/issue-token.ts';
import { hashToken, isWellFormedToken } from '../access/token-format.ts';
import type { Actor } from '../audit/actor.ts';
import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { unauthenticated } from '../http/errors.ts';
import { type AuthorizationRequest, requireResource } from './authorization-request.ts';
import { oauthError } from './oauth-error.ts';
import { findTokenByHash, insertAuthorizationCode, takeAuthorizationCode } from './queries.ts';

const CODE_BYTES = 32;
/** RFC 7636, 4.1. */
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;

interface Consent {
  /** Of the session of the person. */
  sessionHash: Buffer;
  abilities: Ability[];
  /** null = never. */
  expiresInDays: number | null;
}

/**
 * Stores what a person has allowed a program.
 * @returns the code that the program exchanges for its token, once, while the session lasts
 * @throws HttpError 401 when it has just ended
 */
export async function allow(
  { db }: Context,
  { client, clientId, redirectUri, codeChallenge }: AuthorizationRequest,
  { sessionHash, abilities, expiresInDays }: Consent,
): Promise<string> {
  const code = randomBytes(CODE_BYTES).toString('base64url');
  const isStored = await insertAuthorizationCode(db, {
    codeHash: hashToken(code),
    sessionHash,
    clientId,
    redirectUri,
    codeChallenge,
    name: client.name,
    abilities: [...new Set(abilities)],
    tokenExpiresAt: tokenExpiry(expiresInDays, undefined),
  });
  if (!isStored) throw unauthenticated();
  return code;
}

/** Parameters by their names in the protocol. */
type TokenParameters = Partial<
  Record<'grant_type' | 'code' | 'redirect_uri' | 'client_id' | 'code_verifier' | 'resource', string>
>;

/**
 * Exchanges a code for a token (RFC 6749, 4.1.3; RFC 7636, 4.6). A code that is presented again ends its token, as somebody else has
 * it too (RFC 6749, 4.1.2).
 * @param actorOf the person who allowed it, for the audit log
 * @throws HttpError 400 `invalid_grant` and others of the protocol
 */
export async function takeToken(
  context: Context,
  parameters: TokenParameters,
  actorOf: (userId: number) => Actor,
) {
  const { grant_type, code, client_id, resource } = parameters;
  if (grant_type !== 'authorization_code')
    throw oauthError('unsupported_grant_type', 'grant_type must be authorization_code.');
  if (code === undefined || client_id === undefined)
    throw oauthError('invalid_request', 'code and client_id are needed.');
  requireResource(context, resource);
  const codeHash = hashToken(code);
  // In one transaction: whoever presents the code at the same moment waits for it to end, and finds the token.
  const taken = await context.db.transaction().execute(async (trx) => {
    const allowed = await takeAuthorizationCode(trx, codeHash);
    if (allowed === null || !isMeantFor(allowed, parameters)) return null;
    const { userId, name, tokenExpiresAt: expiresAt } = allowed;
    const abilities = allowed.abilities as Ability[];
    const { token } = await issueTokenIn(
      trx,
      { userId, name, abilities, expiresAt, codeHash },
      actorOf(userId),
    );
    return { token, abilities, expiresAt };
  });
  if (taken) return taken;
  await revokeByHash(context.db, 'code_hash', codeHash, actorOf);
  throw oauthError('invalid_grant', 'This code is good no more, or it was given to another program.');
}

function isMeantFor(
  allowed: { clientId: string; redirectUri: string; codeChallenge: string },
  { client_id, redirect_uri, code_verifier = '' }: TokenParameters,
): boolean {
  return (
    allowed.clientId === client_id &&
    (redirect_uri ?? allowed.redirectUri) === allowed.redirectUri &&
    isVerified(code_verifier, allowed.codeChallenge)
  );
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
  if (isWellFormedToken(token)) await revokeByHash(db, 'token_hash', hashToken(token), actorOf);
}

async function revokeByHash(
  db: Db,
  column: 'token_hash' | 'code_hash',
  hash: Buffer,
  actorOf: (userId: number) => Actor,
): Promise<void> {
  const found = await findTokenByHash(db, column, hash);
  if (found) await revokeToken(db, found.id, found.userId, actorOf(found.userId));
}
