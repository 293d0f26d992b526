import { typedNumber } from '../../../fields/as-text/typed-number.ts';
import { checkLeftFields } from './check-left.ts';
import { checkClock } from './clock.ts';
import { announceChange } from './controls/style.ts';
import { followLinks } from './follow-links.ts';
import { startKeeping } from './keep.ts';
import { keepLaterChoice } from './later-choice.ts';
import { printWholeLines } from './on-paper.ts';
import { hideVisit, stayOneSending } from './own-visit.ts';
import type { Page } from './page.ts';
import { pause } from './pause.ts';
import { followProgress } from './progress.ts';
import { addUnread } from './unread.ts';

/** Milliseconds that a press of a button waits to learn whether the device's clock is right. */
const PATIENCE_MS = 3_000;

let begun: Promise<unknown> | undefined;

/**
 * Starts what is needed from the first answer on (or at once, where stored answers wait to be restored): reading numbers, finding
 * input that is no answer, checking fields that are left, keeping answers, reporting progress, printing them whole, sending.
 * @returns when answers can be judged: by a wrong clock a good day would be refused
 */
export function begin(page: Page): Promise<unknown> {
  begun ??= Promise.race([start(page), pause(PATIENCE_MS)]);
  return begun;
}

function start(page: Page): Promise<void> {
  const { autoSave, partial, language } = page.data;
  page.engines.typedNumber = (typed) => typedNumber(typed, language);
  page.addUnread = (problems) => addUnread(page, problems);
  keepLaterChoice(page.form);
  announceChange(page.form);
  stayOneSending(page);
  if (autoSave || partial) startKeeping(page);
  followProgress(page);
  hideVisit(page);
  takeOneStepPerPress(page);
  followLinks(page);
  checkLeftFields(page);
  printWholeLines(page.form);
  // Loaded now because there may be no network when the form is sent.
  import('./send.ts').catch(() => {});
  return checkClock(page).catch(() => {});
}

/**
 * Without this a double click, or Enter held down, would also press the button of the next step, and send the form from the last
 * one; or choose an option of the next question, where a choice goes on by itself.
 */
function takeOneStepPerPress(page: Page): void {
  const { form } = page;
  let { step } = page;
  form.addEventListener('keydown', (event) => {
    const isLines = (event.target as HTMLElement).matches('textarea,[contenteditable]');
    if (event.key === 'Enter' && event.repeat && !isLines) event.preventDefault();
  });
  const take = (event: MouseEvent) => {
    if (event.detail < 2) ({ step } = page);
    const isSurplus =
      event.detail > 1 && (step !== page.step || (event.target as HTMLElement).closest('.nav button'));
    if (!isSurplus) return;
    event.preventDefault();
    event.stopPropagation();
  };
  form.addEventListener('click', take, true);
}
