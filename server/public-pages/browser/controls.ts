import { find, type Page, say } from './page.ts';
import { firstField } from './walk.ts';

/** Makes one element nicer. If it fails, the element stays as it was. */
type Enhance = (
  element: HTMLElement,
  page: Page,
  /** Does the same for elements that are added later. */
  enhanceWithin: (within: ParentNode) => void,
) => unknown;

/** Selectors of elements to make nicer, each with its part of the script, loaded only where such an element exists. */
const PARTS: readonly [selector: string, load: () => Promise<Enhance>][] = [
  ['select[data-search]', async () => (await import('./controls/combobox.ts')).enhanceSelect],
  ['.options[data-search]', async () => (await import('./controls/option-search.ts')).enhanceOptions],
  ['[data-exclusive]', async () => (await import('./controls/exclusive.ts')).enhanceExclusive],
  ['[data-mask]', async () => (await import('./controls/mask.ts')).enhanceMask],
  ['[data-counter]', async () => (await import('./controls/counter.ts')).enhanceCounter],
  ['[data-secret]', async () => (await import('./controls/secret.ts')).enhanceSecret],
  ['[data-rich]', async () => (await import('./controls/editor.ts')).enhanceEditor],
  ['[data-phone]', async () => (await import('./controls/phone.ts')).enhancePhone],
  ['[data-slider]', async () => (await import('./controls/slider.ts')).enhanceSlider],
  ['[data-ranking]', async () => (await import('./controls/ranking.ts')).enhanceRanking],
  ['[data-repeat]', async () => (await import('./controls/repeat.ts')).enhanceRepeat],
  ['[data-files]', async () => (await import('./controls/files.ts')).enhanceFiles],
  ['[data-signature]', async () => (await import('./controls/signature.ts')).enhanceSignature],
  ['[data-decoders]', async () => (await import('./controls/barcode.ts')).enhanceBarcode],
  ['[data-locate]', async () => (await import('./controls/location.ts')).enhanceLocation],
  ['[data-embed]', async () => (await import('./controls/player.ts')).enhancePlayer],
  ['[data-captcha=proof_of_work]', async () => (await import('./controls/proof.ts')).enhanceProof],
  ['[data-key][data-captcha]', async () => (await import('./controls/provider.ts')).enhanceProvider],
];

export function enhance(page: Page): void {
  if (page.data.offline)
    void import('./offline/start.ts').then(({ startOffline }) => startOffline(page)).catch(() => {});
  for (const time of document.querySelectorAll<HTMLTimeElement>('time[data-closes]')) {
    const format = new Intl.DateTimeFormat(page.data.language, { dateStyle: 'long', timeStyle: 'short' });
    time.textContent = say(page, 'openUntil', { date: format.format(new Date(time.dateTime)) });
  }
  if (find('[data-mention]', page.form))
    void import('./mentions.ts').then(({ followMentions }) => followMentions(page));
  if (find('[data-due]', page.form))
    void import('./amount-due.ts').then(({ followAmount }) => followAmount(page));
  enhanceWithin(page, page.form);
}

function enhanceWithin(page: Page, within: ParentNode): void {
  for (const [selector, load] of PARTS) {
    const elements = [...within.querySelectorAll<HTMLElement>(selector)].filter(
      // Entries of repeated questions come and go: `controls/repeat.ts` takes care of them.
      (element) => within !== page.form || !element.parentElement?.closest('[data-repeat]'),
    );
    if (elements.length === 0) continue;
    void load().then((enhanceOne) => {
      for (const element of elements)
        keepFocus(element, () => enhanceOne(element, page, (within) => enhanceWithin(page, within)));
    });
  }
}

/** An element that is moved or replaced loses the focus, and the visitor may be typing in it already. */
function keepFocus(element: HTMLElement, enhanceOne: () => unknown): void {
  const block = element.closest<HTMLElement>('[data-block]');
  const hadFocus = block?.contains(document.activeElement);
  enhanceOne();
  if (!hadFocus || block?.contains(document.activeElement)) return;
  element.focus({ preventScroll: true });
  if (document.activeElement !== element && block) firstField(block)?.focus({ preventScroll: true });
}
