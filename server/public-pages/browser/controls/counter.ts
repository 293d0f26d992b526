import { countCharacters } from '../../../../fields/characters.ts';
import { find, type Page, say } from '../page.ts';

/** Shows how many characters are left. */
export function enhanceCounter(line: HTMLElement, page: Page): void {
  const input = find<HTMLInputElement>('[data-max-chars]', line.closest('[data-block]') ?? document);
  if (!input) return;
  const limit = Number(input.dataset.maxChars);
  const show = () => {
    const left = limit - countCharacters(input.value);
    line.textContent = say(page, left < 0 ? 'charactersOver' : 'charactersLeft', { count: Math.abs(left) });
  };
  // Announced to screen readers only when few are left.
  input.addEventListener('input', () => {
    show();
    line.ariaLive = limit - countCharacters(input.value) < 10 ? 'polite' : 'off';
  });
  input.addEventListener('restore', show);
  show();
}
