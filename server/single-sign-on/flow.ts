import type { FastifyReply, FastifyRequest } from 'fastify';
import { cookieOf, ownCookieName, ownCookieOptions } from '../access/session-cookie.ts';
import type { Context } from '../context.ts';
import { screenAfter } from './problem.ts';
import type { Checks, Provider } from './provider.ts';

/** A sign-on under way, stored by the person's own browser and sealed, so that it cannot be forged. */
export interface Flow {
  checks: Checks;
  /** The next address, in the dashboard. */
  next: string;
  /** The account to connect; null to sign in. */
  connects: number | null;
  /** End of the flow, in milliseconds since 1970. */
  until: number;
}

const COOKIE = 'formstead_single_sign_on';
const PURPOSE = 'single-sign-on';
/** Time to sign in at the provider, with all that it asks for. */
const FLOW_MINUTES = 10;
/**
 * Characters, as written in an address: a program's request is long. Sealed with the rest, it fits into the 4 kB of a
 * cookie.
 */
const NEXT_MAX_LENGTH = 2_400;

/**
 * Sends a person to the provider.
 * @returns the next address of the browser: there, or the screen that explains the failure
 */
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

/** null when this browser began nothing, or too long ago. */
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
 * An address of this service, or `/`. Browsers skip line ends and read `\` as `/`, like the parser here, so no address
 * that leads to another site passes.
 */
export function safeNext(next: string | undefined): string {
  const origin = 'http://own';
  if (!next?.startsWith('/') || !URL.canParse(next, origin)) return '/';
  const url = new URL(next, origin);
  const path = url.pathname + url.search + url.hash;
  const isOurs = url.origin === origin && !path.startsWith('//');
  return isOurs && path.length <= NEXT_MAX_LENGTH ? path : '/';
}
