import type { AnswerSchema } from '../answer-schema.ts';
import { compareDates, datePattern, dayOf, type ParsedDate, parseDate } from '../as-text/dates.ts';
import { textOf } from '../as-text/text-of.ts';
import { flagProblems } from '../block-options/option-checks.ts';
import { isBlank, isOn } from '../block-options/options.ts';
import type { AnswerCheck, AnswerRules, FieldContext, FieldType, Report } from '../field-type.ts';
import { DATE_OPERATORS } from '../logic/operator-names.ts';
import type { JsonValue, Property } from '../property.ts';

const FLAGS = ['with_time', 'date_range', 'prefill_today', 'disable_past_dates', 'disable_future_dates'];

/** Checks one date and returns it parsed, or null after reporting. */
type DateCheck = (answer: JsonValue, report: Report, now?: Date) => ParsedDate | null;

/**
 * An ISO 8601 date, with or without a time (whatever `with_time` shows in the browser), stored as sent; a range is a list of two.
 * Past and future are decided by the UTC day.
 */
export const dateRules: AnswerRules = {
  name: 'date',
  kind: 'input',
  compile: (property, context) =>
    isOn(property.date_range) ? compileRange(property, context) : compileSingle(property, context),
  isEmpty: isBlank,
};

export const dateType: FieldType = {
  ...dateRules,
  checkOptions: (property) => flagProblems(property, FLAGS),
  toText: textOf,
  csvKind: 'date',
  answerSchema: dateSchema,
  operators: DATE_OPERATORS,
};

function dateSchema(property: Property): AnswerSchema {
  const date = {
    type: 'string',
    pattern: datePattern(),
    description: 'ISO 8601: a day, or a day and a time whose offset may be missing.',
  } as const;
  if (!isOn(property.date_range)) return date;
  return { type: 'array', items: date, minItems: 2, maxItems: 2, description: 'First and last day.' };
}

function compileSingle(property: Property, context: FieldContext): AnswerCheck {
  const check = compileDate(property, context);
  return (answer, report, now) => {
    check(answer, report, now);
    return answer;
  };
}

function compileRange(property: Property, context: FieldContext): AnswerCheck {
  const { name } = property;
  const { messages } = context;
  const check = compileDate(property, context);
  return (answer, report, now) => {
    if (!Array.isArray(answer)) {
      report(messages.list(name));
      return answer;
    }
    const [first, second] = answer;
    if (answer.length > 2) report(messages.maxItems(name, 2));
    if (first === undefined || isBlank(first)) report(messages.fromDateRequired());
    if (second === undefined || isBlank(second)) report(messages.toDateRequired());
    if (first === undefined || second === undefined || isBlank(first) || isBlank(second)) return answer;
    const from = check(first, report, now);
    const to = check(second, report, now);
    if (from !== null && to !== null && compareDates(from, to) > 0) {
      report(messages.fromDateAfterToDate());
    }
    return answer;
  };
}

function compileDate(property: Property, { messages }: FieldContext): DateCheck {
  const { name } = property;
  const refusesPast = isOn(property.disable_past_dates);
  const refusesFuture = isOn(property.disable_future_dates);
  return (answer, report, now) => {
    const date = typeof answer === 'string' ? parseDate(answer) : null;
    if (date === null) report(messages.date(name));
    else if (refusesPast || refusesFuture) {
      const today = dayOf(now ?? new Date());
      if (refusesPast && date.day < today) report(messages.dateAfterYesterday(name));
      if (refusesFuture && date.day > today) report(messages.dateBeforeTomorrow(name));
    }
    return date;
  };
}
