import { numbersSaid } from '../../fields/as-text/said-answers.ts';
import { textOf } from '../../fields/as-text/text-of.ts';
import type { ComputedValues } from '../../fields/formulas/variables.ts';
import { languageFor } from '../../fields/languages/languages.ts';
import type { Answers, JsonValue, Property } from '../../fields/property.ts';
import { cut } from '../../fields/texts/cut.ts';
import { answerText } from './answer-lines.ts';

/** Parts of a form that the owner's words can mention. */
interface MentionedForm {
  properties: readonly Property[];
  variables: ComputedValues;
  language: string;
}

/** Characters of an answer within the owner's words: short, to limit what strangers can have us send to others. */
const MAX_MENTIONED = 255;
/** Line ends, other control characters, and marks that turn the direction of text. */
const NOT_IN_A_LINE = /[\s\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu;

/** Prepares the replacements of mentions: an answer or a computed value as one line, null without one. */
export function mentionedAnswers({
  properties,
  variables,
  language,
}: MentionedForm): (answers: Answers) => (fieldId: string) => string | null {
  const { code } = languageFor(language);
  const byId = new Map(properties.map((property) => [property.id, property]));
  return (answers) => (fieldId) => {
    const property = byId.get(fieldId);
    const text = property
      ? answerText(property, answers, language, null)
      : computedText(variables.get(fieldId)?.(answers) ?? null, code);
    return oneLine(text, MAX_MENTIONED) || null;
  };
}

function computedText(value: JsonValue, code: string): string {
  return typeof value === 'number' ? numbersSaid(value, code) : textOf(value);
}

/** A line that is valid in a mail header. */
export function oneLine(text: string, limit: number): string {
  return cut(text.replace(NOT_IN_A_LINE, ' ').trim(), limit);
}
