import { textOf } from '../as-text/text-of.ts';
import { numberProblems, textProblems } from '../block-options/option-checks.ts';
import { isBlank, numberOption } from '../block-options/options.ts';
import type { AnswerCheck, AnswerRules, FieldContext, FieldType, OptionProblem } from '../field-type.ts';
import { NUMBER_OPERATORS, SCORE_OPERATORS } from '../logic/operator-names.ts';
import type { Property } from '../property.ts';
import { rangeSchema, readNumber } from './number.ts';

/** Allowed distance from a step, in steps, because 0.1 + 0.2 is meant to be a step of 0.1. */
export const STEP_TOLERANCE = 1e-6;

/** Options with a label for each end of a scale. */
const END_LABELS = ['scale_min_label', 'scale_max_label'];
export const MAX_END_LABEL = 100; // characters

/** Significant digits of a choice; further digits show only rounding errors. */
const DIGITS = 12;

/** The numbers to choose from: `min`, and from there in steps up to `max`. */
export interface Steps {
  min: number;
  max: number;
  step: number;
}

const SCALE_DEFAULTS: Steps = { min: 1, max: 5, step: 1 };
const SLIDER_DEFAULTS: Steps = { min: 0, max: 50, step: 1 };

export const scaleRules = steppedRules('scale', SCALE_DEFAULTS);
export const sliderRules = steppedRules('slider', SLIDER_DEFAULTS);
// A page needs only the rules: without these marks it would also get everything that the types call.
export const scaleType = /* @__PURE__ */ steppedType(scaleRules, SCALE_DEFAULTS, SCORE_OPERATORS);
export const sliderType = /* @__PURE__ */ steppedType(sliderRules, SLIDER_DEFAULTS, NUMBER_OPERATORS);

export function scaleSteps(property: Property): Steps {
  return readSteps(property, 'scale', SCALE_DEFAULTS);
}

export function sliderSteps(property: Property): Steps {
  return readSteps(property, 'slider', SLIDER_DEFAULTS);
}

/** Every number to choose from; none if there are more than `most`. */
export function stepValues(steps: Steps, most: number): number[] {
  const { min, max, step } = steps;
  const count = max < min || step <= 0 ? 0 : Math.floor((max - min) / step + STEP_TOLERANCE) + 1;
  if (!(count <= most)) return [];
  return Array.from({ length: count }, (_, index) => valueOfStep(steps, index));
}

/** The number of a step; that of index 0 is `min`. */
export function valueOfStep({ min, step }: Steps, index: number): number {
  const value = min + index * step;
  // -0.2 and two steps of 0.1 make 0.
  return index > 0 && Math.abs(value) < step * STEP_TOLERANCE ? 0 : Number(value.toPrecision(DIGITS));
}

/** Rules for a number on a grid between two bounds, with the options `<name>_min_value`, `_max_value` and `_step_value`. */
function steppedRules(name: string, defaults: Steps): AnswerRules {
  return {
    name,
    kind: 'input',
    compile: (property, context) => compileStepped(property, context, readSteps(property, name, defaults)),
    isEmpty: isBlank,
  };
}

function steppedType(rules: AnswerRules, defaults: Steps, operators: readonly string[]): FieldType {
  return {
    ...rules,
    checkOptions: (property) => stepProblems(property, rules.name, defaults),
    toText: textOf,
    csvKind: 'number',
    // `multipleOf` would refuse some steps of 0.1, whose sums are rounded.
    answerSchema: (property) => rangeSchema('number', readSteps(property, rules.name, defaults)),
    operators,
  };
}

function readSteps(property: Property, name: string, defaults: Steps): Steps {
  return {
    min: numberOption(property, `${name}_min_value`) ?? defaults.min,
    max: numberOption(property, `${name}_max_value`) ?? defaults.max,
    step: numberOption(property, `${name}_step_value`) ?? defaults.step,
  };
}

function compileStepped(property: Property, { messages }: FieldContext, steps: Steps): AnswerCheck {
  const { name } = property;
  const { min, max, step } = steps;
  return (answer, report) => {
    const number = readNumber(answer, property, messages, report);
    if (number === undefined) return answer;
    if (number < min) report(messages.minValue(name, min));
    else if (number > max) report(messages.maxValue(name, max));
    else if (step > 0 && !isOnGrid(number, min, step)) report(messages.selectedInvalid(name));
    return number;
  };
}

function isOnGrid(number: number, min: number, step: number): boolean {
  const steps = (number - min) / step;
  return Math.abs(steps - Math.round(steps)) <= STEP_TOLERANCE;
}

function stepProblems(property: Property, name: string, defaults: Steps): OptionProblem[] {
  const keys = [`${name}_min_value`, `${name}_max_value`, `${name}_step_value`] as const;
  const problems = [
    ...keys.flatMap((key) => numberProblems(property, key)),
    ...(name === 'scale' ? END_LABELS.flatMap((key) => textProblems(property, key, MAX_END_LABEL)) : []),
  ];
  if (problems.length > 0) return problems;
  const { min, max, step } = readSteps(property, name, defaults);
  if (max < min) problems.push({ path: keys[1], message: `The ${keys[1]} field must be at least ${min}.` });
  if (step <= 0) problems.push({ path: keys[2], message: `The ${keys[2]} field must be greater than 0.` });
  return problems;
}
