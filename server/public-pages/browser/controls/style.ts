/** What Safari calls the key that ended a composition, of which it tells when that is over. */
const PROCESSED = 229;

/** Adds rules that only this part of the script needs. */
export function addStyle(css: string): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets.push(sheet);
}

/** The form hears of a change that nobody typed. */
export function announceChange(element: HTMLElement): void {
  element.dispatchEvent(new Event('input', { bubbles: true }));
}

type Control = HTMLElement & { disabled: boolean };

/** What was put beside a control is disabled as long as it is. */
export function followDisabled(control: Control, ...others: Control[]): void {
  const follow = () => {
    for (const other of others) other.disabled = control.disabled;
  };
  new MutationObserver(follow).observe(control, { attributeFilter: ['disabled'] });
  follow();
}

/** Whether a key is meant for the input method, as the Enter that takes what it proposes. */
export function isComposing({ isComposing, keyCode }: KeyboardEvent): boolean {
  return isComposing || keyCode === PROCESSED;
}

/** The name of the field a control belongs to. */
export function labelOf(element: HTMLElement): string {
  const label = element.closest('[data-block]')?.querySelector('.label');
  return label?.firstChild?.textContent?.trim() ?? '';
}

/** Texts compared as people search: without regard to case and accents. */
export function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
