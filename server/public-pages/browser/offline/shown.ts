import type { PageTexts } from '../../../../fields/languages/language.ts';
import { beginningOf } from '../beginning.ts';
import { addStyle } from '../controls/style.ts';
import { find, make, type Page, say } from '../page.ts';
import type { Waiting } from './waiting.ts';

/** The visitor's choices about waiting forms. */
interface WaitingActions {
  send(): Promise<unknown>;
  /** Replaces whatever else was begun in this form. */
  correct(waiting: Waiting): void;
  discard(waiting: Waiting): Promise<void>;
}

const NOTICE = 'waiting';
const STYLE = '.page{padding-block:8vh;outline:0}';

/** Shown in place of a form that is kept on the device and will be sent automatically. */
export function showKept(page: Page): void {
  const { fillAgain } = page.data.offline ?? {};
  const panel = make(
    'div',
    { class: 'page thank-you', tabindex: '-1' },
    make('h1', {}, find('h1')?.textContent ?? ''),
    make('p', { class: 'kept', role: 'status' }, say(page, 'keptForLater')),
  );
  // Without the worker the link would lead nowhere while there is no network.
  if (fillAgain && navigator.serviceWorker.controller) {
    const again = make('a', { class: 'button', href: beginningOf(page) }, fillAgain);
    panel.append(make('div', { class: 'nav' }, again));
  }
  addStyle(STYLE);
  find('main')?.replaceChildren(panel);
  panel.focus();
  scrollTo(0, 0);
}

/** Says how many waiting forms were sent, unless something else is said above the form. */
export function tellSent(page: Page, count: number, where = place('sent-later')): void {
  where.textContent = say(page, 'keptSent', { count });
}

/** Shows above the form how many wait, which these are, and which were refused; nothing if there are none. */
export function showWaiting(page: Page, all: readonly Waiting[], actions: WaitingActions): void {
  const known = find(`.${NOTICE}`);
  const hadFocus = known?.contains(document.activeElement);
  if (all.length === 0) {
    const behind = known?.nextElementSibling;
    known?.remove();
    if (hadFocus) focusOn(behind);
    return;
  }
  // An unchanged list stays, and keeps the focus.
  const state = JSON.stringify(all.map(({ id, refusal, payAt }) => [id, refusal, payAt]));
  if (known?.dataset.state === state) return;
  const unsent = all.filter(({ refusal, payAt }) => refusal === undefined && payAt === undefined);
  const others = all.filter((waiting) => !unsent.includes(waiting));
  const line = known ?? place(NOTICE);
  line.dataset.state = state;
  line.replaceChildren(
    ...(unsent.length > 0 ? [countLine(page, unsent.length, actions)] : []),
    ...[...unsent, ...others].map((waiting) => lineOf(page, waiting, actions)),
  );
  if (hadFocus) focusOn(line);
}

/** Moves the focus here after the pressed button is gone, so that keyboard users can go on. */
function focusOn(element: Element | null | undefined): void {
  if (!(element instanceof HTMLElement)) return;
  element.tabIndex = -1;
  element.focus({ preventScroll: true });
}

function countLine(page: Page, count: number, { send }: WaitingActions): HTMLElement {
  const text = say(page, 'waitingResponses', { count });
  return make('div', {}, `${text} `, button(page, 'sendNow', send));
}

/** One that waits can only be discarded, one that was refused also corrected, and one that the service has is paid. */
function lineOf(page: Page, waiting: Waiting, { correct, discard }: WaitingActions): HTMLElement {
  const format = new Intl.DateTimeFormat(page.data.language, { dateStyle: 'medium', timeStyle: 'short' });
  const date = format.format(waiting.keptAt);
  const { refusal, payAt } = waiting;
  if (payAt !== undefined)
    return make('div', {}, `${date} `, make('a', { href: payAt }, say(page, 'payTitle')));
  const text = refusal === undefined ? date : say(page, 'keptRefused', { date, reason: refusal });
  const line = make('div', {});
  const ask = (question: keyof PageTexts, act: keyof PageTexts, sure: () => unknown, from: HTMLElement) => {
    const cancel = button(page, 'cancel', () => {
      offer();
      from.focus();
    });
    line.replaceChildren(`${say(page, question)} `, button(page, act, sure), ' ', cancel);
    cancel.focus();
  };
  const first = button(page, 'correct', () => {
    const hasBegun = page.form.isConnected && page.touched.size > 0;
    if (hasBegun) ask('startOverConfirm', 'correct', () => correct(waiting), first);
    else correct(waiting);
  });
  const second = button(page, 'discard', () =>
    ask('discardConfirm', 'discard', () => discard(waiting), second),
  );
  const offer = () =>
    line.replaceChildren(`${text} `, ...(refusal === undefined ? [] : [first, ' ']), second);
  offer();
  return line;
}

function button(page: Page, text: keyof PageTexts, act: () => unknown): HTMLButtonElement {
  const element = make('button', { type: 'button', class: 'quiet' }, say(page, text));
  element.addEventListener('click', () => void act());
  return element;
}

/** The line of this class above the form, or above what replaced it. */
function place(name: string): HTMLElement {
  const known = find(`.${name}`);
  if (known) return known;
  const line = make('div', { class: `${name} notice`, role: 'status' });
  (find('#form') ?? find('main > *'))?.before(line);
  return line;
}
