import { find, type Page } from './page.ts';
import { findProblems, problemsOf, showProblems } from './problems.ts';

/** Checks a changed field when it is left. */
export function checkLeftFields(page: Page): void {
  page.form.addEventListener('focusout', ({ target, relatedTarget }) => {
    const next = relatedTarget as HTMLElement | null;
    const block = (target as HTMLElement).closest<HTMLElement>('[data-block]');
    if (!block?.contains(next) && !next?.closest('#summary')) check(page, block?.dataset.block ?? '');
  });
  // Fields that were left before this part was loaded.
  for (const id of page.touched) {
    if (!page.blocks.get(id)?.contains(document.activeElement)) check(page, id);
  }
}

function check(page: Page, id: string): void {
  // While a button is pressed nothing is shown: a new message would move the button away, or rebuild the list of problems.
  if (!page.touched.has(id) || find(':is(button,a):active')) return;
  const told = page.problems;
  showProblems(
    page,
    problemsOf(findProblems(page), (other) => other === id || Object.hasOwn(told, other)),
  );
}
