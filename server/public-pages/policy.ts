import { randomBytes } from 'node:crypto';
import type { CaptchaProvider } from '../config.ts';
import type { PublishedForm } from '../submissions/published-forms.ts';
import { worksOffline } from './offline.ts';

/** Where the scripts and frames of captcha providers come from; used only with an operator's own keys. */
const CAPTCHA_HOSTS: Record<CaptchaProvider, string> = {
  recaptcha: 'https://www.google.com/recaptcha/ https://www.gstatic.com/recaptcha/',
  hcaptcha: 'https://hcaptcha.com https://*.hcaptcha.com',
  turnstile: 'https://challenges.cloudflare.com',
};
/** Players a visitor may load on request. */
const PLAYER_HOSTS = 'https://www.youtube-nocookie.com https://player.vimeo.com';

const NONCE_BYTES = 16;

export function newNonce(): string {
  return randomBytes(NONCE_BYTES).toString('base64');
}

/**
 * Content security policy of a public page. Nothing runs but what carries this answer's nonce; any site may show the
 * page in a frame, since it knows no session and can do nothing but take answers.
 */
export function contentPolicy(
  form: PublishedForm | null,
  nonce: string,
  captcha: CaptchaProvider | null,
): string {
  const others = captcha ? ` ${CAPTCHA_HOSTS[captcha]}` : '';
  // A browser asks the policy again when the answer to a sent form is a redirect to another site.
  const target = form?.presentation.redirect_url ? " 'self' https: http:" : " 'self'";
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'${others}`,
    `style-src 'nonce-${nonce}'${others}`,
    // What the sanitiser lets pass of styles in rich text: alignment and colors.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' https: http: data: blob:",
    'media-src https: http: blob:',
    // Fonts come from an owner's own styles alone; see `cssProblem`.
    ...(form?.presentation.custom_css ? ['font-src https: http:'] : []),
    `connect-src 'self'${others}`,
    ...(form && worksOffline(form) ? ["worker-src 'self'"] : []),
    `frame-src 'self' ${PLAYER_HOSTS}${others}`,
    `form-action${target}`,
    "base-uri 'none'",
    'frame-ancestors *',
  ].join('; ');
}
