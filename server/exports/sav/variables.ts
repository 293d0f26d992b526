import { parseDate } from '../../../fields/as-text/dates.ts';
import { isPlainNumber } from '../../../fields/as-text/numbers.ts';
import { textOf } from '../../../fields/as-text/text-of.ts';
import { isJsonObject, type JsonValue, ownMember } from '../../../fields/property.ts';
import { type ExportColumn, kindOf } from '../columns/columns.ts';
import { createNames } from './names.ts';
import { shortened, shortenedApart } from './texts.ts';

/** The value of a variable in a submission; null without one. Moments are seconds since day one of the calendar of SPSS. */
export type Value = number | string | null;

/** A variable of a file. A question has several where one number cannot hold its whole answer. */
export interface Variable {
  name: string;
  /** The name of the question in full. */
  label: string;
  kind: 'number' | 'moment' | 'text';
  measure: 'nominal' | 'ordinal' | 'scale';
  /** What its numbers mean. */
  valueLabels: readonly (readonly [value: number, label: string])[];
  /** Left out of the file when no submission has a value. */
  isSpare: boolean;
  valueOf(answer: JsonValue): Value;
}

/** The variables that a column becomes. */
export interface Question {
  variables: Variable[];
  /** The common label of its variables, if they are options of which several may be chosen. */
  chosenTogether: string | null;
  /** The answer in a cell. @param cell as `codedStatement` writes it */
  answerIn(cell: string): JsonValue;
}

type Draft = Omit<Variable, 'name' | 'label' | 'isSpare'> & {
  ending: string;
  label?: string;
  isSpare?: true;
};

/** Bytes of a variable's label, and of the part of it that says which option or row it is about. */
export const MAX_LABEL = 255;
const MAX_PART = 120;
/** From the first day of the Gregorian calendar, where SPSS begins to count, to 1970. */
const EPOCH_SECONDS = 12_219_379_200;
/** Characters of a day: `2024-05-01`. */
const DAY_LENGTH = 10;
/** SPSS has no time zones, so a time with an offset would look like one of the respondent's clock. */
const OFFSET = /(?:Z|[+-]\d\d:\d\d)$/;
/** SPSS shows no earlier moment: October 15, 1582. */
const FIRST_SECOND = 86_400;
const NO_AND_YES = [
  [0, 'No'],
  [1, 'Yes'],
] as const;
const text = { kind: 'text', measure: 'nominal', valueLabels: [] } as const;

/** The question of each column, in their order. Variables are named by the headers as far as SPSS allows. */
export function questionsOf(columns: readonly ExportColumn[]): Question[] {
  const nameOf = createNames();
  return columns.map((column) => {
    const { header } = column;
    const isMultiple = column.source === 'field' && column.type === 'multi_select';
    const variables = draftsOf(column).map(({ ending, label, isSpare = false, ...draft }) => ({
      ...draft,
      isSpare,
      name: nameOf(header, ending),
      label: label === undefined ? header : labelOfPart(header, label),
    }));
    return {
      variables,
      chosenTogether: isMultiple && variables.some(({ isSpare }) => !isSpare) ? header : null,
      answerIn: isCoded(column) ? (cell) => JSON.parse(cell) : (cell) => cell,
    };
  });
}

/** However long the question is, the label says which part of it the variable is. @param part at most `MAX_PART` bytes */
function labelOfPart(header: string, part: string): string {
  return `${shortened(header, MAX_LABEL - Buffer.byteLength(`: ${part}`))}: ${part}`;
}

/** Whether answers are read as the JSON that is stored: lists, matrices and dates. */
export function isCoded(column: ExportColumn): boolean {
  if (column.source !== 'field') return false;
  return column.csvKind === 'list' || column.csvKind === 'matrix' || column.csvKind === 'date';
}

function draftsOf(column: ExportColumn): Draft[] {
  const kind = kindOf(column);
  if (column.source !== 'field') return [kind === 'text' ? asText() : asKind(kind)];
  const { type, choices, rows } = column;
  if (type === 'multi_select') return chosen(choices);
  if (type === 'ranking') return places(choices);
  if (type === 'matrix') return ratedRows(rows, choices);
  if (type === 'select' && choices.length > 0)
    return [codeOf(choices), restIf((answer) => codeIn(choices, answer) === null)];
  if (kind === 'text') return [asText()];
  if (kind === 'date')
    return [
      moment(0, '', localSecondsOf),
      moment(1, '_to', localSecondsOf),
      restIf((answer) => !isDays(answer)),
    ];
  const draft = asKind(kind);
  return [{ ...draft, measure: measureOf(type, draft) }, restIf((answer) => draft.valueOf(answer) === null)];
}

function measureOf(type: string, { measure }: Draft): Variable['measure'] {
  return type === 'rating' || type === 'scale' ? 'ordinal' : measure;
}

function asText(): Draft {
  return { ...text, ending: '', valueOf: textOf };
}

/** A text for what the other variables of the question cannot hold: answers from before it was changed, and respondents' own options. */
function rest(read: (answer: JsonValue) => string | null): Draft {
  return { ...text, ending: '_text', label: 'other', isSpare: true, valueOf: read };
}

/** The whole answer as text, where the other variables cannot hold it. */
function restIf(isLeft: (answer: JsonValue) => boolean): Draft {
  return rest((answer) => (isLeft(answer) ? textOf(answer) : null));
}

