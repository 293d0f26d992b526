import type { ErrorBag } from '../../../fields/property.ts';
import type { Page } from './page.ts';

/** What somebody put into the inputs that is no answer yet: of it the rules only see that there is none. */
export function addUnread(page: Page, problems: ErrorBag): void {
  for (const { id } of page.data.properties) {
    const { hidden, disabled } = page.shown.states.get(id) ?? {};
    const block = page.blocks.get(id);
    if (!block || hidden || disabled) continue;
    // Sending waits for it, and looks again.
    if (block.querySelector('.uploaded progress')) delete problems[id];
    const refused = block.querySelector('[data-failed] .error')?.textContent;
    if (refused) problems[id] = [refused];
  }
}
