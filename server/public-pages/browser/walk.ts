import { currentStep, nextStep } from '../../../fields/logic/steps.ts';
import { labelButtons } from './live.ts';
import { actionOf, find, type Page, say, setAction, stepOf, tell } from './page.ts';

/** Index of the next or previous step that shows anything, or null. */
export function neighbour({ steps, shown, step }: Page, direction: 1 | -1): number | null {
  return nextStep(steps, shown.states, step, direction);
}

/** Shows a step. Inputs of the other steps stay in the form. */
export function showStep(page: Page, wanted: number): void {
  const { form, steps, shown } = page;
  const step = currentStep(steps, shown.states, wanted);
  page.step = step;
  for (const section of form.querySelectorAll<HTMLElement>('.step'))
    section.hidden = stepOf(section) !== step;
  labelButtons(page);
  const bar = find<HTMLProgressElement>('.progress progress', form);
  if (bar) {
    const text = say(page, 'progress', { step: step + 1, total: steps.length });
    bar.value = step + 1;
    bar.ariaLabel = text;
    if (bar.nextElementSibling) bar.nextElementSibling.textContent = text;
  }
  // If the form is sent without the script after all, it continues from this step.
  const action = actionOf(page);
  action.searchParams.set('step', `${step}`);
  setAction(page, action);
  void tell(page, 'step');
}

/** Goes to a step at the top of the page; the browser's back button leads to the one before. */
export function goTo(page: Page, step: number): void {
  showStep(page, step);
  history.pushState({ step: page.step }, '');
  focusStep(page);
}

/** Focuses the step's first field, or the step itself where the page must not focus fields. */
export function focusStep(page: Page): void {
  const section = find(`[data-step="${page.step}"]`, page.form);
  if (!section) return;
  const first = page.data.autoFocus ? firstField(section) : undefined;
  if (!first) section.tabIndex = -1;
  (first ?? section).focus({ preventScroll: true });
  page.form.scrollIntoView();
}

/**
 * The first usable input, or the first with another name after a given one. With options it is the chosen one; for a phone number
 * it is the number, not the country.
 */
export function firstField(within: ParentNode, behind?: HTMLInputElement): HTMLElement | undefined {
  const all = within.querySelectorAll<HTMLInputElement>(
    'input:not([type=hidden],[readonly]),select,textarea,[contenteditable]',
  );
  // Inputs in a disabled group do not have the attribute themselves.
  const locked = ':disabled,[contenteditable=false]';
  const fields = [...all].filter((field) => field.checkVisibility() && !field.matches(locked));
  const first = fields
    .slice(behind && fields.indexOf(behind) + 1)
    .find((field) => !field.matches('.country *') && !(behind?.name && field.name === behind.name));
  const chosen = fields.find(({ name, checked }) => name === first?.name && checked);
  return first?.type === 'radio' && chosen ? chosen : first;
}
