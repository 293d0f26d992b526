import type { Property } from './property.ts';
import { MAX_TEXT_CHARACTERS } from './texts/characters.ts';

/** The part of JSON Schema (2020-12) that describes answers. Without `format`, which validators read differently or not at all. */
export interface AnswerSchema {
  $ref?: string;
  title?: string;
  description?: string;
  deprecated?: boolean;
  type?: 'string' | 'number' | 'integer' | 'boolean' | 'null' | 'array' | 'object';
  const?: string | number | boolean;
  enum?: readonly string[];
  anyOf?: readonly AnswerSchema[];
  allOf?: readonly AnswerSchema[];
  not?: AnswerSchema;
  minLength?: number;
  maxLength?: number;
  /** Understood alike by JavaScript and others: no classes of Unicode, no look-ahead. */
  pattern?: string;
  minimum?: number;
  maximum?: number;
  items?: AnswerSchema;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  properties?: Record<string, AnswerSchema>;
  required?: readonly string[];
  minProperties?: number;
  additionalProperties?: AnswerSchema;
}

/** What is certain of the submissions whose answers are described; nothing of partial and imported ones. */
export interface Certainty {
  /** The answer was checked for completeness: the submission is complete, and nothing ever hides the field. */
  isComplete: boolean;
  /** The field was required besides, whatever the other answers were. */
  isRequired: boolean;
}

/** Describes the answers to a field of any type, for types that contain others. */
export type SchemaOf = (property: Property, certainty: Certainty) => AnswerSchema;

/** A text of at least one character, as empty ones are not stored. */
export function textSchema(maxLength = MAX_TEXT_CHARACTERS): AnswerSchema {
  return { type: 'string', minLength: 1, maxLength };
}

/** One of the names; any text where `names` is null. */
export function choiceSchema(names: ReadonlySet<string> | null, known: Iterable<string> = []): AnswerSchema {
  if (names !== null) return names.size > 0 ? { enum: [...names] } : { not: {} };
  const suggested = [...new Set(known)];
  return suggested.length > 0 ? { anyOf: [{ enum: suggested }, textSchema()] } : textSchema();
}
