import { make, type Page, say } from '../page.ts';

/** Adds a button that shows the hidden text. */
export function enhanceSecret(element: HTMLElement, page: Page): void {
  const input = element as HTMLInputElement;
  const button = make('button', { type: 'button', class: 'quiet' }, say(page, 'showSecret'));
  button.addEventListener('click', () => {
    const isShown = input.type === 'text';
    input.type = isShown ? 'password' : 'text';
    button.textContent = say(page, isShown ? 'showSecret' : 'hideSecret');
  });
  input.after(button);
}
