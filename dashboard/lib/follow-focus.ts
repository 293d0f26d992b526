/** Not large areas: those would jump to their beginning. */
const STOPS = 'a, button, input, select, textarea, summary';

/** Shows the whole of what gets the focus by keyboard. Browsers leave it where it is if they see a few of its pixels. */
export function followFocus(): void {
  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement) || !target.matches(STOPS) || !target.matches(':focus-visible'))
      return;
    target.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  });
}
