import { type ErrorBag, ownMember } from '../../../fields/property.ts';
import { controlOf, controlsOf } from './live.ts';
import { find, make, mark, type Page, say } from './page.ts';

/** Problems of the answers on the page, by the form's rules; none while rules are being loaded. */
export function findProblems(page: Page): ErrorBag {
  const { rules, shown, engines } = page;
  const problems = (engines.isComplete && rules.check(shown.answers).errors) || {};
  page.addUnread?.(problems);
  return problems;
}

/** The problems of some fields. */
export function problemsOf(problems: ErrorBag, concerns: (id: string) => boolean): ErrorBag {
  return Object.fromEntries(Object.entries(problems).filter(([id]) => concerns(id)));
}

/** Shows the problems at their fields, and removes those that are solved. */
export function showProblems(page: Page, problems: ErrorBag): void {
  page.problems = problems;
  for (const [id, block] of page.blocks) {
    // Refused files show their problem themselves.
    const place = find('.error[id]', block);
    if (!place) continue;
    const text = ownMember(problems, id)?.join(' ') ?? '';
    if (place.textContent === text) continue;
    place.textContent = text;
    place.hidden = text === '';
    for (const control of controlsOf(block)) mark(control, 'aria-invalid', text !== '');
  }
  const summary = find('#summary');
  if (summary && !summary.hidden) fillSummary(page, summary);
}

/** Also lists all problems above the form, and moves the focus there. */
export function summarise(page: Page, problems: ErrorBag): void {
  const summary = find('#summary');
  if (summary) summary.hidden = false;
  showProblems(page, problems);
  if (!summary) return;
  const prefix = `${say(page, 'error')}: `;
  if (!document.title.startsWith(prefix)) document.title = prefix + document.title;
  // With one question at a time the focus stays with the question; the list is read out by itself.
  const link = page.data.focused && find('a', summary);
  if (link) link.click();
  else summary.focus();
  summary.scrollIntoView({ block: 'nearest' });
}

function fillSummary(page: Page, summary: HTMLElement): void {
  const items = Object.entries(page.problems).flatMap(([id, messages]) => {
    const block = page.blocks.get(id);
    // The captcha is not a block.
    const control = block ? controlOf(block) : document.getElementById(id);
    return messages.map((message) =>
      make('li', {}, control ? make('a', { href: `#${control.id}` }, message) : message),
    );
  });
  const list = make('ul', {}, ...items);
  // A rebuilt list would move a link away from under the pointer.
  if (find('ul', summary)?.isEqualNode(list)) return;
  summary.hidden = items.length === 0;
  summary.replaceChildren(make('h2', {}, say(page, 'errorSummary', { count: items.length })), list);
  if (summary.hidden) document.title = document.title.replace(`${say(page, 'error')}: `, '');
}
