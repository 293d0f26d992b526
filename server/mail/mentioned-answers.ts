import { cut } from '../../fields/cut.ts';
import type { ComputedValues } from '../../fields/formulas/variables.ts';
import type { Answers, Property } from '../../fields/property.ts';
import { textOf } from '../../fields/text-of.ts';
import { answerText } from './answer-lines.ts';

/** The parts of a form that an owner's words may mention. */
export interface MentionedForm {
  properties: readonly Property[];
  variables: ComputedValues;
  language: string;
}

/** Of an answer within the owner's words. What strangers can have sent to others in our name is short. */
const MAX_MENTIONED = 255;
/** Line ends and other control characters, and what turns the direction of text around. */
const NOT_IN_A_LINE = /[\s\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu;

/** Prepares what stands for the mentions of the owner's words: an answer or a computed value as one line, null where there is none. */
export function mentionedAnswers({
  properties,
  variables,
  language,
}: MentionedForm): (answers: Answers) => (fieldId: string) => string | null {
  const byId = new Map(properties.map((property) => [property.id, property]));
  return (answers) => (fieldId) => {
    const property = byId.get(fieldId);
    const text = property
      ? answerText(property, answers, language, null)
      : textOf(variables.get(fieldId)?.(answers) ?? null);
    return oneLine(text, MAX_MENTIONED) || null;
  };
}

/** As a header may hold it. */
export function oneLine(text: string, limit: number): string {
  return cut(text.replace(NOT_IN_A_LINE, ' ').trim(), limit);
}
