import type { AnswerSchema, Certainty, SchemaOf } from './answer-schema.ts';
import type { FieldEngines } from './engines.ts';
import type { FindFile } from './file-reference.ts';
import type { JsonValue, Property } from './property.ts';
import type { Messages } from './texts/messages.ts';

/** Adds a problem of the field; a repeated one, as from several items of a list, is listed once. */
export type Report = (message: string) => void;

/**
 * Checks an answer that is not empty, and returns the value to store. `now` is for rules about today; without `findFile`
 * references of files are not checked.
 */
export type AnswerCheck = (answer: JsonValue, report: Report, now?: Date, findFile?: FindFile) => JsonValue;

/**
 * Checks only complete submissions, never partial ones: a required rating is at least 1, a required checkbox is ticked, enough
 * options are chosen. `answer` is the value to store, `sent` the one received.
 */
export type CompletenessCheck = (
  answer: JsonValue,
  required: boolean,
  report: Report,
  sent: JsonValue,
  judged: Judged,
) => void;

/** `now` from the check of the answer, and whether that found no problem. */
export interface Judged {
  isWellTyped: boolean;
  now: Date | undefined;
}

export interface FieldContext {
  engines: FieldEngines;
  messages: Messages;
}

/** A problem of one option; `path` is relative to the property, e.g. `select.options.0.name`. */
export interface OptionProblem {
  path: string;
  message: string;
}

/** How one type of block judges answers; all that a page needs for that. */
export interface AnswerRules {
  /** Canonical name, with `_`; layout blocks keep their `nf-…` names. */
  name: string;
  kind: 'input' | 'layout';
  /** Reads the options once and returns the check for all answers. */
  compile(property: Property, context: FieldContext): AnswerCheck;
  compileCompleteness?(property: Property, context: FieldContext): CompletenessCheck;
  /**
   * Completeness is checked even if the answer has problems, because different parts may have different ones. The check repeats
   * those problems itself.
   */
  isJudgedInParts?: boolean;
  /** An empty answer fails `required`, and is not stored. */
  isEmpty(answer: JsonValue | undefined): boolean;
}

/** All functions of one type of block. */
export interface FieldType extends AnswerRules {
  /** Problems with this type's own options in a form to be saved. */
  checkOptions(property: Property): OptionProblem[];
  /** A stored answer as text, as in a CSV cell before quoting and the formula guard. */
  toText(answer: JsonValue, property: Property): string;
  /**
   * How an exporter formats the column. Valid values of 'number' and 'location' get no formula guard. A date range is stored as
   * an array although its kind is 'date': join it like a 'list'. 'files' are names to be written as links.
   */
  csvKind:
    | 'text'
    | 'location'
    | 'date'
    | 'number'
    | 'boolean'
    | 'list'
    | 'matrix'
    | 'entries'
    | 'files'
    | 'json';
  /** Describes the answers as they are stored. None that is accepted may fail it, so it leaves out what is not certain. */
  answerSchema(property: Property, certainty: Certainty, schemaOf: SchemaOf): AnswerSchema;
  /** Operators that conditions on this type may use. */
  operators: readonly string[];
}
