import { find, make, type Page, say } from '../page.ts';

/** What the scripts of all three providers offer. */
interface Provider {
  ready?(callback: () => void): void;
  render(element: HTMLElement, options: { sitekey: string; hl?: string; language?: string }): unknown;
  reset(id?: unknown): void;
}

const SCRIPTS: Readonly<Record<string, { name: string; address: string }>> = {
  recaptcha: { name: 'grecaptcha', address: 'https://www.google.com/recaptcha/api.js?render=explicit' },
  hcaptcha: { name: 'hcaptcha', address: 'https://js.hcaptcha.com/1/api.js?render=explicit' },
  turnstile: {
    name: 'turnstile',
    address: 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit',
  },
};

/** The captcha of an outside provider chosen by the operator. Its script puts the answer into the form. */
export function enhanceProvider(place: HTMLElement, page: Page): void {
  const known = SCRIPTS[place.dataset.captcha ?? ''];
  const sitekey = place.dataset.key ?? '';
  if (!known) return;
  const script = make('script', { src: known.address, async: '' });
  script.nonce = find<HTMLScriptElement>('script[nonce]')?.nonce ?? '';
  const box = make('div');
  let widget: unknown;
  let isUsed = false;
  script.addEventListener('load', () => {
    const provider = (window as unknown as Record<string, Provider | undefined>)[known.name];
    const render = () => {
      widget = provider?.render(box, { sitekey, hl: page.data.language, language: page.data.language });
    };
    if (provider?.ready) provider.ready(render);
    else render();
  });
  script.addEventListener('error', () => {
    box.replaceChildren(make('p', { class: 'error', role: 'alert' }, say(page, 'captchaFailed')));
  });
  page.waits.push(() => {
    isUsed = true;
  });
  // An answer is valid once: after a refusal the captcha is asked again.
  page.listeners.push((event) => {
    if (event !== 'refused' || !isUsed) return;
    isUsed = false;
    (window as unknown as Record<string, Provider | undefined>)[known.name]?.reset(widget);
  });
  place.append(box);
  document.head.append(script);
}
