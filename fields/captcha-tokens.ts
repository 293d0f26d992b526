/** The captcha providers that a form may name, and the member of a submission's body in which the script of each sends its token. */
export const CAPTCHA_TOKENS = {
  recaptcha: 'g-recaptcha-response',
  hcaptcha: 'h-captcha-response',
  turnstile: 'cf-turnstile-response',
} as const;

export type CaptchaProvider = keyof typeof CAPTCHA_TOKENS;

export const CAPTCHA_PROVIDERS = Object.keys(CAPTCHA_TOKENS) as CaptchaProvider[];
export const CAPTCHA_TOKEN_NAMES: readonly string[] = Object.values(CAPTCHA_TOKENS);
