import { find, type Page } from './page.ts';
import { findProblems, problemsOf, showProblems } from './problems.ts';

/** Checks a changed field when it is left, or where it was left by a press of something else, when that is let go. */
export function checkLeftFields(page: Page): void {
  const left = new Set<string>();
  let pressed: Element | null = find(':active');
  const checkLeft = () => {
    if (pressed) return;
    for (const id of left) check(page, id);
    left.clear();
  };
  // A new message would move what is pressed away from under the pointer, and the press would count for nothing.
  addEventListener('mousedown', ({ target }) => {
    pressed = target as Element;
  });
  // A press that became a drag, or opened a list of the browser, may end without `mouseup`.
  for (const end of ['mouseup', 'dragend', 'keydown']) {
    addEventListener(end, () => {
      pressed = null;
      // After the click.
      setTimeout(checkLeft);
    });
  }
  page.form.addEventListener('focusout', ({ target, relatedTarget }) => {
    const next = relatedTarget as HTMLElement | null;
    const block = (target as HTMLElement).closest<HTMLElement>('[data-block]');
    // A button shows problems itself. Firefox makes it `:active` only after the focus has moved.
    if (block?.contains(next) || next?.closest('#summary') || pressed?.closest('button,a')) return;
    left.add(block?.dataset.block ?? '');
    checkLeft();
  });
  // Fields that were left before this part was loaded.
  for (const id of page.touched) {
    if (!page.blocks.get(id)?.contains(document.activeElement)) left.add(id);
  }
  checkLeft();
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
