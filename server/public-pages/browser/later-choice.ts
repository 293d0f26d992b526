/** Where a question takes an option or a typed text of one's own, the later one counts. */
export function keepLaterChoice(form: HTMLFormElement): void {
  for (const block of form.querySelectorAll<HTMLElement>('[data-type=select]')) {
    const other = block.querySelector<HTMLInputElement>('[data-other]');
    if (!other) continue;
    const hasOption = () => block.querySelector(':checked:not([value=""],[data-clear])') !== null;
    const takeBack = () => {
      for (const box of block.querySelectorAll<HTMLInputElement>('[type=radio]')) box.checked = false;
      for (const list of block.querySelectorAll('select')) list.value = '';
    };
    // Runs before the form reads its answers.
    block.addEventListener('input', ({ target }) => {
      if (target !== other) {
        if (hasOption()) other.value = '';
      } else if (other.value !== '') takeBack();
    });
    // Both were given before this part was loaded: the text counts if the visitor is typing it and it did not come with the page.
    if (!hasOption() || other.value === '') continue;
    if (document.activeElement === other && other.value !== other.defaultValue) takeBack();
    else other.value = '';
  }
}
