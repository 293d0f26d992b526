import { ownMember } from '../../../../fields/property.ts';
import { addEntry, inputOf, removeEntry } from '../entries.ts';
import { mark, type Page } from '../page.ts';
import { firstField } from '../walk.ts';
import { announceChange } from './style.ts';

/** Adds and removes entries without a new page; `enhanceWithin` makes the controls of a new entry nicer. */
export function enhanceRepeat(
  entries: HTMLElement,
  page: Page,
  enhanceWithin: (within: HTMLElement) => void,
): void {
  const block = entries.closest<HTMLElement>('[data-block]');
  const add = block?.querySelector<HTMLButtonElement>('.add');
  if (!block || !add) return;
  const error = block.querySelector('.error');
  const { block: id = '' } = block.dataset;
  const markInputs = () => {
    const wrong = (ownMember(page.problems, id) ?? []).map((problem) => inputOf(entries, problem));
    for (const input of entries.querySelectorAll<HTMLElement>('input,select,textarea'))
      mark(input, 'aria-invalid', wrong.includes(input));
  };
  // Its problems are shown for the field as a whole, so the inputs concerned are marked here.
  if (error) new MutationObserver(markInputs).observe(error, { childList: true });
  for (const entry of entries.children) enhanceWithin(entry as HTMLElement);
  entries.addEventListener('added', ({ target }) => enhanceWithin(target as HTMLElement));
  block.addEventListener('click', (event) => {
    const button = (event.target as HTMLElement).closest<HTMLButtonElement>('button[formaction]');
    if (!button) return;
    event.preventDefault();
    if (button === add) {
      firstField(addEntry(entries, page))?.focus();
    } else {
      const entry = button.closest<HTMLElement>('.entry');
      const next = entry?.nextElementSibling ?? entry?.previousElementSibling;
      if (entry) removeEntry(entries, entry, page);
      const left = next?.querySelector<HTMLElement>('button[formaction]:not([hidden])');
      (left ?? (add.hidden ? firstField(entries) : add))?.focus();
    }
    announceChange(entries);
  });
}
