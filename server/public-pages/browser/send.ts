import type { PageTexts } from '../../../fields/languages/language.ts';
import type { ErrorBag } from '../../../fields/property.ts';
import { addStyle } from './controls/style.ts';
import { refresh, showNotice } from './live.ts';
import { loadAnew } from './load-anew.ts';
import { actionOf, find, mark, type Page, say, tell } from './page.ts';
import { pause } from './pause.ts';
import { findProblems } from './problems.ts';

/**
 * Milliseconds to wait for a response before the form is kept for later, if it can be: sent again it is the same submission. Also
 * the limit for renewing the captcha's question.
 */
const PATIENCE_MS = 30_000;

/** Milliseconds to wait for listeners before the page goes: a device that does not respond must not hold it up. */
const FAREWELL_MS = 2_000;

/** The captcha's question, which is there when the page cannot prove it by computation. */
const QUESTION = '.captcha:has(#captcha)';

/** The server's response to an accepted form. */
interface Accepted {
  submission_id: string;
  /** Where the visitor goes next: a page of ours or of another site. */
  next: string;
}

/**
 * Sends the form without leaving the page. Problems found by the server go to `tellProblems`; if the form cannot be sent now, the
 * page says so and keeps everything. Its address names the visit, so sending twice makes one submission.
 * @throws if only a new page can explain the refusal: the form was closed or changed, or has another password
 */
export async function send(page: Page, tellProblems: (problems: ErrorBag) => void): Promise<void> {
  if (page.isSending) return;
  page.isSending = true;
  showState(page, 'sending');
  try {
    if (find('.uploaded progress', page.form)) showNotice(page, 'uploadsPending');
    for (const wait of page.waits) await wait();
    // Running uploads are done by now; one that broke off is kept and delivered here.
    const mayTravel = (await page.files?.deliver()) ?? true;
    // An upload may have failed meanwhile.
    const problems = findProblems(page);
    if (Object.keys(problems).length > 0) refuse(page, problems, tellProblems);
    else await read(page, tellProblems, mayTravel ? await ask(page).catch(() => null) : null);
    if (page.form.isConnected) await tell(page, 'refused');
  } finally {
    page.isSending = false;
    find('.nav .primary', page.form)?.removeAttribute('aria-disabled');
  }
}

/** @param answer null if there is none, or the form may not travel yet */
async function read(
  page: Page,
  tellProblems: (problems: ErrorBag) => void,
  answer: Response | null,
): Promise<void> {
  // Something before the service, such as a sign-in page of a network or a proxy, may answer with its own page or JSON.
  const content = await answer?.json().catch(() => null);
  const { status = 0 } = answer ?? {};
  if (status === 429) return showState(page, 'tooMany');
  // A form that is gone may come back, and its page would replace the answers.
  const isGone = content?.error === 'form_not_found';
  if (!content || isGone || status >= 500 || (status < 400 && !content.next)) {
    if (await page.keepForLater?.([...new FormData(page.form)])) return;
    if (!answer) return showUnreachable(page);
    showState(page, 'sendFailed');
    return isGone ? tellGone(page) : undefined;
  }
  if (status === 422) {
    const { captcha } = content.errors;
    const present = captcha || content.form_changed ? await presentPage(page).catch(() => null) : null;
    // The form has changed, or its partial submission was completed elsewhere: the server's page explains it and keeps the
    // answers.
    if (isOutdated(page, Object.keys(content.errors), present)) throw new Error(content.message);
    if (captcha) renewQuestion(present);
    return refuse(page, content.errors, tellProblems);
  }
  if (status >= 400) throw new Error(content.message);
  await leave(page, content);
}

function ask(page: Page): Promise<Response> {
  const body = bodyOf(page.form);
  const mayBeKept = page.keepForLater && !(body instanceof FormData);
  return fetch(actionOf(page), {
    method: 'POST',
    body,
    headers: { accept: 'application/json' },
    ...(mayBeKept && { signal: AbortSignal.timeout(PATIENCE_MS) }),
  });
}

function refuse(page: Page, problems: ErrorBag, tellProblems: (problems: ErrorBag) => void): void {
  page.isSending = false;
  showState(page, null);
  tellCaptcha(problems.captcha?.join(' ') ?? '');
  tellProblems(problems);
}

/** The page of this visit as the service shows it now. */
async function presentPage(page: Page): Promise<Document> {
  // A prefetch, because the view was counted when the page was shown.
  const headers = { accept: 'text/html', purpose: 'prefetch' };
  const answer = await fetch(actionOf(page), { headers, signal: AbortSignal.timeout(PATIENCE_MS) });
  // Without its styles, because their nonce differs.
  const [main = ''] = /<main[\s\S]*<\/main>/.exec(await answer.text()) ?? [];
  return new DOMParser().parseFromString(main, 'text/html');
}

/**
 * Whether what was refused cannot be mended here: only the present page has the captcha, the field or its inputs and options, or
 * lets it be answered.
 */
function isOutdated({ blocks, shown }: Page, refused: string[], present: Document | null): boolean {
  return refused.some((key) => {
    if (key === 'captcha') return !find('.captcha');
    const block = blocks.get(key);
    const other = present && find(`[data-block="${CSS.escape(key)}"]`, present);
    const state = shown.states.get(key);
    const isClosed = state?.hidden || state?.disabled;
    return !block || (other && (isClosed || offered(block) !== offered(other)));
  });
}

