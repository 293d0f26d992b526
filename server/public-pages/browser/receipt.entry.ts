/*
 * Prints a receipt. Without a script the browser's own menu does.
 */
const button = document.querySelector<HTMLButtonElement>('[data-print]');
if (button) {
  button.hidden = false;
  button.addEventListener('click', () => print());
}
