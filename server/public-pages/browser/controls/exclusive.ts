import { make, type Page, say } from '../page.ts';

/** Whoever chooses an option that rules out the others chooses nothing else: the later choice takes the place of the earlier. */
export function enhanceExclusive(list: HTMLElement, page: Page): void {
  const field = list.parentElement as HTMLElement;
  const status = make('span', { class: 'sr', role: 'status' });
  const isAlone = (input: HTMLInputElement) => input.matches('[data-alone]');
  const isChosen = (input: HTMLInputElement) => (isOther(input) ? input.value.trim() !== '' : input.checked);
  // Runs before the form reads its answers.
  field.addEventListener('input', ({ target }) => {
    const input = target as HTMLInputElement;
    if (!input.matches('[type=checkbox],[data-other]')) return;
    status.textContent = '';
    if (!isChosen(input)) return;
    const all = [...field.querySelectorAll<HTMLInputElement>('.option input,[data-other]')];
    const ruledOut = all.filter(
      (other) => other !== input && (isAlone(input) || isAlone(other)) && isChosen(other),
    );
    const names = ruledOut.map(nameOf);
    for (const other of ruledOut) takeBack(other);
    if (names.length > 0) status.textContent = say(page, 'noLongerChosen', { names: names.join(', ') });
  });
  list.after(status);
}

function isOther(input: HTMLInputElement): boolean {
  return input.matches('[data-other]');
}

function takeBack(input: HTMLInputElement): void {
  if (isOther(input)) input.value = '';
  else input.checked = false;
}

/** As the page shows it, without the key that chooses it. */
function nameOf(input: HTMLInputElement): string {
  return isOther(input) ? input.value.trim() : (input.nextElementSibling?.textContent ?? '');
}
