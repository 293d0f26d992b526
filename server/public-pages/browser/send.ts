import type { PageTexts } from '../../../fields/languages/language.ts';
import type { ErrorBag } from '../../../fields/property.ts';
import { refresh, showNotice } from './live.ts';
import { actionOf, find, mark, type Page, say, tell } from './page.ts';
import { pause } from './pause.ts';
import { findProblems } from './problems.ts';

/**
 * Milliseconds after which a form that can be kept for later is kept: sent again it is the same submission. Another question is
 * waited for no longer, either.
 */
const PATIENCE_MS = 30_000;

/** Milliseconds that the page stays for what is to end with it: a device that does not answer holds nobody up. */
const FAREWELL_MS = 2_000;

/** What asks for the captcha where the page cannot prove it otherwise. */
const QUESTION = '.captcha:has(#captcha)';

/** What the server says to a form that was taken. */
interface Receipt {
  submission_id: string;
  /** Where the visitor goes to: a page of ours, or of another site. */
  next: string;
}

/**
 * Sends the form without leaving the page. Problems the server finds go to `tellProblems`; when it cannot be sent now,
 * the page says so and keeps everything. Sent again it is the same submission, as its address names the visit.
 * @throws whatever only a new page can tell: the form was closed or changed, or its password was
 */
export async function send(page: Page, tellProblems: (problems: ErrorBag) => void): Promise<void> {
  if (page.isSending) return;
  page.isSending = true;
  showState(page, 'sending');
  try {
    if (find('.uploaded progress', page.form)) showNotice(page, 'uploadsPending');
    for (const wait of page.waits) await wait();
    // Behind those uploads that are still under way: one that breaks off is kept, too.
    const mayTravel = (await page.files?.deliver()) ?? true;
    // An upload may have failed meanwhile.
    const problems = findProblems(page);
    if (Object.keys(problems).length > 0) refuse(page, problems, tellProblems);
    else await post(page, tellProblems, mayTravel);
    if (page.form.isConnected) await tell(page, 'refused');
  } finally {
    page.isSending = false;
    find('.nav .primary', page.form)?.removeAttribute('aria-disabled');
  }
}

async function post(page: Page, tellProblems: (problems: ErrorBag) => void, mayTravel = true): Promise<void> {
  const answer = mayTravel ? await ask(page).catch(() => null) : null;
  // What stands before the service, such as a network that asks to sign in or a proxy that refuses, answers with a page of its own, or with JSON that says nothing of ours.
  const content = await answer?.json().catch(() => null);
  const { status = 0 } = answer ?? {};
  if (status === 429) return showState(page, 'tooMany');
  if (!content || status >= 500 || (status < 400 && !content.next)) {
    if (await page.keepForLater?.([...new FormData(page.form)])) return;
    return answer ? showState(page, 'sendFailed') : showUnreachable(page);
  }
  if (status === 422) {
    // The form has other fields by now, or what was saved on the way was sent from elsewhere: the server shows it, with what was typed.
    const isKnown = (key: string) => key === 'captcha' || page.blocks.has(key);
    if (!Object.keys(content.errors).every(isKnown)) throw new Error(content.message);
    if (content.errors.captcha) await renewQuestion().catch(() => {});
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

/** The question counts once, and for an hour: another one is asked in the place of what was refused. */
async function renewQuestion(): Promise<void> {
  const place = find(QUESTION);
  if (!place) return;
  // Of the same page, which was counted when it was shown.
  const headers = { accept: 'text/html', purpose: 'prefetch' };
  const answer = await fetch(location.href, { headers, signal: AbortSignal.timeout(PATIENCE_MS) });
  // Without its styles, whose nonce is another one.
  const [main = ''] = /<main[\s\S]*<\/main>/.exec(await answer.text()) ?? [];
  const other = new DOMParser().parseFromString(main, 'text/html');
  place.replaceChildren(...(find(QUESTION, other) ?? place).childNodes);
}

/** What is wrong with the answer to the question, where there is one. */
function tellCaptcha(text: string): void {
  const [input, error] = [find('#captcha'), find('#captcha-error')];
  if (!input || !error) return;
  mark(input, 'aria-invalid', text !== '');
  error.textContent = text;
}

/** Chosen files travel only where they could not be uploaded before. */
function bodyOf(form: HTMLFormElement): FormData | URLSearchParams {
  const data = new FormData(form);
  const texts = [...data].filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  const hasFiles = [...data.values()].some((value) => value instanceof File && value.name !== '');
  return hasFiles ? data : new URLSearchParams(texts);
}

/** To another site, or to a page of ours, which is put in place of the form. */
async function leave(page: Page, { next, submission_id: id }: Receipt): Promise<void> {
  const target = new URL(next, location.href);
  page.form.dataset.submission = id;
  const isOwn = target.origin === location.origin && target.pathname.endsWith('/thank-you');
  const text = isOwn ? await textOf(target) : '';
  // The browser would show a page of its own in place of the form. Sent again it leads there.
  if (text === null) return showUnreachable(page);
  await Promise.race([tell(page, 'sent'), pause(FAREWELL_MS)]);
  // Its styles, which are this page's too, have a nonce of their own and would be refused.
  const parts = text.match(/<title>[\s\S]*?<\/title>|<main[\s\S]*<\/main>/g) ?? [];
  const other = new DOMParser().parseFromString(parts.join(''), 'text/html');
  const main = find('main', other);
  if (!main) return location.assign(target);
  // A frame is as high as the page that was in it.
  if (parent !== window) find('[data-results]', main)?.setAttribute('target', '_blank');
  document.title = other.title;
  find('main')?.replaceWith(document.adoptNode(main));
  history.pushState({ step: 0 }, '', target);
  const thanks = find('.thank-you');
  thanks?.focus();
  scrollTo(0, 0);
  if (thanks?.matches('[data-confetti]'))
    void import('./confetti.ts').then(({ throwConfetti }) => throwConfetti());
}

/** @returns '' where it is refused, null where nobody answers */
async function textOf(target: URL): Promise<string | null> {
  try {
    const answer = await fetch(target, { headers: { accept: 'text/html' } });
    return answer.ok ? await answer.text() : '';
  } catch {
    return null;
  }
}

function showUnreachable(page: Page): void {
  showState(page, navigator.onLine ? 'sendFailed' : 'offline');
}

/** What the button and the line above it say; null for nothing special. */
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
