import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ownCookieOptions, sessionCookieName } from '../access/session-cookie.ts';
import { hashToken } from '../access/token-format.ts';
import { personOf } from '../audit/actor.ts';
import { recordEvent } from '../audit/record-event.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../db/database.ts';
import { clientNetwork } from '../http/network/client-network.ts';
import { noteKnownDevice } from './known-device.ts';
import { insertSession } from './session-queries.ts';

/** A session ends after this time, however often it is used. */
const SESSION_DAYS = 30;
const SESSION_BYTES = 32;

/**
 * Signs the user in on the browser that made the request; the database keeps only a hash of the cookie.
 * @returns sets the cookies, to be called after the commit
 */
export async function startSession(
  context: Context,
  trx: Transaction,
  request: FastifyRequest,
  userId: number,
): Promise<(reply: FastifyReply) => void> {
  const value = randomBytes(SESSION_BYTES).toString('base64url');
  const id = await insertSession(trx, {
    tokenHash: hashToken(value),
    userId,
    userAgent: request.headers['user-agent'] ?? null,
    network: clientNetwork(request.ip),
    days: SESSION_DAYS,
  });
  await recordEvent(trx, personOf(request, userId), {
    verb: 'session.started',
    target: { id, name: null },
  });
  const options = { ...ownCookieOptions(context), maxAge: SESSION_DAYS * 24 * 60 * 60 };
  return (reply) => {
    reply.setCookie(sessionCookieName(context), value, options);
    noteKnownDevice(context, reply, userId);
  };
}

export function clearSessionCookie(context: Context, reply: FastifyReply): void {
  reply.clearCookie(sessionCookieName(context), ownCookieOptions(context));
}
