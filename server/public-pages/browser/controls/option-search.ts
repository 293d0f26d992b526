import { make, type Page, say } from '../page.ts';
import { plain } from './style.ts';

/** Adds a search above a long list of boxes or radios. Chosen options stay chosen while they are filtered out. */
export function enhanceOptions(list: HTMLElement, page: Page): void {
  const labels = [...list.querySelectorAll<HTMLElement>('label')];
  const text = say(page, 'search');
  const input = make('input', { type: 'search', placeholder: text, 'aria-label': text, autocomplete: 'off' });
  const status = make('span', { class: 'sr', role: 'status' });
  const nothing = make('p', { class: 'hint', hidden: '' }, say(page, 'noMatch'));
  input.addEventListener('input', (event) => {
    event.stopPropagation();
    const wanted = plain(input.value);
    for (const label of labels) label.hidden = !plain(label.textContent ?? '').includes(wanted);
    const count = labels.filter(({ hidden }) => !hidden).length;
    nothing.hidden = count > 0;
    status.textContent = count === 0 ? '' : say(page, 'results', { count });
  });
  input.addEventListener('change', (event) => event.stopPropagation());
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') event.preventDefault();
  });
  input.style.marginBlockEnd = '0.5em';
  list.before(input, nothing, status);
}
