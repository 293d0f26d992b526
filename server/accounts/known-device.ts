import { timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { cookieOf, ownCookieName, ownCookieOptions } from '../access/session-cookie.ts';
import type { Context } from '../context.ts';

// A browser keeps note of who has signed in on it. The note opens nothing: whoever brings it has to know the password as everybody else,
// and wrong ones count the same. But they do not wait behind strangers.

const NAME = 'formstead_device';
const PURPOSE = 'known-device';
const DAYS = 180;
const DAY_SECONDS = 24 * 60 * 60;

export function noteKnownDevice(context: Context, reply: FastifyReply, userId: number): void {
  const maxAge = DAYS * DAY_SECONDS;
  const said = `${userId}.${Math.floor(Date.now() / 1000) + maxAge}`;
  const value = `${said}.${context.secrets.sign(said, PURPOSE)}`;
  reply.setCookie(ownCookieName(context, NAME), value, { ...ownCookieOptions(context), maxAge });
}

/** Whether this person has signed in on the browser that makes the request. */
export function isKnownDevice(context: Context, request: FastifyRequest, userId: number): boolean {
  const [id, until, signature = ''] = (cookieOf(request, ownCookieName(context, NAME)) ?? '').split('.');
  if (Number(id) !== userId || !(Number(until) * 1000 > Date.now())) return false;
  const expected = Buffer.from(context.secrets.sign(`${id}.${until}`, PURPOSE));
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
