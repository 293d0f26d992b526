import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SESSION_COOKIE } from '../access/authenticate.ts';
import { hashToken } from '../access/token-format.ts';
import type { Context } from '../context.ts';
import { insertSession } from './queries.ts';

const SESSION_DAYS = 30;
const SESSION_BYTES = 32;

/** Signs the user in on the browser that made the request; the database keeps only a hash of the cookie. */
export async function startSession(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  userId: number,
): Promise<void> {
  const value = randomBytes(SESSION_BYTES).toString('base64url');
  await insertSession(context.db, {
    tokenHash: hashToken(value),
    userId,
    userAgent: request.headers['user-agent'] ?? null,
    days: SESSION_DAYS,
  });
  reply.setCookie(SESSION_COOKIE, value, { ...cookieOptions(context), maxAge: SESSION_DAYS * 24 * 60 * 60 });
}

export function clearSessionCookie(context: Context, reply: FastifyReply): void {
  reply.clearCookie(SESSION_COOKIE, cookieOptions(context));
}

function cookieOptions(context: Context) {
  const secure = context.baseUrl().startsWith('https:');
  return { path: '/', httpOnly: true, sameSite: 'lax', secure } as const;
}
