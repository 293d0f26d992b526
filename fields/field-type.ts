import type { FieldEngines } from './engines.ts';
import type { FindFile } from './file-reference.ts';
import type { Messages } from './messages.ts';
import type { JsonValue, Property } from './property.ts';

/** Adds one problem of the field; the same one found again, as in several items of a list, is told once. */
export type Report = (message: string) => void;

/**
 * Judges an answer that is not empty and returns the value to store. `now` is for rules about today; without
 * `findFile` references of files pass unseen.
 */
export type AnswerCheck = (answer: JsonValue, report: Report, now?: Date, findFile?: FindFile) => JsonValue;

/**
 * What is asked only of a complete answer, never of a partial one: a required rating is at least 1, a required
 * checkbox is ticked, enough options are chosen. `answer` is the value to store, `sent` the one that came in.
 */
export type CompletenessCheck = (
  answer: JsonValue,
  required: boolean,
  report: Report,
  sent: JsonValue,
  judged: Judged,
) => void;

/** What the check of the answer was told, and whether it had nothing to report. */
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

/** What one type of block makes of answers: all that a page needs to judge them. */
export interface AnswerRules {
  /** Canonical name, with `_`; layout blocks keep their `nf-…` names. */
  name: string;
  kind: 'input' | 'layout';
  /** Reads the options once and returns the check for every answer. */
  compile(property: Property, context: FieldContext): AnswerCheck;
  compileCompleteness?(property: Property, context: FieldContext): CompletenessCheck;
  /** Completeness is asked of an answer with problems too: one part may lack what is wrong in another. It tells these again. */
  isJudgedInParts?: boolean;
  /** Not answered: fails `required`, and is not stored. */
  isEmpty(answer: JsonValue | undefined): boolean;
}

/** Everything one type of block knows. */
export interface FieldType extends AnswerRules {
  /** What is wrong with this type's own options when a form is saved. */
  checkOptions(property: Property): OptionProblem[];
  /** A stored answer as text, as in a CSV cell before quoting and the formula guard. */
  toText(answer: JsonValue, property: Property): string;
  /**
   * How an exporter formats the column; 'number' and 'location' get no formula guard where they
   * hold what they should. A date range is stored as
   * an array though its kind is 'date': join it like a 'list'. 'files' are names to be written as links.
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
  /** Logic operators that conditions on this type may use. */
  operators: readonly string[];
}
