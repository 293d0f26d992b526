import { addStyle } from './controls/style.ts';
import { find, make, type Page, say } from './page.ts';
import { neighbour } from './walk.ts';

/** Letters that choose options: as many as there are. */
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const STYLE = `.key{margin-inline-start:auto;padding:0 .5em;border:1px solid var(--border);border-radius:.25rem;color:var(--muted);
font:inherit;font-size:.8em}.arrows{display:flex;gap:.5em}.enter{align-self:center;margin:0}@media(hover:none){.key,.enter{display:none}}`;
/** A choice is seen before the page goes on. */
const SEEN_MS = 250;
const TYPING =
  'input:not([type=radio],[type=checkbox],[type=range],[type=file]),textarea,select,[contenteditable]';

/** One question at a time: Enter goes on, letters and digits choose, a choice may go on by itself. */
export function startFocused(page: Page): void {
  const { form, data } = page;
  addStyle(STYLE);
  if (data.arrows) addArrows(page);
  if (!data.focused) return;
  showKeys(page);
  find('.nav .primary', form)?.after(
    make('p', { class: 'hint enter', 'aria-hidden': 'true' }, `${say(page, 'pressEnter')} ↵`),
  );
  form.addEventListener('keydown', (event) => pressed(page, event));
  addEventListener('keydown', (event) => {
    // After an error the focus is on the list of problems.
    if ((event.target as HTMLElement).matches('body,#summary,#summary *')) pressed(page, event);
  });
  if (!data.autoNext) return;
  form.addEventListener('click', (event) => {
    // Arrow keys click too, but where no pointer is.
    const radio = event.target as HTMLInputElement;
    if (event.detail > 0 && isLoneChoice(page, radio)) goOnSoon(page);
  });
  form.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLSelectElement && target.value !== '' && isOpenedByPointer) goOnSoon(page);
  });
  let isOpenedByPointer = false;
  form.addEventListener('pointerdown', () => {
    isOpenedByPointer = true;
  });
  form.addEventListener('keydown', () => {
    isOpenedByPointer = false;
  });
}

function pressed(page: Page, event: KeyboardEvent): void {
  const target = event.target as HTMLElement;
  const { key } = event;
  if (event.defaultPrevented || event.isComposing || event.altKey || event.repeat) return;
  if (key === 'Enter') {
    const isOwn = target.matches('button,a,summary,[role=combobox]');
    const isLines = target.matches('textarea,[contenteditable]');
    const wantsOn = event.ctrlKey || event.metaKey || (!event.shiftKey && !isLines);
    if (isOwn || !wantsOn) return;
    event.preventDefault();
    goOn(page);
  } else if (!event.ctrlKey && !event.metaKey && !target.matches(TYPING)) choose(page, event);
}

/** Letters for options, digits for numbers. */
function choose(page: Page, event: KeyboardEvent): void {
  const section = stepOf(page);
  if (!section) return;
  const key = event.key.toUpperCase();
  const found = [...section.querySelectorAll<HTMLElement>('[data-key]')].find(
    (option) => option.dataset.key === key && option.checkVisibility(),
  );
  const input = found && find<HTMLInputElement>('input', found);
  if (!input || input.disabled) return;
  event.preventDefault();
  input.click();
  input.focus();
  if (page.data.autoNext && isLoneChoice(page, input)) goOnSoon(page);
}

/** Marks each option with the key that chooses it. */
function showKeys({ form }: Page): void {
  for (const block of form.querySelectorAll<HTMLElement>('[data-block]')) {
    const options = [...block.querySelectorAll<HTMLElement>('label.option')];
    options.slice(0, LETTERS.length).forEach((option, index) => {
      const key = LETTERS[index] ?? '';
      option.dataset.key = key;
      option.append(make('kbd', { class: 'key', 'aria-hidden': 'true' }, key));
    });
    const scores = block.querySelectorAll<HTMLElement>(':is(.stars,.scale) label');
    for (const score of scores) score.dataset.key = find<HTMLInputElement>('input', score)?.value ?? '';
  }
}

/** The only question of its step, of which one choice is the whole answer. */
function isLoneChoice(page: Page, input: HTMLElement): boolean {
  const isRadio = input instanceof HTMLInputElement && input.type === 'radio' && !('clear' in input.dataset);
  const section = stepOf(page);
  const questions = section?.querySelectorAll('[data-block]:not([hidden],[data-type^=nf-])').length;
  return isRadio && questions === 1 && input.closest('[data-type=matrix]') === null;
}

function goOnSoon(page: Page): void {
  const { step } = page;
  // After the last question somebody still wants to look before sending.
  if (neighbour(page, 1) === null) return;
  setTimeout(() => {
    if (page.step === step) goOn(page);
  }, SEEN_MS);
}

function goOn({ form }: Page): void {
  HTMLFormElement.prototype.requestSubmit.call(form, find('.nav .primary', form));
}

function stepOf({ form, step }: Page): HTMLElement | null {
  return find(`[data-step="${step}"]`, form);
}

/** Up and down, in a corner of the page. */
function addArrows(page: Page): void {
  const arrow = (sign: string, text: string, press: () => void) => {
    const button = make('button', { type: 'button', class: 'quiet', 'aria-label': text }, sign);
    button.addEventListener('click', press);
    return button;
  };
  const up = arrow('↑', say(page, 'previous'), () => find('[data-back]', page.form)?.click());
  const down = arrow('↓', say(page, 'next'), () => goOn(page));
  const show = () => {
    up.disabled = neighbour(page, -1) === null;
    down.disabled = neighbour(page, 1) === null;
  };
  page.listeners.push(show);
  show();
  page.form.append(make('div', { class: 'arrows' }, up, down));
}
