import { typedNumber } from '../../../fields/typed-number.ts';
import { announceChange } from './controls/style.ts';
import { startKeeping } from './keep.ts';
import type { Page } from './page.ts';
import { followProgress } from './progress.ts';

let hasBegun = false;

/**
 * What is needed from the first answer on, or at once where answers wait to be restored: reading numbers, keeping, telling how
 * far, sending.
 */
export function begin(page: Page): void {
  if (hasBegun) return;
  hasBegun = true;
  const { autoSave, partial, language } = page.data;
  page.engines.typing = { typedNumber: (typed) => typedNumber(typed, language) };
  announceChange(page.form);
  if (autoSave || partial) startKeeping(page);
  followProgress(page);
  // Needed when the form is sent: there may be no network then.
  import('./send.ts').catch(() => {});
}
