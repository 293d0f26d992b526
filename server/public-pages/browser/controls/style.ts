/** Safari's key code for the key that ended a composition: its event comes only after the composition is over. */
const PROCESSED = 229;

/** Adds rules that only this part of the script needs. */
export function addStyle(css: string): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets.push(sheet);
}

/** Lets the form notice a change made by a script. */
export function announceChange(element: HTMLElement): void {
  element.dispatchEvent(new Event('input', { bubbles: true }));
}

type Control = HTMLElement & { disabled: boolean };

/** Disables the controls that were added beside a control whenever that one is disabled. */
export function followDisabled(control: Control, ...others: Control[]): void {
  const follow = () => {
    for (const other of others) other.disabled = control.disabled;
  };
  new MutationObserver(follow).observe(control, { attributeFilter: ['disabled'] });
  follow();
}

/** Whether a key press belongs to the input method, such as an Enter that accepts its proposal. */
export function isComposing({ isComposing, keyCode }: KeyboardEvent): boolean {
  return isComposing || keyCode === PROCESSED;
}

/** The label of the control's field. */
export function labelOf(element: HTMLElement): string {
  const label = element.closest('[data-block]')?.querySelector('.label');
  return label?.firstChild?.textContent?.trim() ?? '';
}

/** Text as it is compared in a search: without case and accents. */
export function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