function asKind(kind: 'number' | 'boolean' | 'date' | 'moment'): Draft {
  if (kind === 'boolean')
    return {
      ending: '',
      kind: 'number',
      measure: 'nominal',
      valueLabels: NO_AND_YES,
      valueOf: (answer) => (answer === 'true' ? 1 : answer === 'false' ? 0 : null),
    };
  if (kind === 'number')
    return {
      ending: '',
      kind: 'number',
      measure: 'scale',
      valueLabels: [],
      valueOf: (answer) => (typeof answer === 'string' && isPlainNumber(answer) ? Number(answer) : null),
    };
  return moment(0, '', secondsOf);
}

/** @param index of the day in a range; the variable of the second day is left out when no answer is a range */
function moment(index: number, ending: string, read: typeof secondsOf): Draft {
  const draft: Draft = {
    ending,
    kind: 'moment',
    measure: 'scale',
    valueLabels: [],
    valueOf: (answer) => read(Array.isArray(answer) ? answer[index] : index === 0 ? answer : null),
  };
  return index === 0 ? draft : { ...draft, label: 'to', isSpare: true };
}

function isDays(answer: JsonValue): boolean {
  const days = Array.isArray(answer) ? answer : [answer];
  return days.length <= 2 && days.every((day) => localSecondsOf(day) !== null);
}

/** Null for a time with an offset. */
function localSecondsOf(answer: JsonValue | undefined): number | null {
  const hasOffset = typeof answer === 'string' && OFFSET.test(answer.slice(DAY_LENGTH));
  return hasOffset ? null : secondsOf(answer);
}

function secondsOf(answer: JsonValue | undefined): number | null {
  const date = typeof answer === 'string' ? parseDate(answer) : null;
  const seconds = date && date.time / 1000 + EPOCH_SECONDS;
  return seconds !== null && seconds >= FIRST_SECOND ? seconds : null;
}

/** The number of the chosen option, from 1. */
function codeOf(choices: readonly string[]): Draft {
  return {
    ending: '',
    kind: 'number',
    measure: 'nominal',
    valueLabels: numbered(choices),
    valueOf: (answer) => codeIn(choices, answer),
  };
}

function codeIn(choices: readonly string[], answer: JsonValue | undefined): number | null {
  const index = typeof answer === 'string' ? choices.indexOf(answer) : -1;
  return index < 0 ? null : index + 1;
}

function numbered(choices: readonly string[]) {
  return choices.map((name, index) => [index + 1, name] as const);
}

/** A variable for each option: whether it was chosen. */
function chosen(choices: readonly string[]): Draft[] {
  const isKnown = new Set<JsonValue>(choices);
  const parts = shortenedApart(choices, MAX_PART);
  const options = choices.map((name, index): Draft => {
    const read = (answer: JsonValue) => {
      const items = itemsOf(answer);
      return items && Number(items.includes(name));
    };
    return {
      ending: `_${index + 1}`,
      label: parts[index] ?? '',
      kind: 'number',
      measure: 'nominal',
      valueLabels: NO_AND_YES,
      valueOf: read,
    };
  });
  const others = (answer: JsonValue) =>
    textOf(itemsOf(answer)?.filter((item) => !isKnown.has(item)) ?? answer);
  return [...options, rest((answer) => others(answer) || null)];
}

/** A single answer, from before the question took several, is a list of one. */
function itemsOf(answer: JsonValue): JsonValue[] | null {
  if (Array.isArray(answer)) return answer;
  return typeof answer === 'string' ? [answer] : null;
}

/** A variable for each option: its place, from 1. */
function places(choices: readonly string[]): Draft[] {
  const isRanked = (answer: JsonValue) =>
    Array.isArray(answer) && answer.every((item) => choices.includes(item as string));
  const parts = shortenedApart(choices, MAX_PART);
  const options = choices.map((name, index): Draft => {
    const read = (answer: JsonValue) => (Array.isArray(answer) ? answer.indexOf(name) + 1 || null : null);
    return {
      ending: `_${index + 1}`,
      label: parts[index] ?? '',
      kind: 'number',
      measure: 'ordinal',
      valueLabels: [],
      valueOf: read,
    };
  });
  return [...options, restIf((answer) => !isRanked(answer))];
}

/** A variable for each row: the number of the column that was chosen, from 1. */
function ratedRows(rows: readonly string[], columns: readonly string[]): Draft[] {
  const codeAt = (answer: JsonValue, row: string) =>
    isJsonObject(answer) ? codeIn(columns, ownMember(answer, row)) : null;
  const isSaid = (row: string, answer: JsonValue) => rows.includes(row) && codeAt(answer, row) !== null;
  const parts = shortenedApart(rows, MAX_PART);
  const ratings = rows.map(
    (row, index): Draft => ({
      ending: `_${index + 1}`,
      label: parts[index] ?? '',
      kind: 'number',
      measure: 'ordinal',
      valueLabels: numbered(columns),
      valueOf: (answer) => codeAt(answer, row),
    }),
  );
  const unsaid = (answer: JsonValue) =>
    isJsonObject(answer)
      ? Object.entries(answer).flatMap(([row, column = null]) =>
          isSaid(row, answer) ? [] : `${row}: ${textOf(column)}`,
        )
      : [textOf(answer)];
  return [...ratings, rest((answer) => unsaid(answer).join(' | ') || null)];
}
