import { type AnswerSchema, textSchema } from '../answer-schema.ts';
import { textOf } from '../as-text/text-of.ts';
import { isMask } from '../block-options/mask-format.ts';
import { flagProblems, integerProblems } from '../block-options/option-checks.ts';
import { isBlank, numberOption } from '../block-options/options.ts';
import { generatesNumber, generatesUuid } from '../block-options/prefill.ts';
import type { AnswerCheck, AnswerRules, FieldContext, FieldType, OptionProblem } from '../field-type.ts';
import { TEXT_OPERATORS } from '../logic/operator-names.ts';
import type { Property } from '../property.ts';
import { isLongerThan, MAX_TEXT_CHARACTERS } from '../texts/characters.ts';

const FLAGS = ['multi_lines', 'show_char_limit', 'secret_input'];

export const textRules: AnswerRules = {
  name: 'text',
  kind: 'input',
  compile: compileText,
  isEmpty: isBlank,
};

export const textType: FieldType = {
  ...textRules,
  // Pages get such a field without its limits, so their script does not need this.
  compile: (property, context) => compileText(withoutIdleLimits(property), context),
  checkOptions: (property) => [
    ...flagProblems(property, FLAGS),
    ...integerProblems(property, 'max_char_limit', 1),
    ...maskProblems(property),
  ],
  toText: textOf,
  csvKind: 'text',
  answerSchema: textAnswerSchema,
  operators: TEXT_OPERATORS,
};

/**
 * The field as it is asked and checked. Generated answers are not bound by limits, which would refuse them when they come back with
 * an edit.
 */
export function withoutIdleLimits(property: Property): Property {
  const isGenerated = generatesNumber(property, 'text') || generatesUuid(property, 'text');
  return isGenerated ? { ...property, max_char_limit: null, input_mask: null } : property;
}

function textAnswerSchema(property: Property): AnswerSchema {
  if (generatesNumber(property, 'text'))
    return { ...textSchema(), description: 'The number of the submission in digits, once it is complete.' };
  if (generatesUuid(property, 'text'))
    return { ...textSchema(), description: 'A generated UUID, once the submission is complete.' };
  return maskedSchema(property);
}

/** What `compileText` lets through. */
export function maskedSchema(property: Property): AnswerSchema {
  const { input_mask: mask } = property;
  const limited = textSchema(characterLimit(property));
  return typeof mask === 'string' && isMask(mask)
    ? { ...limited, description: `Fits the mask ${mask}` }
    : limited;
}

/** The longest text a field accepts, in characters: its own limit if set, but never more than the general one. */
export function characterLimit(property: Property): number {
  const limit = numberOption(property, 'max_char_limit');
  return limit !== undefined && limit >= 1 ? Math.min(limit, MAX_TEXT_CHARACTERS) : MAX_TEXT_CHARACTERS;
}

/** The check of a plain text: its length and its mask. */
export function compileText(property: Property, { messages, engines }: FieldContext): AnswerCheck {
  const { name } = property;
  const limit = characterLimit(property);
  const maskText = typeof property.input_mask === 'string' ? property.input_mask : '';
  const fits = isMask(maskText) ? engines.compileMask(maskText) : null;
  return (answer, report) => {
    if (typeof answer !== 'string') report(messages.validText(name));
    else if (isLongerThan(answer, limit)) report(messages.maxCharacters(name, limit));
    else if (fits !== null && !fits(answer)) report(messages.maskMismatch(maskText));
    return answer;
  };
}

function maskProblems({ input_mask: mask, slot_char: slot }: Property): OptionProblem[] {
  const problems: OptionProblem[] = [];
  if (mask !== undefined && mask !== null && mask !== '' && !(typeof mask === 'string' && isMask(mask))) {
    problems.push({ path: 'input_mask', message: 'The input_mask field format is invalid.' });
  }
  if (slot !== undefined && slot !== null && slot !== '' && !(typeof slot === 'string' && isSlot(slot))) {
    problems.push({ path: 'slot_char', message: 'The slot_char field format is invalid.' });
  }
  return problems;
}

function isSlot(text: string): boolean {
  return /^[^\p{L}\p{N}]$/u.test(text);
}
