import type { FastifyRequest } from 'fastify';

type Device = 'phone' | 'tablet' | 'desktop';

/**
 * Programs that identify themselves; everything else counts as a visitor. Telegram's browser names Telegram, as do its
 * preview bots, which are recognised as bots.
 */
const PROGRAMS =
  /(?<!cu)bot\b|crawl|spider|slurp|scrape|fetch|monitor|checker|scanner|headless|lighthouse|pingdom|facebookexternalhit|whatsapp|skypeuri|embedly|curl|wget|python|ruby|perl|java\/|okhttp|go-http|axios|undici|^node|postman|insomnia|libwww/i;
const TABLET = /ipad|tablet|playbook|silk|kindle|^(?!.*mobile).*android/i;
const PHONE = /mobi|iphone|ipod|android|phone/i;
/** Characters; host names have at most 253 (RFC 1035). */
const MAX_HOST_LENGTH = 253;

/** Whether a person sees the response: not a program that names itself, nor a browser that loads it ahead. */
export function isPerson({ headers }: FastifyRequest): boolean {
  const agent = headers['user-agent'] ?? '';
  const purpose = `${headers['sec-purpose'] ?? ''} ${headers.purpose ?? ''} ${headers['x-moz'] ?? ''}`;
  return agent !== '' && !PROGRAMS.test(agent) && !/prefetch|prerender|preview/i.test(purpose);
}

/** By the name of the browser, or its explicit statement (`Sec-CH-UA-Mobile`). */
export function deviceOf({ headers }: FastifyRequest): Device {
  const agent = headers['user-agent'] ?? '';
  if (TABLET.test(agent)) return 'tablet';
  return PHONE.test(agent) || headers['sec-ch-ua-mobile'] === '?1' ? 'phone' : 'desktop';
}

/** Host of the page that led here or embeds the form; null when it is our own or unknown. */
export function referrerHost({ headers, host }: FastifyRequest): string | null {
  const { referer } = headers;
  const page = referer === undefined ? null : URL.parse(referer);
  if (!page || !/^https?:$/.test(page.protocol) || page.host === host) return null;
  const name = page.hostname.replace(/^www\./, '');
  return name.length <= MAX_HOST_LENGTH ? name : null;
}
