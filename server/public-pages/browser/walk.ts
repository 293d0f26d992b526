import { currentStep, nextStep } from '../../../fields/steps.ts';
import { labelButtons } from './live.ts';
import { actionOf, find, type Page, say, setAction, stepOf, tell } from './page.ts';

/** The step before or behind this one that has anything to show, or null. */
export function neighbour({ steps, shown, step }: Page, direction: 1 | -1): number | null {
  return nextStep(steps, shown.states, step, direction);
}

/** Shows a step. What was typed in the others stays in the form. */
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
  // Sent without the script after all, the form goes on from here.
  const action = actionOf(page);
  action.searchParams.set('step', `${step}`);
  setAction(page, action);
  void tell(page, 'step');
}

/** Goes on to a step: the page begins at its top again, and the browser's own back leads to the one before. */
export function goTo(page: Page, step: number): void {
  showStep(page, step);
  history.pushState({ step: page.step }, '');
  focusStep(page);
}

/** The step's first field or, where a page does not want that, the step itself. */
export function focusStep(page: Page): void {
  const section = find(`[data-step="${page.step}"]`, page.form);
  if (!section) return;
  const first = page.data.autoFocus ? firstField(section) : undefined;
  if (!first) section.tabIndex = -1;
  (first ?? section).focus({ preventScroll: true });
  page.form.scrollIntoView();
}

/**
 * The first input one can use, or the first of another name behind one; at its chosen option where it has options, at the
 * number and not at its country.
 */
export function firstField(within: ParentNode, behind?: HTMLInputElement): HTMLElement | undefined {
  const all = within.querySelectorAll<HTMLInputElement>(
    'input:not([type=hidden],[readonly]),select,textarea,[contenteditable]',
  );
  // Within a group that is locked they do not say so themselves.
  const locked = ':disabled,[contenteditable=false]';
  const fields = [...all].filter((field) => field.checkVisibility() && !field.matches(locked));
  const first = fields
    .slice(behind && fields.indexOf(behind) + 1)
    .find((field) => !field.matches('.country *') && !(behind?.name && field.name === behind.name));
  const chosen = fields.find(({ name, checked }) => name === first?.name && checked);
  return first?.type === 'radio' && chosen ? chosen : first;
}
