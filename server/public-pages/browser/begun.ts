import { typedNumber } from '../../../fields/typed-number.ts';
import { checkLeftFields } from './check-left.ts';
import { checkClock } from './clock.ts';
import { announceChange } from './controls/style.ts';
import { followLinks } from './follow-links.ts';
import { startKeeping } from './keep.ts';
import { keepLaterChoice } from './later-choice.ts';
import { printWholeLines } from './on-paper.ts';
import type { Page } from './page.ts';
import { followProgress } from './progress.ts';
import { addUnread } from './unread.ts';

let hasBegun = false;

/**
 * Starts what is needed from the first answer on (or at once, where stored answers wait to be restored): reading numbers, finding
 * input that is no answer, checking fields that are left, keeping answers, reporting progress, printing them whole, sending.
 */
export function begin(page: Page): void {
  if (hasBegun) return;
  hasBegun = true;
  const { autoSave, partial, language } = page.data;
  page.engines.typedNumber = (typed) => typedNumber(typed, language);
  page.addUnread = (problems) => addUnread(page, problems);
  keepLaterChoice(page.form);
  announceChange(page.form);
  if (autoSave || partial) startKeeping(page);
  followProgress(page);
  takeOneStepPerPress(page.form);
  followLinks(page);
  checkLeftFields(page);
  printWholeLines(page.form);
  checkClock(page).catch(() => {});
  // Loaded now because there may be no network when the form is sent.
  import('./send.ts').catch(() => {});
}

/**
 * Without this a double click, or Enter held down, would also press the button of the next step, and send the form from the last
 * one.
 */
function takeOneStepPerPress(form: HTMLFormElement): void {
  form.addEventListener('keydown', (event) => {
    const isLines = (event.target as HTMLElement).matches('textarea,[contenteditable]');
    if (event.key === 'Enter' && event.repeat && !isLines) event.preventDefault();
  });
  form.addEventListener('click', (event) => {
    if (event.detail > 1 && (event.target as HTMLElement).closest('.nav button')) event.preventDefault();
  });
}
