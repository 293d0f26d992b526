import { generatesUuid, hiddenDefault } from './block-options/prefill.ts';
import { type CompiledField, compileFields } from './compile-field.ts';
import type { FieldEngines } from './engines.ts';
import type { Report } from './field-type.ts';
import type { FindFile } from './file-reference.ts';
import type { ComputedValues, ComputedVariable } from './formulas/variables.ts';
import { logicScope, type Moment } from './logic/logic.ts';
import { compileShown, type Shown } from './logic/shown.ts';
import {
  type Answers,
  addError,
  type ErrorBag,
  emptyAnswers,
  emptyErrorBag,
  type JsonValue,
  ownMember,
  type Property,
} from './property.ts';
import type { Messages } from './texts/messages.ts';

export interface CheckOptions extends Moment {
  /** A partial submission: types and limits are checked, completeness (required, own rules) is not. */
  partial?: boolean;
  /** Finds the files that `fileTexts` listed; without it references are not checked, as in a browser. */
  findFile?: FindFile;
  /** Makes ids for fields with `generates_uuid`; without it none are made. */
  makeUuid?: () => string;
  /** Answers of a complete submission that is being changed: where it has no id none is made, and what stands in its place may stay. */
  former?: Answers | null;
}

export interface CheckResult {
  /** The values to store if `errors` is null, without unknown keys and empty answers. Has no prototype. */
  answers: Answers;
  errors: ErrorBag | null;
}

/** Ends a circle of defaults that hide and show each other, or a long chain of costly conditions. */
const MAX_ROUNDS = 9;

/** The parts of a form that its rules are compiled from. */
export interface FormRules {
  properties: readonly Property[];
  /** Absent if there are none. */
  variables?: readonly ComputedVariable[];
  messages: Messages;
}

/** The rules for a form's answers, compiled once; all that a page needs. */
export interface CompiledAnswers {
  /** Texts of the problems. */
  messages: Messages;
  /** The inputs, in form order. */
  fields: readonly CompiledField[];
  /** Values of the form's variables, by their ids. */
  variables: ComputedValues;
  /** Every problem of every field at once, keyed by field id in form order. Never throws. */
  check(answers: Answers, options?: CheckOptions): CheckResult;
  /** What a page shows for these answers, which may be incomplete or invalid. */
  show(answers: Answers, moment?: Moment): Shown;
}

/** Problems of answers, kept until their field's turn so that they are listed in form order. */
type TypeProblems = Map<CompiledField, string[]>;

/** Compiles `properties` that `checkProperties` accepts; problems are told in the texts of `messages`. */
export function compileAnswers(
  { properties, variables: written = [], messages }: FormRules,
  engines: FieldEngines,
  onLookup?: (propertyId: string) => void,
): CompiledAnswers {
  const variables = engines.compileVariables(written, properties);
  const scope = { ...logicScope(properties, engines, variables), ...(onLookup && { onLookup }) };
  const fields = compileFields(properties, scope, { engines, messages });
  const fieldsWithDefault = fields.filter((field) => field.hasDefault);
  return {
    messages,
    fields,
    variables,
    check: (sent, options = {}) => checkForm(fields, fieldsWithDefault, messages, sent, options),
    show: compileShown(properties, scope, (sent, moment) =>
      readAnswers(fields, fieldsWithDefault, sent, moment),
    ),
  };
}

function checkForm(
  fields: readonly CompiledField[],
  fieldsWithDefault: readonly CompiledField[],
  messages: Messages,
  sent: Answers,
  options: CheckOptions,
): CheckResult {
  const answers = emptyAnswers();
  const typeProblems = checkTypes(fields, sent, answers, options);
  const isPartial = options.partial === true;
  if (!isPartial) fillIn(fieldsWithDefault, answers, options);
  let errors: ErrorBag | null = null;
  let field: CompiledField;
  const report: Report = (message) => {
    errors ??= emptyErrorBag();
    if (!errors[field.id]?.includes(message)) addError(errors, field.id, message);
  };
  const whole = { messages, sent, answers, options, report };
  for (field of fields) {
    const problems = typeProblems?.get(field);
    if (!isPartial) checkComplete(field, problems === undefined, whole);
    problems?.forEach(report);
  }
  return { answers, errors };
}

