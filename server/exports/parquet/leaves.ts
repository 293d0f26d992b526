import { parseDate } from '../../../fields/as-text/dates.ts';
import { coordinatesOf } from '../../../fields/as-text/locations.ts';
import { isPlainNumber } from '../../../fields/as-text/numbers.ts';
import { textOf } from '../../../fields/as-text/text-of.ts';
import { isJsonObject, type JsonObject, type JsonValue, ownMember } from '../../../fields/property.ts';
import { entriesOf } from '../../../fields/repeated-questions.ts';
import type { EntryQuestion, FieldColumn } from '../columns/columns.ts';
import { createWords } from '../columns/words.ts';
import { itemsOf, tickIn } from '../sqlite/cells.ts';
import type { Type, Value } from './values.ts';

/** A value, or a list of them for each list that they are in. */
export type Nested = Value | null | Nested[];

/** A column of the file. In the format they are the leaves of a tree. */
export interface Leaf {
  /** Names from the root; those of a list are followed by `list` and `element`. */
  path: readonly string[];
  type: Type;
  /** Left out of the file if no submission has a value. */
  isSpare?: true;
}

/** The columns that an answer fills. */
export interface Leaves {
  leaves: Leaf[];
  /** One for each of them. */
  valuesOf(answer: Exclude<JsonValue, null>): Nested[];
}

type Asked = Pick<FieldColumn, 'id' | 'type' | 'csvKind' | 'inTables'>;
type Given = Exclude<JsonValue, null>;

/** Two `_` separate a question's name from what is added to it, as names themselves have only single ones. */
const REST = 'text';
/** What was said of rows that a matrix no longer has. */
const OTHER_ROWS = 'other';
const IN_LIST = ['list', 'element'];
const MAX_INT32 = 2 ** 31 - 1;
/** To the millisecond, and without an offset. */
const LOCAL_TIME = /^[\d-]{10}(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)?$/;

export function leavesOf(column: FieldColumn): Leaves {
  const { csvKind, rows, questions, inTables } = column;
  if (csvKind === 'matrix' && rows.length > 0) return matrix(inTables.word, rows);
  if (csvKind === 'entries' && questions.length > 0) return entries(inTables.word, questions);
  return leavesOfQuestion(column);
}

/** A question of the form, or one that is asked in every entry. */
export function leavesOfQuestion({
  type,
  csvKind,
  inTables: { word, isWhole, isRange, hasTime },
}: Asked): Leaves {
  switch (csvKind) {
    case 'number':
      return typed(word, isWhole ? (type === 'rating' ? 'int32' : 'int64') : 'double', numberIn);
    case 'boolean':
      return typed(word, 'boolean', tickIn);
    case 'date':
      return dates(word, hasTime ? 'local' : 'day', isRange ?? false);
    case 'location':
      return location(word);
    case 'list':
    case 'files':
      return { leaves: [{ path: [word, ...IN_LIST], type: 'text' }], valuesOf: (answer) => [texts(answer)] };
    case 'json':
      return { ...plain(word, 'text'), valuesOf: (answer) => [jsonIn(answer)] };
    default:
      return plain(word, 'text');
  }
}

function jsonIn(answer: Given): string {
  return typeof answer === 'string' ? answer : JSON.stringify(answer);
}

/** A column whose values always fit. */
export function plain(name: string, type: Type): Leaves {
  const read = type === 'text' ? textOf : type === 'moment' ? momentIn : (answer: Given) => answer as Value;
  return { leaves: [{ path: [name], type }], valuesOf: (answer) => [read(answer)] };
}

/** A submission's time, which the service itself writes. */
function momentIn(answer: Given): number {
  return Date.parse(String(answer));
}

/**
 * Columns, and one more that has the whole answer as text if it does not fit, as it is from before the question was changed.
 * @param read null if it does not
 */
function orRest(word: string, leaves: Leaf[], read: (answer: Given) => Nested[] | null): Leaves {
  const nothing = leaves.map(() => null);
  return {
    leaves: [...leaves, { path: [`${word}__${REST}`], type: 'text', isSpare: true }],
    valuesOf(answer) {
      const values = read(answer);
      return values ? [...values, null] : [...nothing, textOf(answer)];
    },
  };
}

