import { addStyle, isComposing } from './controls/style.ts';
import { find, make, type Page, say } from './page.ts';
import { firstField, neighbour } from './walk.ts';

/** Letters that choose options; further options have none. */
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
/** The arrows and the hint take no room of their own: they come later than the question, which must not move. */
const STYLE = `.key{margin-inline-start:auto;padding:0 .5em;border:1px solid var(--border);border-radius:.25rem;color:var(--muted);
font:inherit;font-size:.8em}.arrows{display:flex;margin-block-end:-2rem;margin-inline-start:-.75em}.arrows .quiet{min-block-size:2rem;margin:0;padding:0 .75em}.enter{flex:1;align-self:center;inline-size:0;margin:0;overflow:hidden;white-space:nowrap}.theme-simple .enter{flex:none;inline-size:auto}@media(hover:none),(pointer:coarse),print{.key,.enter{display:none}}`;
/** Milliseconds for which a choice is seen before the page goes on. */
const SEEN_MS = 250;
/** Milliseconds after which a digit begins a new number. */
const NUMBER_MS = 600;
const LINES = 'textarea,[contenteditable]';
const TYPING =
  'input:not([type=radio],[type=checkbox],[type=range],[type=file]),textarea,select,[contenteditable]';

/** One question at a time: Enter goes on, letters and digits choose, and a choice may go on by itself. */
export function startFocused(page: Page): void {
  const { form, data } = page;
  addStyle(STYLE);
  if (data.arrows) addArrows(page);
  if (!data.focused) return;
  showKeys(page);
  addEnterHint(page);
  form.addEventListener('keydown', (event) => pressed(page, event));
  addEventListener('keydown', (event) => {
    // The focus may also be on the list of problems.
    if ((event.target as HTMLElement).matches('body,#summary,#summary *')) pressed(page, event);
  });
  if (!data.autoNext) return;
  form.addEventListener('click', (event) => {
    // Arrow keys fire clicks too, but with `detail` 0.
    const radio = event.target as HTMLInputElement;
    if (event.detail > 0 && isLoneChoice(page, radio)) goOnSoon(page);
  });
  form.addEventListener('change', ({ target }) => {
    const isAnswer = target instanceof HTMLSelectElement && !target.closest('[data-repeat]');
    if (isAnswer && target.value !== '' && isOpenedByPointer) goOnSoon(page);
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
  if (event.defaultPrevented || isComposing(event) || event.altKey || event.repeat) return;
  if (key === 'Enter') {
    const isOwn = target.matches('button,a,summary,[role=combobox]');
    const isLines = target.matches(LINES);
    const wantsOn = event.ctrlKey || event.metaKey || (!event.shiftKey && !isLines);
    if (isOwn || !wantsOn) return;
    event.preventDefault();
    const entries = target.closest('[data-repeat]');
    const next =
      entries && !event.ctrlKey && !event.metaKey && firstField(entries, target as HTMLInputElement);
    if (next) next.focus();
    else goOn(page);
    return;
  }
  // Only while the focus is in the question: whoever speaks to their computer presses letters with every word (WCAG 2.2, 2.1.4).
  const isAnswering = stepOf(page)?.contains(target) && !target.matches(TYPING);
  if (isAnswering && !event.ctrlKey && !event.metaKey) choose(page, event);
}

/** The digits typed so far, on which step, and when the last was typed. */
let typed = { keys: '', step: 0, at: 0 };
let waiting: ReturnType<typeof setTimeout> | undefined;

/** Letters choose options, digits choose numbers: 1 and 0 in a row choose 10. */
function choose(page: Page, event: KeyboardEvent): void {
  const options = [...(stepOf(page)?.querySelectorAll<HTMLElement>('[data-key]') ?? [])].filter((option) =>
    option.checkVisibility(),
  );
  const { step } = page;
  const at = event.timeStamp;
  const key = event.key.toUpperCase().replace(',', '.');
  const all = typed.step === step && at - typed.at < NUMBER_MS ? typed.keys + key : key;
  const begins = (keys: string) => options.filter((option) => option.dataset.key?.startsWith(keys));
  // If no number begins with all the digits, the last one begins a new number.
  const keys = begins(all).length > 0 ? all : key;
  typed = { keys, step, at };
  const found = begins(keys).find(({ dataset }) => dataset.key === keys);
  if (begins(keys).length > 0) clearTimeout(waiting);
  const input = found && find<HTMLInputElement>('input', found);
  if (!input || input.disabled) return;
  event.preventDefault();
  input.click();
  input.focus();
  if (page.data.autoNext && isLoneChoice(page, input))
    goOnSoon(page, begins(keys).length > 1 ? NUMBER_MS : SEEN_MS);
}

/** Shows which key goes on: in a textarea Enter makes a new line. */
function addEnterHint(page: Page): void {
  const hint = make('p', { class: 'hint enter', 'aria-hidden': 'true' });
  // The modifier as it is printed on the key.
  const control = page.data.language === 'de' ? 'Strg' : 'Ctrl';
  const lineKey = /Mac|iP/.test(navigator.platform) ? '⌘' : `${control} +`;
  const show = () => {
    const isLines = stepOf(page)?.querySelector(LINES);
    hint.textContent = `${isLines ? lineKey : say(page, 'pressEnter')} ↵`;
  };
  page.listeners.push((event) => event === 'step' && show());
  show();
  find('.nav', page.form)?.append(hint);
}

/** Marks each option with the key that chooses it. */
function showKeys({ form }: Page): void {
  for (const block of form.querySelectorAll<HTMLElement>('[data-block]')) {
    const options = [...block.querySelectorAll<HTMLElement>('label.option:not(.entry *)')];
    options.slice(0, LETTERS.length).forEach((option, index) => {
      const key = LETTERS[index] ?? '';
      option.dataset.key = key;
      option.append(make('kbd', { class: 'key', 'aria-hidden': 'true' }, key));
    });
    const scores = block.querySelectorAll<HTMLElement>(':is(.stars,.scale) label');
    for (const score of scores) score.dataset.key = find<HTMLInputElement>('input', score)?.value ?? '';
  }
}

/** Whether this is the only question of its step and one choice answers it. */
function isLoneChoice(page: Page, input: HTMLElement): boolean {
  const isRadio = input instanceof HTMLInputElement && input.type === 'radio' && !('clear' in input.dataset);
  const section = stepOf(page);
  const questions = section?.querySelectorAll('[data-block]:not([hidden],[data-type^=nf-])').length;
  return isRadio && questions === 1 && input.closest('[data-type=matrix],[data-repeat]') === null;
}

function goOnSoon(page: Page, pause = SEEN_MS): void {
  const { step } = page;
  clearTimeout(waiting);
  // After the last question visitors may want to look before they send.
  if (neighbour(page, 1) === null) return;
  waiting = setTimeout(() => {
    if (page.step === step) goOn(page);
  }, pause);
}

function goOn({ form }: Page): void {
  HTMLFormElement.prototype.requestSubmit.call(form, find('.nav .primary', form));
}

function stepOf({ form, step }: Page): HTMLElement | null {
  return find(`[data-step="${step}"]`, form);
}

/** Adds buttons for the step before and the next one in a corner of the page. */
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
