import type { PageTexts } from '../../../fields/languages/language.ts';
import type { FieldState } from '../../../fields/logic/logic.ts';
import { nextStep } from '../../../fields/logic/steps.ts';
import { answersOf, find, make, mark, type Page, say } from './page.ts';

/** Applies the form's logic to the present answers. */
export function refresh(page: Page): void {
  page.shown = page.rules.show(answersOf(page));
  for (const [id, block] of page.blocks) {
    const state = page.shown.states.get(id);
    if (state) applyState(page, block, state);
  }
  labelButtons(page);
  page.showMentions?.();
}

function applyState(
  { form, engines }: Page,
  block: HTMLElement,
  { hidden, required, disabled }: FieldState,
): void {
  // While rules are missing, a block that the server has shown stays: one of them may be the reason.
  block.hidden = hidden && (engines.isComplete || block.hidden);
  for (const sign of block.querySelectorAll<HTMLElement>('[data-required]')) sign.hidden = !required;
  for (const clear of block.querySelectorAll<HTMLElement>('.clear:not(.entry *)')) clear.hidden = required;
  for (const control of controlsOf(block)) mark(control, 'aria-required', required);
  disable(form, block, disabled);
}

/** Disables the inputs of a block or enables them; files and texts of one's own have inputs besides. */
export function disable(form: HTMLFormElement, block: HTMLElement, disabled: boolean): void {
  const control = nativeOf(block);
  if (control?.disabled !== !disabled) return;
  find('[data-kept]', block)?.remove();
  if (disabled) block.append(keptAnswer(form, block));
  control.disabled = disabled;
  for (const other of block.querySelectorAll<HTMLInputElement>('[data-other],.uploaded [type]'))
    other.disabled = disabled;
}

/** A disabled control is not sent, but its answer counts, so hidden inputs carry it. */
function keptAnswer(form: HTMLFormElement, block: HTMLElement): HTMLElement {
  const names = [...block.querySelectorAll<HTMLInputElement>('[name]')].map(({ name }) => name);
  const kept = make('div', { 'data-kept': '', hidden: '' });
  for (const [name, value] of new FormData(form)) {
    if (names.includes(name) && typeof value === 'string')
      kept.append(make('input', { type: 'hidden', name, value }));
  }
  return kept;
}

/** The input of a block, or its fieldset. */
export function controlOf(block: HTMLElement): HTMLInputElement | null {
  return find(`#${block.id.replace('-block', '')}`, block);
}

/** The control that came with the page and keeps the answer; the script may have put another over it. */
function nativeOf(block: HTMLElement): HTMLInputElement | null {
  return find<HTMLInputElement>(`#${block.id.replace('block', 'native')}`, block) ?? controlOf(block);
}

/** The elements marked as required or wrong: the input, a group of radios as a whole, or each input of another group. */
export function controlsOf(block: HTMLElement): Iterable<HTMLElement> {
  const control = controlOf(block);
  if (control?.localName === 'fieldset' && !control.role)
    return control.querySelectorAll<HTMLElement>(
      'input:not([type=hidden],[data-clear],[data-other],[type=file],[type=search],[data-repeat] *)',
    );
  return control ? [control] : [];
}

/** Labels the buttons by whether there are steps before and after this one. */
export function labelButtons(page: Page): void {
  const { form, steps, step, shown } = page;
  const primary = find<HTMLButtonElement>('.nav .primary', form);
  const back = find<HTMLButtonElement>('.nav [data-back]', form);
  const section = find(`[data-step="${step}"]`, form);
  if (!primary || !back) return;
  const isLast = nextStep(steps, shown.states, step, 1) === null;
  if (!page.isSending) primary.textContent = (isLast ? primary.dataset.submit : section?.dataset.next) ?? '';
  back.hidden = nextStep(steps, shown.states, step, -1) === null;
  const text = steps[step - 1]?.end?.previous_btn_text;
  back.textContent =
    typeof text === 'string' && text.trim() !== '' ? text : say(page, 'previous') || back.textContent;
}

/** Shows above the buttons why the form was not sent; null for nothing. */
export function showNotice(page: Page, text: keyof PageTexts | null): void {
  let line = find('.send-state', page.form);
  if (!line) {
    line = make('p', { role: 'alert' });
    find('.nav', page.form)?.before(line);
  }
  line.className = text ? 'send-state notice' : 'send-state';
  line.textContent = text ? say(page, text) : '';
}
