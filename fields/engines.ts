import type { AnswerRules } from './field-type.ts';
import type { ComputedValues, ComputedVariable } from './formulas/variables.ts';
import type { Operator } from './logic/operators.ts';
import type { Answers, JsonValue, Property } from './property.ts';
import type { ReadAnswer } from './texts/mentions.ts';

export type PhoneProblem = 'too_short' | 'too_long' | 'invalid_country' | 'invalid';

/** A phone number in its stored form, or the problem with it. */
export type ParsedPhone =
  /** `e164` is empty for a calling code alone; `country` is its ISO 3166 code if known. */
  { e164: string; country?: string } | { problem: PhoneProblem };

/** The rules of the field types and the heavy libraries they need, injected so that the browser's bundle can use lighter ones. */
export interface FieldEngines {
  /** The rules of a type, by any spelling of its name. */
  rulesOf(typeName: string): AnswerRules;
  /** The operator that compares answers of a type, by its canonical name; undefined for unknown names. */
  operatorOf(typeName: string, operatorName: string): Operator | undefined;
  /** Resolves mentions of answers in a condition's value; null for a value without any. */
  compileMentions(
    value: JsonValue,
    readerOf: (fieldId: string) => ReadAnswer,
  ): ((answers: Answers) => JsonValue) | null;
  /** Compiles the formulas of the variables of a form with these blocks. */
  compileVariables(variables: readonly ComputedVariable[], properties: readonly Property[]): ComputedValues;
  /** The check for a valid input mask. */
  compileMask(mask: string): (text: string) => boolean;
  /** Allow-list HTML sanitiser for rich text; sanitising again changes nothing. */
  sanitiseHtml(html: string): string;
  /** Unanchored, case-sensitive, linear-time match; false for a pattern that does not compile. */
  matchesPattern(pattern: string, text: string): boolean;
  isValidPattern(pattern: string): boolean;
  /** Reads `+33…` or `FR+33…` as E.164 without country letters, or returns the problem. */
  parsePhone(text: string): ParsedPhone;
}
