import { randomBytes } from 'node:crypto';
import type { CaptchaProvider } from '../../../fields/captcha-tokens.ts';
import type { PublishedForm } from '../../submissions/published-form/published-form.ts';
import { mayLeadAway } from '../posting/thank-you.ts';
import { worksOffline } from './offline.ts';

/** Origins of the captcha providers' scripts and frames; used only with an operator's own keys. */
const CAPTCHA_HOSTS: Record<CaptchaProvider, string> = {
  recaptcha: 'https://www.google.com/recaptcha/ https://www.gstatic.com/recaptcha/',
  hcaptcha: 'https://hcaptcha.com https://*.hcaptcha.com',
  turnstile: 'https://challenges.cloudflare.com',
};
/** Players that a visitor may load on request. */
const PLAYER_HOSTS = 'https://www.youtube-nocookie.com https://player.vimeo.com';

const NONCE_BYTES = 16;

export function newNonce(): string {
  return randomBytes(NONCE_BYTES).toString('base64');
}

/** What a page has of its own. */
export interface PolicyParts {
  nonce: string;
  captcha?: CaptchaProvider | null;
  /** No site may show it in a frame. */
  standsAlone?: boolean;
  /** Origin of another site that a button of the page leads to. */
  leadsTo?: string | undefined;
}

/**
 * Content security policy of a public page. Only scripts and styles with this response's nonce run.
 * Any site may frame the page, since it has no session and can only accept answers, unless it stands alone.
 */
export function contentPolicy(
  form: PublishedForm | null,
  { nonce, captcha = null, standsAlone = false, leadsTo }: PolicyParts,
): string {
  const others = captcha ? ` ${CAPTCHA_HOSTS[captcha]}` : '';
  // Browsers also apply the policy if the response to a sent form redirects to another site.
  const target = form && mayLeadAway(form) ? " 'self' https: http:" : " 'self'";
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'${others}`,
    `style-src 'nonce-${nonce}'${others}`,
    // Inline styles that the sanitiser allows in rich text: alignment and colors.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' https: http: data: blob:",
    'media-src https: http: blob:',
    // Fonts are loaded only by an owner's own styles; see `cssProblem`.
    ...(form?.presentation.custom_css ? ['font-src https: http:'] : []),
    `connect-src 'self'${others}`,
    ...(form && worksOffline(form) ? ["worker-src 'self'"] : []),
    `frame-src 'self' ${PLAYER_HOSTS}${others}`,
    `form-action${target}${leadsTo ? ` ${leadsTo}` : ''}`,
    "base-uri 'none'",
    `frame-ancestors ${standsAlone ? "'none'" : '*'}`,
  ].join('; ');
}
