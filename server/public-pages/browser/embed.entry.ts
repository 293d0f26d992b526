/*
 * Shows forms on other sites: in place, in a dialog, in a panel that slides in, or in the corner. It is a plain script, must stay
 * small, and adds no globals to the site. Its use is described in docs/embedding.md.
 */

import { type FormDialog, showInDialog, tell } from './embed-dialog.ts';

/** A form on this page. */
interface Embedded {
  /** The site's element that holds the form and receives its events. */
  host: HTMLElement;
  frame: HTMLIFrameElement;
  /** Origin of the service; messages from other origins are ignored. */
  origin: string;
  dialog: FormDialog | null;
}

/** A message from the frame. */
interface Message {
  type: 'formstead';
  event: string;
  height?: number;
}

/** The query keys of attribution that the service accepts. */
const ATTRIBUTION =
  /^(utm_(source(_platform)?|medium|campaign|id|term|content|creative_format|marketing_tactic)|(g|d|fb|tt)clid|[gw]braid|msclkid)$/;
const STYLES = `
.formstead-frame{display:block;border:0;width:100%;height:30rem}
.formstead{border:0;padding:0;overflow:auto;width:min(42rem,100vw);max-width:none;max-height:100dvh;border-radius:9px}
.formstead::backdrop{background:#0008}
.formstead.slider{margin:0;inset-block:0;inset-inline:auto 0;width:min(32rem,100vw);height:100dvh;border-radius:0}
.slider .formstead-frame{min-height:100%}
.formstead.corner{position:fixed;z-index:2147483647;margin:0;inset-block:auto 1rem;inset-inline:auto 1rem;width:min(24rem,100vw - 2rem);max-height:min(40rem,100dvh - 2rem);box-shadow:0 4px 24px #0005}
.formstead-close{display:block;position:sticky;top:4px;margin-block:4px -48px;margin-inline:auto 4px;width:44px;height:44px;border:0;border-radius:50%;background:#fff;color:#000;font-size:24px}
.formstead-said{position:absolute;width:1px;height:1px;margin:0;overflow:hidden;clip-path:inset(50%)}
@media print{.formstead.corner{display:none}}
@media(forced-colors:active){.formstead{box-sizing:border-box;border:2px solid}.formstead-close{border:1px solid}}
@media(prefers-reduced-motion:no-preference){.formstead{animation:formstead .2s}}
@keyframes formstead{from{opacity:0}}`;
const forms: Embedded[] = [];

/** The form's address, with attribution and the requested values from the address of the visitor's page. */
function addressOf({ dataset }: HTMLElement): URL {
  const address = new URL(dataset.formstead ?? '', location.href);
  const wanted = (dataset.prefill ?? '').split(/[\s,]+/);
  for (const [key, value] of new URLSearchParams(location.search))
    if (ATTRIBUTION.test(key) || wanted.includes(key)) address.searchParams.append(key, value);
  return address;
}

function embed(host: HTMLElement): void {
  const { open, title = 'Form', allow = '' } = host.dataset;
  const mode = host.dataset.mode ?? (open ? 'corner' : 'inline');
  const address = addressOf(host);
  host.dataset.formsteadMode = mode;
  if (!/^https?:/.test(address.protocol)) return;
  const frame = document.createElement('iframe');
  frame.className = 'formstead-frame';
  frame.title = title;
  frame.allow = allow;
  // The form's statistics need the site's origin, whatever referrer policy the page has.
  frame.referrerPolicy = 'strict-origin';
  const inDialog = /^(popup|slider|corner)$/.test(mode);
  const dialog = inDialog ? showInDialog(host, frame, mode, address) : null;
  forms.push({ host, frame, origin: address.origin, dialog });
  if (dialog) return;
  frame.loading = 'lazy';
  frame.src = address.href;
  host.replaceChildren(frame);
}

function embedAll(): void {
  for (const host of document.querySelectorAll<HTMLElement>('[data-formstead]:not([data-formstead-mode])'))
    embed(host);
}

addEventListener('message', ({ data, source, origin }: MessageEvent<Message | null>) => {
  const form = forms.find(({ frame }) => source !== null && frame.contentWindow === source);
  if (form?.origin !== origin || data?.type !== 'formstead') return;
  const { type, event, ...detail } = data;
  if (event === 'height') form.frame.style.height = `${detail.height}px`;
  else if (event === 'close') form.dialog?.close();
  else if (/^(ready|step|submit)$/.test(event)) {
    tell(form.host, event, detail);
    // After sending, the frame may lead this page on, once everybody here has heard of it.
    if (form.host.dataset.stay === undefined)
      form.frame.contentWindow?.postMessage({ type, event: 'lead' }, origin);
  }
  if (event === 'ready') form.dialog?.onReady();
  if (event === 'submit') form.dialog?.onSent();
});

const sheet = new CSSStyleSheet();
sheet.replaceSync(STYLES);
document.adoptedStyleSheets.push(sheet);
const script = document.currentScript as HTMLScriptElement | null;
if (script?.dataset.form) {
  const host = document.createElement('div');
  Object.assign(host.dataset, script.dataset, {
    formstead: new URL(`forms/${script.dataset.form}`, script.src).href,
  });
  // Elements inside the head are not shown.
  if (!script.closest('head')) script.after(host);
  else if (document.body) document.body.append(host);
  else addEventListener('DOMContentLoaded', () => document.body.append(host));
}
embedAll();
new MutationObserver(embedAll).observe(document, { childList: true, subtree: true });