/** The type of a field, its inputs and the options it offers, as one text; entries of repeated questions all offer the same. */
function offered(block: HTMLElement): string {
  const parts = block.querySelectorAll<HTMLInputElement>(
    ':is(input,select,textarea)[name]:not([data-kept] *,.uploaded *),select[name] option',
  );
  const inputs = [...parts].map((part) => {
    const { name } = part.closest<HTMLInputElement>('[name]') ?? part;
    // Of a repeated question, but not of a range's two dates.
    const general = name.replace(/\[\d+\](?=\[)/, '');
    return part.matches('option,[type=radio],[type=checkbox]') ? `${general} ${part.value}` : general;
  });
  return [block.dataset.type, ...new Set(inputs.sort())].join('\n');
}

/** A question is valid once and for an hour, so a refused one is replaced by a new one. */
function renewQuestion(present: Document | null): void {
  const question = present && find(QUESTION, present);
  if (question) find(QUESTION)?.replaceChildren(...question.childNodes);
}

/** Adds what the page says that stands in the form's place now. */
async function tellGone(page: Page): Promise<void> {
  const present = await presentPage(page).catch(() => null);
  const words = [...(present?.querySelectorAll('h1,p') ?? [])].map(({ textContent }) => textContent);
  find('.send-state', page.form)?.append(` ${words.join(' – ')}`);
}

/** Shows the problem with the captcha's answer, if there is a question. */
function tellCaptcha(text: string): void {
  const [input, error] = [find('#captcha'), find('#captcha-error')];
  if (!input || !error) return;
  mark(input, 'aria-invalid', text !== '');
  error.textContent = text;
}

/** Files are sent with the form only if they could not be uploaded before. */
function bodyOf(form: HTMLFormElement): FormData | URLSearchParams {
  const data = new FormData(form);
  const texts = [...data].filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  const hasFiles = [...data.values()].some((value) => value instanceof File && value.name !== '');
  return hasFiles ? data : new URLSearchParams(texts);
}

/** Goes to another site, or puts our next page in place of the form. */
async function leave(page: Page, { next, submission_id: id }: Accepted): Promise<void> {
  const target = new URL(next, location.href);
  page.form.dataset.submission = id;
  page.loadAnew = loadAnew;
  const isOwn = target.origin === location.origin && target.pathname.endsWith('/thank-you');
  // In a sandbox without an origin of its own the script may not read the page, but the frame can show it.
  const text = isOwn && origin !== 'null' ? await textOf(target) : '';
  // Following the link would show the browser's error page in place of the form. Sent again it leads there.
  if (text === null) return showUnreachable(page);
  await Promise.race([tell(page, 'sent'), pause(FAREWELL_MS)]);
  // Its styles are taken over as a text, because their nonce would be refused.
  const parts = text.match(/<title>[\s\S]*?<\/title>|<main[\s\S]*<\/main>/g) ?? [];
  const [, styles = ''] = /<style[^>]*>([\s\S]*?)<\/style>/.exec(text) ?? [];
  const other = new DOMParser().parseFromString(parts.join(''), 'text/html');
  const main = find('main:has(.thank-you)', other);
  if (!main) {
    // Whoever comes back from there, perhaps somebody else at this device, finds an empty form, as behind our own thanks.
    addEventListener('pagehide', () => page.form.reset());
    addEventListener('pageshow', loadAnew);
    return page.leadOn && !isOwn ? page.leadOn(target) : location.assign(target);
  }
  // The link leaves the frame, whose height fits only the page that was in it.
  if (parent !== window) find('[data-results]', main)?.setAttribute('target', '_blank');
  document.title = other.title;
  addStyle(styles);
  find('main')?.replaceWith(document.adoptNode(main));
  // No step of the form: coming back here from the form loads this page.
  history.pushState({ step: -1 }, '', target);
  const thanks = find('.thank-you');
  thanks?.focus();
  scrollTo(0, 0);
  if (thanks?.matches('[data-confetti]'))
    void import('./confetti.ts').then(({ throwConfetti }) => throwConfetti());
}

/** @returns '' if it is refused, null if there is no response but perhaps a proxy's */
async function textOf(target: URL): Promise<string | null> {
  try {
    const answer = await fetch(target, { headers: { accept: 'text/html' } });
    if (answer.status >= 500) return null;
    return answer.ok ? await answer.text() : '';
  } catch {
    return null;
  }
}

function showUnreachable(page: Page): void {
  showState(page, navigator.onLine ? 'sendFailed' : 'offline');
}

/** Shows a state on the button and in the line above it; null for none. */
function showState(page: Page, state: keyof PageTexts | null): void {
  const { form } = page;
  const button = find<HTMLButtonElement>('.nav .primary', form);
  const isSending = state === 'sending';
  showNotice(page, isSending ? null : state);
  refresh(page);
  if (!button) return;
  if (isSending) button.ariaDisabled = 'true';
  if (state !== null) button.textContent = say(page, isSending ? 'sending' : 'tryAgain');
}
