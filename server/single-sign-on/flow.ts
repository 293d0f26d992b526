import type { FastifyReply, FastifyRequest } from 'fastify';
import { cookieOf, ownCookieName, ownCookieOptions } from '../access/session-cookie.ts';
import type { Context } from '../context.ts';
import { screenAfter } from './problem.ts';
import type { Checks, Provider } from './provider.ts';

/** Somebody on the way to the provider and back, as their own browser keeps it: sealed, so it cannot be made up. */
export interface Flow {
  checks: Checks;
  /** Where to go then; an address of the dashboard. */
  next: string;
  /** The account that is to be connected; null to sign in. */
  connects: number | null;
  /** In milliseconds since 1970. */
  until: number;
}

const COOKIE = 'formstead_single_sign_on';
const PURPOSE = 'single-sign-on';
/** Time to sign in at the provider, with whatever it asks for. */
const FLOW_MINUTES = 10;
/** As it is written in an address: what a program asks for is long. Sealed, with what is kept beside it, it fits into the 4 kB of a cookie. */
const NEXT_MAX_LENGTH = 2_400;

/** Sends somebody to the provider. @returns where the browser goes: there, or to the screen that says why not */
export async function begin(
  context: Context,
  provider: Provider,
  reply: FastifyReply,
  way: Pick<Flow, 'next' | 'connects'>,
): Promise<string> {
  try {
    const { address, checks } = await provider.begin();
    keepFlow(context, reply, { ...way, checks, until: Date.now() + FLOW_MINUTES * 60_000 });
    return address;
  } catch (error) {
    return screenAfter(context.log, error, way);
  }
}

function keepFlow(context: Context, reply: FastifyReply, flow: Flow): void {
  const options = { ...ownCookieOptions(context), maxAge: FLOW_MINUTES * 60 };
  const sealed = context.secrets.encrypt(JSON.stringify(flow), PURPOSE).toString('base64url');
  reply.setCookie(ownCookieName(context, COOKIE), sealed, options);
}

/** null when nothing was begun in this browser, or too long ago. */
export function keptFlow(context: Context, request: FastifyRequest): Flow | null {
  const sealed = cookieOf(request, ownCookieName(context, COOKIE)) ?? '';
  const text = context.secrets.decrypt(Buffer.from(sealed, 'base64url'), PURPOSE);
  const flow = text === null ? null : (JSON.parse(text) as Flow);
  return flow !== null && flow.until > Date.now() ? flow : null;
}

export function forgetFlow(context: Context, reply: FastifyReply): void {
  reply.clearCookie(ownCookieName(context, COOKIE), ownCookieOptions(context));
}

/**
 * An address of our own, or `/`. What a browser would read as another site is none: it skips line ends and takes `\` for
 * `/`, as the parser here does.
 */
export function safeNext(next: string | undefined): string {
  const origin = 'http://own';
  if (!next?.startsWith('/') || !URL.canParse(next, origin)) return '/';
  const url = new URL(next, origin);
  const path = url.pathname + url.search + url.hash;
  const isOurs = url.origin === origin && !path.startsWith('//');
  return isOurs && path.length <= NEXT_MAX_LENGTH ? path : '/';
}
