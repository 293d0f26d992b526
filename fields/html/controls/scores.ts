import { asNumber } from '../../options.ts';
import type { Property } from '../../property.ts';
import { fillIn } from '../../template.ts';
import { ratingMax } from '../../types/rating.ts';
import { STEP_TOLERANCE, type Steps, scaleSteps, sliderSteps, stepValues } from '../../types/stepped.ts';
import type { ControlContext, FieldControl } from '../field-control.ts';
import { type Html, html } from '../html.ts';
import { answerText, attributes, clearRadio, controlAttributes, textInput } from './parts.ts';

/** With more choices one types the number. */
const MOST_STARS = 20;
const MOST_STEPS = 31;

/** Stars. */
export const ratingControl: FieldControl = {
  groupRole: (property) => (ratingMax(property) > MOST_STARS ? 'none' : 'radiogroup'),
  render(property, context) {
    const max = ratingMax(property);
    if (max > MOST_STARS) return numberInput(property, context, { min: 0, max, step: 1 });
    const stars = stepValues({ min: 1, max, step: 1 }, MOST_STARS).map((value, index) => {
      const label = fillIn(context.texts.ratingValue, { value, max }, context.language);
      return html`<label>${choice(property, context, value, index, 1, label)}<span aria-hidden="true"></span></label>`;
    });
    // zero is an answer too, and looks like none
    const none = asNumber(context.answer) === 0 ? answerText(context.answer) : '';
    return html`<div class="stars">${stars}</div>${none === '' ? clearRadio(property, context) : zero(property, context, none)}`;
  },
};

/** The numbers in a row. */
export const scaleControl: FieldControl = {
  groupRole: (property) => (isTyped(scaleSteps(property)) ? 'none' : 'radiogroup'),
  render(property, context) {
    const steps = scaleSteps(property);
    if (isTyped(steps)) return numberInput(property, context, steps);
    const choices = stepValues(steps, MOST_STEPS).map(
      (value, index) =>
        html`<label>${choice(property, context, value, index, steps.step)}<span>${value}</span></label>`,
    );
    return html`<div class="scale">${choices}</div>${clearRadio(property, context)}`;
  },
};

/**
 * A number to type: a range input always has a value, so that nobody could leave it unanswered. The script puts one
 * over it, and gives it a value when it is touched.
 */
export const sliderControl: FieldControl = {
  groupRole: () => 'none',
  render: (property, context) => numberInput(property, context, sliderSteps(property), true),
};

function choice(
  property: Property,
  { id, answer }: ControlContext,
  value: number,
  index: number,
  step: number,
  label: string | null = null,
): Html {
  const answered = asNumber(answer);
  const isChosen = answered !== undefined && Math.abs(answered - value) <= step * STEP_TOLERANCE;
  return html`<input${attributes({
    type: 'radio',
    id: `${id}-${index}`,
    name: property.id,
    value: isChosen ? answerText(answer) : value,
    checked: isChosen,
    'aria-label': label,
  })}>`;
}

function zero(property: Property, { texts }: ControlContext, value: string): Html {
  return html`<label class="clear"><input type="radio" name="${property.id}" value="${value}" checked data-clear><span>${texts.clear}</span></label>`;
}

/** A number to type. Not `type="number"`, for the reasons of the number field. */
function numberInput(
  property: Property,
  context: ControlContext,
  { min, max, step }: Steps,
  isSlider = false,
): Html {
  const input = textInput(answerText(context.answer), {
    ...controlAttributes(property, context, `${context.id}-range`),
    inputmode: min < 0 ? null : 'decimal',
    dir: 'ltr',
    autocomplete: 'off',
    'data-slider': isSlider,
    'data-min': min,
    'data-max': max,
    'data-step': step,
  });
  return html`${input}<p class="hint" id="${context.id}-range"><bdi dir="ltr">${min}</bdi> – <bdi dir="ltr">${max}</bdi></p>`;
}

function isTyped(steps: Steps): boolean {
  return stepValues(steps, MOST_STEPS).length === 0;
}
