import { inputOf } from './entries.ts';
import { find, type Page, stepOf } from './page.ts';
import { goTo } from './walk.ts';

/** Each line of the list of problems leads to the field concerned, on any step. */
export function followLinks(page: Page): void {
  const summary = find('#summary');
  summary?.addEventListener('click', (event) => {
    // A browser that translates the page puts elements around its texts.
    const link = (event.target as Element).closest('a');
    const control = link?.hash ? find(link.hash) : null;
    if (!link || !control) return;
    event.preventDefault();
    const links = [...summary.querySelectorAll<HTMLAnchorElement>('a')].filter(
      ({ hash }) => hash === link.hash,
    );
    const section = control.closest<HTMLElement>('.step');
    if (section && stepOf(section) !== page.step) goTo(page, stepOf(section));
    const entries = find('[data-repeat]', control);
    const input = entries && inputOf(entries, link.textContent ?? '');
    (input ?? placeIn(control, links.indexOf(link))).focus();
    (input ?? control.closest('[data-block]') ?? control).scrollIntoView({ block: 'nearest' });
  });
}

/** The first input of a group; in a matrix, whose problems are one per unanswered row, the first input of that row. */
function placeIn(control: HTMLElement, index: number): HTMLElement {
  if (!control.matches('fieldset')) return control;
  const rows = control.querySelectorAll<HTMLElement>('tr:not(:has(:checked)) td:first-of-type input');
  return rows[index] ?? find('input:not([type=hidden])', control) ?? control;
}
