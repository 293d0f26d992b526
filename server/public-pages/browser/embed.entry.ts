/*
 * Shows forms on other sites: in place, in a dialog, or in one that slides in. A plain script there, which leaves nothing
 * in the page's own names, and small. How it is used stands in docs/embedding.md.
 */

/** A form on this page. */
interface Embedded {
  /** The element of the page that asked for it; hears the events. */
  host: HTMLElement;
  frame: HTMLIFrameElement;
  /** Of the service; nobody else is listened to. */
  origin: string;
  dialog: HTMLDialogElement | null;
}

/** What the frame tells. */
interface Message {
  type: 'formstead';
  event: string;
  height?: number;
}

/** The keys of attribution that the service takes. */
const ATTRIBUTION =
  /^(utm_(source(_platform)?|medium|campaign|id|term|content|creative_format|marketing_tactic)|(g|d|fb|tt)clid|[gw]braid|msclkid)$/;
const STYLES = `
.formstead-frame{display:block;border:0;width:100%;height:30rem}
.formstead{border:0;padding:0;width:min(42rem,100vw);max-width:none;max-height:100dvh;border-radius:9px}
.formstead::backdrop{background:#0008}
.formstead.slider{margin:0;inset:0 0 0 auto;width:min(32rem,100vw);height:100dvh;border-radius:0}
.formstead.slider:dir(rtl){inset:0 auto 0 0}
.slider .formstead-frame{min-height:100%}
.formstead-close{position:absolute;top:4px;inset-inline-end:4px;width:44px;height:44px;border:0;border-radius:50%;background:#fff;color:#000;font-size:24px}
@media(prefers-reduced-motion:no-preference){.formstead{animation:formstead .2s}}
@keyframes formstead{from{opacity:0}}`;
const forms: Embedded[] = [];

/** The form's address with what the visitor brought along: attribution, and the values that were asked for. */
function addressOf({ dataset }: HTMLElement): URL {
  const address = new URL(dataset.formstead ?? '', location.href);
  const wanted = (dataset.prefill ?? '').split(/[\s,]+/);
  for (const [key, value] of new URLSearchParams(location.search))
    if (ATTRIBUTION.test(key) || wanted.includes(key)) address.searchParams.append(key, value);
  return address;
}

function embed(host: HTMLElement): void {
  const { mode, title = 'Form', allow = '' } = host.dataset;
  const address = addressOf(host);
  host.dataset.formsteadMode = mode ?? 'inline';
  if (!/^https?:/.test(address.protocol)) return;
  const frame = document.createElement('iframe');
  frame.className = 'formstead-frame';
  frame.title = title;
  frame.allow = allow;
  // The form's statistics name the site that shows it, whatever this page says of its links.
  frame.referrerPolicy = 'strict-origin';
  const form: Embedded = { host, frame, origin: address.origin, dialog: null };
  forms.push(form);
  if (mode === 'popup' || mode === 'slider') openOnDemand(form, mode, address.href);
  else {
    frame.loading = 'lazy';
    frame.src = address.href;
    host.replaceChildren(frame);
  }
}

/** The dialog traps the focus, closes with Escape and gives the focus back by itself. */
function openOnDemand(form: Embedded, mode: string, address: string): void {
  const { host, frame } = form;
  const dialog = document.createElement('dialog');
  const cross = document.createElement('button');
  let opener = host.matches('a,button') ? host : host.querySelector<HTMLElement>('a,button');
  form.dialog = dialog;
  dialog.className = `formstead ${mode}`;
  dialog.ariaLabel = frame.title;
  cross.className = 'formstead-close';
  cross.ariaLabel = host.dataset.close ?? 'Close';
  cross.textContent = '×';
  cross.onclick = () => dialog.close();
  dialog.append(cross, frame);
  // A link or button cannot hold it.
  (opener === host ? document.body : host).append(dialog);
  if (!opener) {
    opener = document.createElement('button');
    opener.textContent = host.dataset.button ?? frame.title;
    host.prepend(opener);
  }
  opener.ariaHasPopup = 'dialog';
  opener.addEventListener('click', (event) => {
    event.preventDefault();
    frame.src ||= address;
    dialog.showModal();
    frame.focus();
  });
  dialog.onclick = ({ target }) => {
    if (target === dialog) dialog.close();
  };
  dialog.onclose = () => tell(host, 'close', {});
}

function tell(host: HTMLElement, event: string, detail: object): void {
  host.dispatchEvent(new CustomEvent(`formstead:${event}`, { bubbles: true, detail }));
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
  else if (/^(ready|step|submit)$/.test(event)) tell(form.host, event, detail);
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
  script.after(host);
}
embedAll();
new MutationObserver(embedAll).observe(document, { childList: true, subtree: true });
