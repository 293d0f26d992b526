import { startKeeping } from './keep.ts';
import type { Page } from './page.ts';
import { followProgress } from './progress.ts';

let hasBegun = false;

/** What is needed from the first answer on, or at once where answers wait to be restored: keeping, telling how far, sending. */
export function begin(page: Page): void {
  if (hasBegun) return;
  hasBegun = true;
  const { autoSave, partial } = page.data;
  if (autoSave || partial) startKeeping(page);
  followProgress(page);
  // Needed when the form is sent: there may be no network then.
  import('./send.ts').catch(() => {});
}
