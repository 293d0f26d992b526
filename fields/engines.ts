import type { AnswerRules } from './field-type.ts';
import type { ComputedValues, ComputedVariable } from './formulas/variables.ts';
import type { ReadAnswer } from './mentions.ts';
import type { Operator } from './operators.ts';
import type { Answers, JsonValue } from './property.ts';

export type PhoneProblem = 'too_short' | 'too_long' | 'invalid_country' | 'invalid';

/** A phone number as it is stored, or why it is none. */
export type ParsedPhone =
  /** `e164` is empty for a calling code alone; `country`: ISO 3166 letters when known. */
  { e164: string; country?: string } | { problem: PhoneProblem };

/** The rules of the field types and the heavy libraries they need, injected so that a browser bundle can bring lighter ones. */
export interface FieldEngines {
  /** What a type makes of answers, by any way to write its name. */
  rulesOf(typeName: string): AnswerRules;
  /** How conditions compare answers of a type, by its canonical name; undefined for names no type knows. */
  operatorOf(typeName: string, operatorName: string): Operator | undefined;
  /** Resolves the mentions of answers in a condition's value; null for a value without any. */
  compileMentions(
    value: JsonValue,
    readerOf: (fieldId: string) => ReadAnswer,
  ): ((answers: Answers) => JsonValue) | null;
  /** Makes the formulas of a form's variables ready. */
  compileVariables(variables: readonly ComputedVariable[]): ComputedValues;
  /** The check of an input mask that is well formed. */
  compileMask(mask: string): (text: string) => boolean;
  /** Allow-list HTML sanitiser for rich text; sanitising twice gives the same text as once. */
  sanitiseHtml(html: string): string;
  /** Unanchored, case-sensitive, linear-time match; false for a pattern that does not compile. */
  matchesPattern(pattern: string, text: string): boolean;
  isValidPattern(pattern: string): boolean;
  /** Phone check: `+33…` or `FR+33…` to E.164 without country letters, or the reason it is refused. */
  parsePhone(text: string): ParsedPhone;
}
