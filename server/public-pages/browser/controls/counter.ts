import { countCharacters } from '../../../../fields/texts/characters.ts';
import { visibleText } from '../../../../fields/texts/visible-text.ts';
import { find, type Page, say } from '../page.ts';

/** Shows how many characters are left. */
export function enhanceCounter(line: HTMLElement, page: Page): void {
  const input = find<HTMLInputElement>('[data-max-chars]', line.closest('[data-block]') ?? document);
  if (!input) return;
  const limit = Number(input.dataset.maxChars);
  const charactersLeft = () =>
    limit - countCharacters(input.matches('[data-rich]') ? visibleText(input.value) : input.value);
  const show = () => {
    const left = charactersLeft();
    line.textContent = say(page, left < 0 ? 'charactersOver' : 'charactersLeft', { count: Math.abs(left) });
  };
  // Announced to screen readers only when few are left.
  input.addEventListener('input', () => {
    show();
    line.ariaLive = charactersLeft() < 10 ? 'polite' : 'off';
  });
  input.addEventListener('restore', show);
  show();
}
