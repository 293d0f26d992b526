import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import { forbidden } from '../http/errors.ts';
import { clientNetwork } from '../http/network/client-network.ts';
import { ABILITIES, type Ability } from './abilities.ts';
import { findCallerBySession, findCallerByToken } from './queries.ts';
import { cookieOf, sessionCookieName } from './session-cookie.ts';
import { hashToken, isWellFormedToken } from './token-format.ts';

/** Endings of names that no stranger can register: RFC 6761, 6762 and 8375, ICANN's `internal`, and those routers use. */
const HOME_NAME = /\.(?:localhost|local|home\.arpa|internal|lan)$/;

/** The caller of a request: a person with a session, or a token acting for one. */
export interface Caller {
  userId: number;
  /** null for a session. */
  tokenId: number | null;
  abilities: ReadonlySet<Ability>;
  /** SHA-256 of the session's cookie value, null for a token. */
  sessionHash: Buffer | null;
}

const ALL_ABILITIES: ReadonlySet<Ability> = new Set(ABILITIES);
const READING_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Browsers send these with every request when a proxy in front of the service asks for a password: they are not for us. */
const FOR_A_PROXY = /^(?:Basic|Digest|Negotiate|NTLM)\b/i;
const SESSION_VALUE = /^[A-Za-z0-9_-]{43}$/;

/**
 * The caller of a request, or null when its credentials are missing or bad. An `Authorization` header that is not for a proxy
 * decides alone; the session cookie counts only without one.
 * @throws HttpError 403 when a page of another origin tries to write with the session of its visitor.
 */
export async function authenticate(context: Context, request: FastifyRequest): Promise<Caller | null> {
  const { authorization } = request.headers;
  if (authorization !== undefined && !FOR_A_PROXY.test(authorization)) return byToken(context, authorization);
  const cookie = cookieOf(request, sessionCookieName(context));
  if (cookie === undefined || !SESSION_VALUE.test(cookie)) return null;
  if (!READING_METHODS.has(request.method)) refuseForeignOrigin(context, request);
  return bySession(context, cookie, clientNetwork(request.ip));
}

async function byToken(context: Context, authorization: string): Promise<Caller | null> {
  const [, token] = /^bearer +(\S+)$/i.exec(authorization) ?? [];
  if (token === undefined || !isWellFormedToken(token)) return null;
  const found = await findCallerByToken(context.db, hashToken(token));
  if (!found) return null;
  return {
    userId: found.userId,
    tokenId: found.tokenId,
    abilities: known(found.abilities),
    sessionHash: null,
  };
}

async function bySession(context: Context, cookie: string, network: string): Promise<Caller | null> {
  const sessionHash = hashToken(cookie);
  const found = await findCallerBySession(context.db, sessionHash, network);
  return found && { userId: found.userId, tokenId: null, abilities: ALL_ABILITIES, sessionHash };
}

function known(abilities: string[]): ReadonlySet<Ability> {
  return new Set(ABILITIES.filter((ability) => abilities.includes(ability)));
}

/**
 * Refuses requests that a page of another origin makes in the name of its visitor. Browsers name the origin of every
 * writing request; programs, which send none, hold the cookie themselves.
 * @throws HttpError 403
 */
export function refuseForeignOrigin(context: Context, request: FastifyRequest): void {
  const { origin } = request.headers;
  if (origin === undefined) {
    const site = request.headers['sec-fetch-site'];
    if (site !== undefined && site !== 'same-origin' && site !== 'none') throw forbidden();
    return;
  }
  const own = new URL(context.baseUrl());
  if (origin === own.origin) return;
  const asked = `${request.protocol}://${request.host}`;
  if (!URL.canParse(asked)) throw forbidden();
  const { origin: askedOrigin, hostname } = new URL(asked);
  if (origin !== askedOrigin) throw forbidden('This request comes from another site.');
  if (hostname !== own.hostname && !isOutOfReach(hostname))
    throw forbidden(`This service is not known as ${hostname}: BASE_URL has to be its public address.`);
}

/**
 * Whether no stranger's name server can answer for a host. A stranger could point a name of theirs at this service, and
 * their pages would share our origin (DNS rebinding).
 */
function isOutOfReach(hostname: string): boolean {
  const name = hostname.replace(/^\[|\]$|\.$/g, '');
  return isIP(name) !== 0 || !name.includes('.') || HOME_NAME.test(name);
}
