import type { AnswerSchema, Certainty, SchemaOf } from '../answer-schema.ts';
import { textOf } from '../as-text/text-of.ts';
import { integerProblems, textProblems } from '../block-options/option-checks.ts';
import { isBlank, isBlankText, isOn } from '../block-options/options.ts';
import type {
  AnswerCheck,
  AnswerRules,
  CompletenessCheck,
  FieldContext,
  FieldType,
  Judged,
  OptionProblem,
  Report,
} from '../field-type.ts';
import { REPEAT_OPERATORS } from '../logic/operator-names.ts';
import { emptyAnswers, type JsonValue, ownMember, type Property } from '../property.ts';
import {
  type Entry,
  entriesOf,
  entryLimits,
  entryName,
  isBlankEntry,
  MAX_ENTRIES,
  questionsOf,
} from '../repeated-questions.ts';
import type { Messages } from '../texts/messages.ts';

/** Most characters of an entry's name. */
const MAX_ENTRY_NAME = 100;

/**
 * Answers to the repeated questions, `[{"<question id>": …}, …]`: entries in the order sent, without blank ones and unknown
 * members.
 */
export const repeatRules: AnswerRules = {
  name: 'repeat',
  kind: 'input',
  compile: compileRepeat,
  compileCompleteness: compileEveryEntry,
  isJudgedInParts: true,
  isEmpty: (answer) => isBlank(answer) || (entriesOf(answer)?.every(isBlankEntry) ?? false),
};

/** Its questions are checked together with those of the form, see `checkProperties`. */
export const repeatType: FieldType = {
  ...repeatRules,
  checkOptions: (property) => [
    ...textProblems(property, 'entry_name', MAX_ENTRY_NAME),
    ...limitProblems(property),
  ],
  toText: repeatText,
  csvKind: 'entries',
  answerSchema: entriesSchema,
  operators: REPEAT_OPERATORS,
};

function entriesSchema(property: Property, { isComplete }: Certainty, schemaOf: SchemaOf): AnswerSchema {
  const questions = questionsOf(property);
  const isGiven = ({ required }: Property) => isComplete && isOn(required);
  const members = questions.map((question) => [
    question.id,
    { title: question.name, ...schemaOf(question, { isComplete, isRequired: isGiven(question) }) },
  ]);
  const entry: AnswerSchema = {
    type: 'object',
    properties: Object.fromEntries(members),
    required: questions.filter(isGiven).map(({ id }) => id),
    minProperties: 1,
  };
  return { type: 'array', items: entry, minItems: 1, maxItems: entryLimits(property).max };
}

function limitProblems(property: Property): OptionProblem[] {
  const keys = ['min_entries', 'max_entries'];
  const problems = keys.flatMap((key) => integerProblems(property, key, key === 'max_entries' ? 1 : 0));
  if (problems.length > 0) return problems;
  const tooLarge = keys.filter((key) => Number(property[key] ?? 0) > MAX_ENTRIES);
  const { min, max } = entryLimits(property);
  return [
    ...tooLarge.map((key) => ({
      path: key,
      message: `The ${key} field must not be greater than ${MAX_ENTRIES}.`,
    })),
    ...(min > max
      ? [
          {
            path: 'min_entries',
            message: `At least ${min} entries are needed, but at most ${max} may be given.`,
          },
        ]
      : []),
  ];
}

/** A question with its compiled rules. */
interface CompiledQuestion {
  question: Property;
  type: AnswerRules;
  check: AnswerCheck;
  checkCompleteness: CompletenessCheck | null;
}

function compileQuestions(property: Property, context: FieldContext): CompiledQuestion[] {
  return questionsOf(property).map((question) => {
    const type = context.engines.rulesOf(question.type);
    const checkCompleteness = type.compileCompleteness?.(question, context) ?? null;
    return { question, type, check: type.compile(question, context), checkCompleteness };
  });
}

