import type { FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';

export function sessionCookieName(context: Context): string {
  return ownCookieName(context, 'formstead_session');
}

/**
 * The name of a cookie. Over HTTPS its prefix makes browsers insist on `Secure`, `Path=/` and no `Domain`, so that a
 * neighbouring host cannot plant one (RFC 6265bis, 4.1.3.2).
 */
export function ownCookieName(context: Context, name: string): string {
  return isHttps(context) ? `__Host-${name}` : name;
}

/** Lax: other sites can link here, but cannot write in the name of their visitor. */
export function ownCookieOptions(context: Context) {
  return { path: '/', httpOnly: true, sameSite: 'lax', secure: isHttps(context) } as const;
}

export function cookieOf(request: FastifyRequest, name: string): string | undefined {
  const { cookie } = request.headers;
  return cookie === undefined ? undefined : request.server.parseCookie(cookie)[name];
}

function isHttps(context: Context): boolean {
  return context.baseUrl().startsWith('https:');
}
