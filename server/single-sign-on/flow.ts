import type { FastifyReply, FastifyRequest } from 'fastify';
import { ownCookieName, ownCookieOptions } from '../access/session-cookie.ts';
import type { Context } from '../context.ts';
import type { SecretBox } from '../secret-box.ts';
import type { Checks } from './provider.ts';

/** Somebody on the way to the provider and back, as their own browser keeps it: sealed, so it cannot be made up. */
export interface Flow {
  checks: Checks;
  /** Where to go then; an address of the dashboard. */
  next: string;
  /** The account that is to be connected; null to sign in. */
  connects: number | null;
}

const COOKIE = 'formstead_single_sign_on';
const COOKIE_PURPOSE = 'single-sign-on';
/** Time to sign in at the provider, with whatever it asks for. */
const FLOW_MINUTES = 10;
const TICKET_PURPOSE = 'single-sign-on:connect';
/** From the password to the provider the browser needs a moment. */
const TICKET_MINUTES = 1;
/** A cookie has room for 4 kB. */
const NEXT_MAX_LENGTH = 1_000;

export function keepFlow(context: Context, reply: FastifyReply, flow: Flow): void {
  const options = { ...ownCookieOptions(context), maxAge: FLOW_MINUTES * 60 };
  const sealed = seal(context.secrets, COOKIE_PURPOSE, FLOW_MINUTES, flow);
  reply.setCookie(ownCookieName(context, COOKIE), sealed, options);
}

export function keptFlow(context: Context, request: FastifyRequest): Flow | null {
  const cookie = request.cookies[ownCookieName(context, COOKIE)];
  return open<Flow>(context.secrets, COOKIE_PURPOSE, cookie);
}

export function forgetFlow(context: Context, reply: FastifyReply): void {
  reply.clearCookie(ownCookieName(context, COOKIE), ownCookieOptions(context));
}

/** Lets whoever has shown the password begin to connect the account. */
export function connectTicket({ secrets }: Context, userId: number): string {
  return seal(secrets, TICKET_PURPOSE, TICKET_MINUTES, userId);
}

export function accountOfTicket({ secrets }: Context, ticket: string): number | null {
  return open<number>(secrets, TICKET_PURPOSE, ticket);
}

/**
 * An address of our own, or `/`. What a browser would read as another site is none: it skips line ends and takes `\` for
 * `/`, as the parser here does.
 */
export function safeNext(next: string | undefined): string {
  const origin = 'http://own';
  if (!next?.startsWith('/') || next.length > NEXT_MAX_LENGTH || !URL.canParse(next, origin)) return '/';
  const url = new URL(next, origin);
  const path = url.pathname + url.search + url.hash;
  return url.origin === origin && !path.startsWith('//') ? path : '/';
}

interface Sealed<Content> {
  content: Content;
  /** In milliseconds since 1970. */
  until: number;
}

function seal(secrets: SecretBox, purpose: string, minutes: number, content: unknown): string {
  const until = Date.now() + minutes * 60_000;
  return secrets.encrypt(JSON.stringify({ content, until }), purpose).toString('base64url');
}

function open<Content>(secrets: SecretBox, purpose: string, sealed = ''): Content | null {
  const text = secrets.decrypt(Buffer.from(sealed, 'base64url'), purpose);
  if (text === null) return null;
  const { content, until } = JSON.parse(text) as Sealed<Content>;
  return until > Date.now() ? content : null;
}