function compileRepeat(property: Property, context: FieldContext): AnswerCheck {
  const { messages } = context;
  const { name } = property;
  const { max } = entryLimits(property);
  const questions = compileQuestions(property, context);
  return (answer, report, now) => {
    const entries = entriesOf(answer);
    if (entries === null) {
      report(messages.list(name));
      return answer;
    }
    // the number is checked first, so that a million blank entries are not gone through
    if (entries.length > MAX_ENTRIES || countGiven(questions, entries) > max) {
      report(messages.maxItems(name, max));
      return answer;
    }
    return entries.flatMap((entry, index) => {
      const kept = emptyAnswers();
      for (const { question, type, check } of questions) {
        const value = ownMember(entry, question.id);
        if (value === undefined || type.isEmpty(value)) continue;
        const stored = check(value, reportIn(property, index, report), now);
        if (!type.isEmpty(stored)) kept[question.id] = stored;
      }
      return Object.keys(kept).length > 0 ? [kept] : [];
    });
  };
}

/**
 * The minimum applies to every answer, and to everybody if the field is required. Invalid and missing answers are reported
 * together, entry by entry.
 */
function compileEveryEntry(property: Property, context: FieldContext): CompletenessCheck {
  const { messages } = context;
  const { min, max } = entryLimits(property);
  const questions = compileQuestions(property, context);
  return (_answer, _required, report, sent, judged) => {
    const entries = entriesOf(sent) ?? [];
    const count = entries.length > MAX_ENTRIES ? entries.length : countGiven(questions, entries);
    if (count > max) return;
    if (count > 0 && count < min) report(messages.minItems(property.name, min));
    entries.forEach((entry, index) => {
      if (!isGiven(questions, entry)) return;
      const tell = reportIn(property, index, report);
      for (const compiled of questions) judgeQuestion(compiled, entry, tell, judged, messages);
    });
  };
}

function judgeQuestion(
  { question, type, check, checkCompleteness }: CompiledQuestion,
  entry: Entry,
  report: Report,
  judged: Judged,
  messages: Messages,
): void {
  const isRequired = isOn(question.required);
  const value = ownMember(entry, question.id);
  if (!isAnswer(type, value)) {
    if (isRequired) report(messages.required(question.name));
    return;
  }
  let isWellTyped = true;
  const stored = check(
    value,
    (message) => {
      isWellTyped = false;
      if (!judged.isWellTyped) report(message);
    },
    judged.now,
  );
  if (isRequired && type.isEmpty(stored)) report(messages.required(question.name));
  else if (isWellTyped) checkCompleteness?.(stored, isRequired, report, value, judged);
}

/** Reports a problem with the number of its entry among those sent. */
function reportIn(property: Property, index: number, report: Report): Report {
  return (message) => report(`${entryName(property)} ${index + 1} – ${message}`);
}

function countGiven(questions: readonly CompiledQuestion[], entries: readonly Entry[]): number {
  return entries.filter((entry) => isGiven(questions, entry)).length;
}

/** Whether an entry answers a question that is asked: others are dropped, so they count for nothing. */
function isGiven(questions: readonly CompiledQuestion[], entry: Entry): boolean {
  return questions.some(({ question, type }) => isAnswer(type, ownMember(entry, question.id)));
}

function isAnswer(type: AnswerRules, value: JsonValue | undefined): value is JsonValue {
  return value !== undefined && !isBlankText(value) && !type.isEmpty(value);
}

/** `Name: Ann; Age: 3 | Name: Ben`, in the order of the form, without questions it no longer asks. */
function repeatText(answer: JsonValue, property: Property): string {
  const entries = entriesOf(answer);
  if (entries === null) return textOf(answer);
  const texts = entries.map((entry) => entryText(entry, property));
  return texts.filter((text) => text !== '').join(' | ');
}

function entryText(entry: Entry, property: Property): string {
  return questionsOf(property)
    .flatMap(({ id, name }) => {
      const text = textOf(ownMember(entry, id) ?? null);
      return text === '' ? [] : [`${name}: ${text}`];
    })
    .join('; ');
}
