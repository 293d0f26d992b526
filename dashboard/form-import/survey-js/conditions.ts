import type { JsonObject, Property } from '../../../fields/property.ts';
import { all, type Test } from '../boolean-tests.ts';
import {
  acceptOnlyWhen,
  compare,
  lengthTest,
  limitTest,
  limitWords,
  requireWhen,
  showOnlyWhen,
} from '../conditions.ts';
import { testOf } from '../expression-conditions.ts';
import { parseExpression } from '../expressions.ts';
import { countOf, numberOf, objectsOf, textOf } from '../json.ts';
import type { Asked, Maker } from '../maker.ts';
import { asName } from '../words.ts';
import type { Read } from './choices.ts';

/** The elements around a question, outermost first. */
export type Around = readonly { expression: string; about: string }[];

/** Members with expressions that change a question while it is answered. */
export const EXPRESSIONS = [
  ...['enableIf', 'setValueExpression', 'defaultValueExpression', 'resetValueIf'],
  ...['minValueExpression', 'maxValueExpression'],
];

/** Notes which of these members of an element are left out. */
export function tellLeftOut(maker: Maker, element: JsonObject, keys: readonly string[], about: string): void {
  for (const key of keys) {
    const text = textOf(element[key]);
    if (text !== '') maker.note(about, `“${key}” is left out: ${text}`);
  }
}

export function showWhen(maker: Maker, block: Property, around: Around): void {
  const tests: Test[] = [];
  for (const { expression } of around) {
    const test = testIn(maker, expression);
    if (test === null)
      maker.note(block.name, `The condition under which it is shown is left out: ${expression}`);
    else tests.push(test);
  }
  if (tests.length > 0) showOnlyWhen(block, all(...tests), (text) => maker.note(block.name, text));
}

/** Applies when an answer is required, and which answers are accepted. */
export function checkAnswer(maker: Maker, element: JsonObject, block: Property, readWords: Read): void {
  const requiredIf = textOf(element.requiredIf);
  if (requiredIf !== '') {
    const needed = testIn(maker, requiredIf);
    if (needed === null || !requireWhen(block, needed))
      maker.note(block.name, `It was required under a condition, which is left out: ${requiredIf}`);
  }
  tellLeftOut(maker, element, EXPRESSIONS, block.name);
  acceptAnswers(maker, element, block, readWords);
}

function acceptAnswers(maker: Maker, element: JsonObject, block: Property, readWords: Read): void {
  const self = maker.find(textOf(element.name));
  if (self?.block !== block) return;
  const [min, max] = [element.min, element.max].map((value) => textOf(value) || undefined);
  const limits = block.type === 'date' ? limitTest(self, min, max) : null;
  const tests: Test[] = limits === null ? [] : [limits];
  const validators = objectsOf(element.validators).filter(({ type }) => type !== 'email');
  for (const validator of validators) {
    const test = testOfValidator(maker, validator, self);
    if (test === null)
      maker.note(block.name, `What is checked of its answer is left out: ${textOf(validator.type)}`);
    else tests.push(test);
  }
  if (tests.length === 0) return;
  const message = validators.map(({ text }) => asName(readWords(text).text)).find(Boolean);
  acceptOnlyWhen(self, block, all(...tests), message ?? limitWords(min, max));
}

function testOfValidator(maker: Maker, validator: JsonObject, self: Asked): Test | null {
  switch (textOf(validator.type)) {
    case 'numeric':
      return limitTest(self, numberOf(validator.minValue), numberOf(validator.maxValue));
    case 'text':
      return lengthTest(self, numberOf(validator.minLength), countOf(validator.maxLength));
    case 'regex':
      return compare(self, 'matches', textOf(validator.regex));
    case 'expression':
      return testIn(maker, textOf(validator.expression));
    default:
      return null;
  }
}

export function testIn(maker: Maker, expression: string): Test | null {
  const parsed = parseExpression(expression, 'surveyjs');
  return parsed && testOf(parsed, maker.find);
}
