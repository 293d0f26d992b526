import type { Messages } from '../../../fields/messages.ts';
import type { ErrorBag } from '../../../fields/property.ts';
import { messagesOf, type Page } from './page.ts';

/** What somebody put into the inputs that is no answer yet: of it the rules only see that there is none. */
export function addUnread(page: Page, problems: ErrorBag): void {
  const messages = messagesOf(page.data);
  for (const { id, name } of page.data.properties) {
    const { hidden, disabled } = page.shown.states.get(id) ?? {};
    const block = page.blocks.get(id);
    if (!block || hidden || disabled) continue;
    // Sending waits for it, and looks again.
    if (block.querySelector('.uploaded progress')) delete problems[id];
    const refused = block.querySelector('[data-failed] .error')?.textContent;
    if (refused) problems[id] = [refused];
    for (const input of block.querySelectorAll('input')) {
      const { validity, validationMessage } = input;
      // Of a date typed by half, or that no calendar has, browsers tell no value.
      if (validity.badInput)
        problems[id] = besidesOthers(problems[id] ?? [], input, messages) ?? [messages.date(name)];
      if (validity.customError) problems[id] = [validationMessage];
    }
  }
}

/** Of repeated questions: what is wrong there too, and which entry and question it is; null for others. */
function besidesOthers(told: readonly string[], input: HTMLElement, messages: Messages): string[] | null {
  const entry = input.closest('.entry')?.querySelector('legend')?.textContent;
  if (entry === undefined) return null;
  const question = input.closest('.block')?.querySelector('.label')?.firstChild?.textContent ?? '';
  const missing = `${entry} – ${messages.required(question)}`;
  const unread = `${entry} – ${messages.date(question)}`;
  return [...told.filter((message) => message !== missing && message !== unread), unread];
}