/** The answers as conditions see them. */
function readAnswers(
  fields: readonly CompiledField[],
  fieldsWithDefault: readonly CompiledField[],
  sent: Answers,
  options: CheckOptions,
): Answers {
  const answers = emptyAnswers();
  checkTypes(fields, sent, answers, options);
  fillIn(fieldsWithDefault, answers, options);
  return answers;
}

/** Puts every answer into `answers`: the value to store, or the sent one if it has problems. */
function checkTypes(
  fields: readonly CompiledField[],
  sent: Answers,
  answers: Answers,
  { now, findFile }: CheckOptions,
): TypeProblems | null {
  let problems: TypeProblems | null = null;
  let field: CompiledField;
  const report: Report = (message) => {
    problems ??= new Map();
    const found = problems.get(field);
    if (found === undefined) problems.set(field, [message]);
    else found.push(message);
  };
  for (field of fields) {
    const answer = ownMember(sent, field.id);
    if (answer === undefined || field.type.isEmpty(answer)) continue;
    const value = field.checkAnswer(answer, report, now, findFile);
    if (!field.type.isEmpty(value)) answers[field.id] = value;
  }
  return problems;
}

const unknown = () => null;

/** The check of a whole form, as each of its fields sees it. */
interface FormCheck {
  messages: Messages;
  sent: Answers;
  /** Those of all fields, as `checkTypes` and `fillIn` leave them. */
  answers: Answers;
  options: CheckOptions;
  /** Adds a problem of the field at hand. */
  report: Report;
}

/** Checks only for complete submissions: the author's own rule, then `required`, then the type's own. */
function checkComplete(
  field: CompiledField,
  isWellTyped: boolean,
  { messages, sent, answers, options, report }: FormCheck,
): void {
  const { hidden, required } = field.stateFor(answers, options);
  if (isWellTyped && !hidden && field.isValid !== null) {
    // A page does not know other submissions, so conditions about them are left to the service.
    const moment = { existsInSubmissions: unknown, ...options };
    if (!field.isValid(answers, moment)) report(field.invalidMessage());
  }
  const isRequired = required && !hidden;
  const answer = answers[field.id];
  if (isRequired && isUnanswered(answer)) {
    report(messages.required(field.name));
  } else if ((isWellTyped || field.type.isJudgedInParts) && field.checkCompleteness !== null) {
    const received = ownMember(sent, field.id);
    // an empty list, too, can fail "choose at least two"
    if (received !== undefined && received !== null) {
      const judged = { isWellTyped, now: options.now };
      field.checkCompleteness(answer ?? received, isRequired, report, received, judged);
    }
  }
}

/** Blank texts may be stored for an optional field, but do not count as an answer. */
function isUnanswered(answer: JsonValue | undefined): boolean {
  const texts = Array.isArray(answer) ? answer : [answer ?? ''];
  return texts.every((text) => typeof text === 'string' && text.trim() === '');
}

/**
 * Adds what the server fills in: generated ids, and defaults of hidden unanswered fields. A default may hide or show any other
 * field, so all are judged again until nothing changes.
 */
function fillIn(fields: readonly CompiledField[], answers: Answers, options: CheckOptions): void {
  const open = fields.filter(({ id }) => answers[id] === undefined);
  let hasChanged = true;
  for (let round = 0; hasChanged && round < MAX_ROUNDS; round++) {
    hasChanged = false;
    for (const field of open) {
      const { id } = field;
      const { hidden } = field.stateFor(answers, options);
      const value = hidden ? (answers[id] ?? defaultOf(field, options)) : undefined;
      if (value === answers[id]) continue;
      if (value === undefined) delete answers[id];
      else answers[id] = value;
      hasChanged = true;
    }
  }
}

function defaultOf(field: CompiledField, { makeUuid, former, now }: CheckOptions): JsonValue | undefined {
  const { property, type } = field;
  if (generatesUuid(property, type.name)) return former ? undefined : makeUuid?.();
  return readAnswer(field, hiddenDefault(property, type.name, now ?? new Date()));
}

/** The value to store for an answer, or undefined if it is empty or has problems. */
export function readAnswer(
  field: CompiledField,
  answer: Answers[string] | undefined,
): Answers[string] | undefined {
  if (answer === undefined || field.type.isEmpty(answer)) return undefined;
  let failed = false;
  const value = field.checkAnswer(answer, () => {
    failed = true;
  });
  return failed || field.type.isEmpty(value) ? undefined : value;
}
