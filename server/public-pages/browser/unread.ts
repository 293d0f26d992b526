import { unmendable } from '../../../fields/former-answers/unmendable.ts';
import { type ErrorBag, ownMember } from '../../../fields/property.ts';
import type { Messages } from '../../../fields/texts/messages.ts';
import { messagesOf, type Page } from './page.ts';

/**
 * Adds problems with input that is no answer yet; the rules only see that there is no answer. Removes those that nobody can mend
 * here: the service does without such answers, or keeps them as they are stored.
 */
export function addUnread(page: Page, problems: ErrorBag): void {
  for (const id of Object.keys(unmendable(page.rules.fields, page.shown.answers))) delete problems[id];
  const messages = messagesOf(page.data);
  for (const { id, name } of page.data.properties) {
    const { hidden, disabled } = page.shown.states.get(id) ?? {};
    const block = page.blocks.get(id);
    if (!block || hidden || disabled) continue;
    // Sending waits for the upload, and checks again.
    if (block.querySelector('.uploaded progress')) delete problems[id];
    const refused = block.querySelector('[data-failed] .error')?.textContent;
    if (refused) problems[id] = [refused];
    for (const input of block.querySelectorAll('input')) {
      const { validity, validationMessage } = input;
      // For an incomplete or impossible date browsers give no value.
      if (validity.badInput)
        problems[id] = entryProblems(ownMember(problems, id) ?? [], input, messages) ?? [messages.date(name)];
      if (validity.customError) problems[id] = [validationMessage];
    }
  }
}

/** For repeated questions: the problems so far and this one, with its entry and question; null for other fields. */
function entryProblems(told: readonly string[], input: HTMLElement, messages: Messages): string[] | null {
  const entry = input.closest('.entry')?.querySelector('legend')?.textContent;
  if (entry === undefined) return null;
  const question = input.closest('.block')?.querySelector('.label')?.firstChild?.textContent ?? '';
  const missing = `${entry} – ${messages.required(question)}`;
  const unread = `${entry} – ${messages.date(question)}`;
  return [...told.filter((message) => message !== missing && message !== unread), unread];
}
