import { addStyle } from './controls/style.ts';

/** Inputs whose text is one line, readable by everybody. */
const LINES = '[type=text],[type=email],[type=url],[type=tel]';
const STYLE = `.typed{display:none}@media print{input:has(+.typed){display:none!important}input+.typed{display:block!important;margin:0;\
padding:.5em .75em;border:1px solid var(--border);border-radius:var(--radius);overflow-wrap:anywhere;white-space:pre-wrap}}`;

/** Prints texts of one line whole: paper does not scroll, so that a text in several lines takes the place of its input. */
export function printWholeLines(form: HTMLFormElement): void {
  /** Those that came with the page, too. */
  const removeCopies = () => {
    for (const copy of form.querySelectorAll('.typed')) copy.remove();
  };
  addStyle(STYLE);
  addEventListener('beforeprint', () => {
    removeCopies();
    for (const input of form.querySelectorAll<HTMLInputElement>(LINES)) {
      if (input.value === '') continue;
      const copy = document.createElement('p');
      copy.className = 'typed';
      copy.dir = 'auto';
      copy.textContent = input.value;
      input.after(copy);
    }
  });
  addEventListener('afterprint', removeCopies);
}