function typed(word: string, type: Type, read: (answer: JsonValue, type: Type) => Value | null): Leaves {
  return orRest(word, [{ path: [word], type }], (answer) => {
    const value = read(answer, type);
    return value === null ? null : [value];
  });
}

function numberIn(answer: JsonValue, type: Type): number | null {
  const number = Number(answer);
  const isNumber = typeof answer === 'number' || (typeof answer === 'string' && isPlainNumber(answer));
  if (!isNumber || !Number.isFinite(number)) return null;
  if (type === 'double') return number;
  if (!Number.isSafeInteger(number)) return null;
  return type === 'int32' && Math.abs(number) > MAX_INT32 ? null : number;
}

/** Two columns for the days of a range. */
function dates(word: string, type: Type, isRange: boolean): Leaves {
  if (!isRange) return typed(word, type, dateIn);
  const leaves: Leaf[] = [word, `${word}__to`].map((name) => ({ path: [name], type }));
  return orRest(word, leaves, (answer) => {
    const days = itemsOf(answer);
    const values = days.map((day) => dateIn(day, type));
    const fit = days.length <= 2 && values.every((value, index) => value !== null || days[index] === null);
    return fit ? [values[0] ?? null, values[1] ?? null] : null;
  });
}

/** A day, or a time as the respondent's clock showed it; a day is its first moment there. */
function dateIn(answer: JsonValue, type: Type): number | null {
  const date = typeof answer === 'string' && LOCAL_TIME.test(answer) ? parseDate(answer) : null;
  if (date === null) return null;
  if (type === 'local') return Math.round(date.time);
  return date.hasTime ? null : date.day;
}

/** The stored text, and the coordinates in it if it names a place. */
function location(word: string): Leaves {
  return {
    leaves: [
      { path: [word], type: 'text' },
      { path: [`${word}__latitude`], type: 'double' },
      { path: [`${word}__longitude`], type: 'double' },
    ],
    valuesOf(answer) {
      const text = textOf(answer);
      const [latitude, longitude] = coordinatesOf(text)?.map(Number) ?? [];
      return [text, latitude ?? null, longitude ?? null];
    },
  };
}

/** A single answer, from before the question took several, is a list of one. */
function texts(answer: Given): Nested[] {
  return itemsOf(answer).map((item) => (item === null ? null : textOf(item)));
}

/** A column for each row; another one has what was said of rows that the question no longer has, or without any. */
function matrix(word: string, rows: readonly string[]): Leaves {
  const wordOf = createWords([OTHER_ROWS]);
  const isKnown = new Set(rows);
  const others = (answer: JsonObject) =>
    Object.entries(answer).flatMap(([row, said = null]) =>
      isKnown.has(row) || said === null ? [] : `${row}: ${textOf(said)}`,
    );
  return {
    leaves: [
      ...rows.map((row): Leaf => ({ path: [`${word}__${wordOf(row)}`], type: 'text' })),
      { path: [`${word}__${OTHER_ROWS}`], type: 'text', isSpare: true },
    ],
    valuesOf(answer) {
      if (!isJsonObject(answer)) return [...rows.map(() => null), textOf(answer)];
      const said = rows.map((row) => {
        const value = ownMember(answer, row) ?? null;
        return value === null ? null : textOf(value);
      });
      return [...said, others(answer).join(' | ') || null];
    },
  };
}

/** A list of entries, each with a member for each question. */
function entries(word: string, questions: readonly EntryQuestion[]): Leaves {
  const asked = questions.map((question) => ({ id: question.id, ...leavesOfQuestion(question) }));
  const leaves = asked.flatMap((question) =>
    question.leaves.map((leaf): Leaf => ({ ...leaf, path: [word, ...IN_LIST, ...leaf.path] })),
  );
  const valuesIn = (entry: JsonObject) =>
    asked.flatMap(({ id, leaves, valuesOf }) => {
      const answer = ownMember(entry, id) ?? null;
      return answer === null ? leaves.map(() => null) : valuesOf(answer);
    });
  return orRest(word, leaves, (answer) => {
    const given = entriesOf(answer)?.map(valuesIn);
    return given ? leaves.map((_, index) => given.map((values) => values[index] ?? null)) : null;
  });
}
