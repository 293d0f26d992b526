/** Of an option and a text of one's own, which is typed beside it, the later one counts. */
export function keepLaterChoice(form: HTMLFormElement): void {
  for (const block of form.querySelectorAll<HTMLElement>('[data-type=select]')) {
    const other = block.querySelector<HTMLInputElement>('[data-other]');
    if (!other) continue;
    const hasOption = () => block.querySelector(':checked:not([value=""],[data-clear])') !== null;
    const takeBack = () => {
      for (const box of block.querySelectorAll<HTMLInputElement>('[type=radio]')) box.checked = false;
      for (const list of block.querySelectorAll('select')) list.value = '';
    };
    // Before the form reads its answers.
    block.addEventListener('input', ({ target }) => {
      if (target !== other) {
        if (hasOption()) other.value = '';
      } else if (other.value !== '') takeBack();
    });
    // Both, before this was loaded: later is where somebody is now, and what came with the page is earlier.
    if (!hasOption() || other.value === '') continue;
    if (document.activeElement === other && other.value !== other.defaultValue) takeBack();
    else other.value = '';
  }
}
