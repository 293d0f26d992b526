import { asNumber } from '../../block-options/options.ts';
import type { Property } from '../../property.ts';
import { fillIn } from '../../texts/template.ts';
import { ratingMax } from '../../types/rating.ts';
import { STEP_TOLERANCE, type Steps, scaleSteps, sliderSteps, stepValues } from '../../types/stepped.ts';
import type { ControlContext, FieldControl } from '../field-control.ts';
import { type Html, html } from '../html.ts';
import {
  type Attributes,
  answerText,
  attributes,
  clearRadio,
  controlAttributes,
  optionText,
  textInput,
} from './parts.ts';

/** With more choices the number is typed. */
const MOST_STARS = 20;
const MOST_STEPS = 31;

/** A row of stars. */
export const ratingControl: FieldControl = {
  groupRole: (property) => (ratingMax(property) > MOST_STARS ? 'none' : 'radiogroup'),
  render(property, context) {
    const max = ratingMax(property);
    if (max > MOST_STARS) return numberInput(property, context, { min: 0, max, step: 1 });
    const stars = stepValues({ min: 1, max, step: 1 }, MOST_STARS).map((value, index) => {
      const label = fillIn(context.texts.ratingValue, { value, max }, context.language);
      return html`<label>${choice(property, context, { value, index, step: 1 }, { 'aria-label': label })}<span aria-hidden="true"></span></label>`;
    });
    // zero is an answer too, but would look like none
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
    const values = stepValues(steps, MOST_STEPS);
    // The highest number that can be chosen; steps may miss the maximum.
    const ends = endsOf(property, { ...steps, max: values.at(-1) ?? steps.max }, context.id);
    const choices = values.map((value, index) => {
      const described = ends.find((end) => end.value === value && end.label !== null)?.id;
      return html`<label>${choice(property, context, { value, index, step: steps.step }, { 'aria-describedby': described })}<span>${value}</span></label>`;
    });
    const scale = html`<div class="scale">${choices}</div>`;
    return html`${scaleHasEnds(property) ? withEnds(scale, ends) : scale}${clearRadio(property, context)}`;
  },
};

/** Whether a scale has labels for its ends. */
export function scaleHasEnds(property: Property): boolean {
  return optionText(property.scale_min_label) !== null || optionText(property.scale_max_label) !== null;
}

interface End {
  id: string;
  value: number;
  /** Its meaning. */
  label: string | null;
}

function endsOf(property: Property, { min, max }: Steps, id: string): [End, End] {
  return [
    { id: `${id}-low`, value: min, label: optionText(property.scale_min_label) },
    { id: `${id}-high`, value: max, label: optionText(property.scale_max_label) },
  ];
}

/** The numbers are repeated, because a narrow screen breaks the row. */
function withEnds(scale: Html, ends: End[]): Html {
  const said = ends.map(({ id, value, label }) =>
    label === null
      ? html`<span></span>`
      : html`<span id="${id}"><bdi dir="ltr">${value}</bdi>: ${label}</span>`,
  );
  return html`<div class="ended">${scale}<div class="ends">${said}</div></div>`;
}

/**
 * A typed number, because a range input always has a value and could not be left unanswered. The script adds a range, whose value
 * counts once it is touched.
 */
export const sliderControl: FieldControl = {
  groupRole: () => 'none',
  render: (property, context) => numberInput(property, context, sliderSteps(property), true),
};

function choice(
  property: Property,
  { id, answer }: ControlContext,
  { value, index, step }: { value: number; index: number; step: number },
  more: Attributes,
): Html {
  const answered = asNumber(answer);
  const isChosen = answered !== undefined && Math.abs(answered - value) <= step * STEP_TOLERANCE;
  return html`<input${attributes({
    type: 'radio',
    id: `${id}-${index}`,
    name: property.id,
    value: isChosen ? answerText(answer) : value,
    checked: isChosen,
    ...more,
  })}>`;
}

function zero(property: Property, { texts }: ControlContext, value: string): Html {
  return html`<label class="clear"><input type="radio" name="${property.id}" value="${value}" checked data-clear><span>${texts.clear}</span></label>`;
}

/** A typed number. Not `type="number"`, for the reasons of the number field. */
function numberInput(property: Property, context: ControlContext, steps: Steps, isSlider = false): Html {
  const { min, max, step } = steps;
  const input = textInput(answerText(context.answer), {
    ...controlAttributes(property, context, `${context.id}-range`),
    inputmode: min < 0 ? null : 'decimal',
    dir: 'ltr',
    autocomplete: 'off',
    'data-slider': isSlider,
    'data-min': min,
    'data-max': max,
    'data-by': step,
  });
  const [low, high] = endsOf(property, steps, context.id).map(
    ({ value, label }) => html`<bdi dir="ltr">${value}</bdi>${!isSlider && label && html` (${label})`}`,
  );
  return html`${input}<p class="hint" id="${context.id}-range">${low} – ${high}</p>`;
}

function isTyped(steps: Steps): boolean {
  return stepValues(steps, MOST_STEPS).length === 0;
}
