import { find, type Page } from './page.ts';
import { findProblems, problemsOf, showProblems } from './problems.ts';

/** A field that was changed is checked when it is left. */
export function checkLeftFields(page: Page): void {
  page.form.addEventListener('focusout', ({ target, relatedTarget }) => {
    const next = relatedTarget as HTMLElement | null;
    const block = (target as HTMLElement).closest<HTMLElement>('[data-block]');
    if (!block?.contains(next) && !next?.closest('#summary')) check(page, block?.dataset.block ?? '');
  });
  // Those that were left before this was loaded.
  for (const id of page.touched) {
    if (!page.blocks.get(id)?.contains(document.activeElement)) check(page, id);
  }
}

function check(page: Page, id: string): void {
  // A text that appears would move the button away from under the pointer, or make the list of problems anew.
  if (!page.touched.has(id) || find(':is(button,a):active')) return;
  const told = page.problems;
  showProblems(
    page,
    problemsOf(findProblems(page), (other) => other === id || Object.hasOwn(told, other)),
  );
}
