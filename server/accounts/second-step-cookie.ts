import type { FastifyReply, FastifyRequest } from 'fastify';
import { cookieOf, ownCookieName, ownCookieOptions } from '../access/session-cookie.ts';
import type { Context } from '../context.ts';
import { PENDING_MINUTES } from './sign-in.ts';

// People return from single sign-on by an address, which is no place for the token of the second step.

const NAME = 'formstead_second_step';

export function setSecondStepCookie(context: Context, reply: FastifyReply, token: string): void {
  const options = { ...ownCookieOptions(context), maxAge: PENDING_MINUTES * 60 };
  reply.setCookie(ownCookieName(context, NAME), token, options);
}

export function secondStepCookie(context: Context, request: FastifyRequest): string | undefined {
  return cookieOf(request, ownCookieName(context, NAME));
}

export function clearSecondStepCookie(context: Context, reply: FastifyReply): void {
  reply.clearCookie(ownCookieName(context, NAME), ownCookieOptions(context));
}
