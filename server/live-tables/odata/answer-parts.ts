import { textOf } from '../../../fields/as-text/text-of.ts';
import { fileIdOf } from '../../../fields/file-reference.ts';
import { type JsonValue, ownMember, type Property } from '../../../fields/property.ts';
import { entriesOf } from '../../../fields/repeated-questions.ts';
import type { EntryQuestion, FieldColumn } from '../../exports/columns/columns.ts';
import { type Leaves, leavesOf, leavesOfQuestion, type Nested } from '../../exports/parquet/leaves.ts';
import type { Type } from '../../exports/parquet/values.ts';
import { answerKind } from '../../submissions/lists/filter.ts';
import type { Compared, EdmType, EntityProperty } from './entity-types.ts';

/** The properties that the answers to a question fill. */
export interface AnswerPart {
  properties: EntityProperty[];
  /** Whether an answer may be from before its question was changed, and fit none of them. */
  mayNotFit: boolean;
  /** @returns a value for each property; `other` is the question and an answer that does not fit, as text */
  read(
    answers: { [id: string]: JsonValue },
    urlOf: (name: string) => string,
  ): { fitting: JsonValue[]; other: string | null };
}

type Asked = EntryQuestion | FieldColumn;
type Answer = Exclude<JsonValue, null>;

/** A time without an offset has no type in OData. */
const EDM_TYPES: Record<Type, EdmType> = {
  text: 'Edm.String',
  double: 'Edm.Double',
  int32: 'Edm.Int32',
  int64: 'Edm.Int64',
  boolean: 'Edm.Boolean',
  day: 'Edm.Date',
  moment: 'Edm.DateTimeOffset',
  local: 'Edm.String',
};
const DAY_MS = 86_400_000;
/** Kinds of answers that are the value of one property, so that filters of lists can compare them. */
const COMPARABLE: readonly FieldColumn['csvKind'][] = ['number', 'boolean', 'date', 'text'];

/** How submissions show the answers to a question. @param fields all questions of the form */
export function partOf(
  column: FieldColumn,
  fields: readonly Property[],
  nameOf: (word: string) => string,
): AnswerPart {
  if (column.csvKind === 'entries' && column.questions.length > 0) return apart(column);
  const part = inProperties(column, leavesOf(column), { nameOf, comparedAs: comparedIn(column, fields) });
  return column.csvKind === 'matrix' ? withRows(column, part) : part;
}

/** How entries show the answers to a question. */
export function partOfEntry(question: EntryQuestion, nameOf: (word: string) => string): AnswerPart {
  return inProperties(question, leavesOfQuestion(question), { nameOf, comparedAs: null });
}

/** Each row of a matrix has a property, whose question names it as exports do. */
function withRows({ rows, inTables: { name } }: FieldColumn, part: AnswerPart): AnswerPart {
  const properties = part.properties.map((property, index) => {
    const row = rows[index];
    return row === undefined ? property : { ...property, question: `${name} [${row}]` };
  });
  return { ...part, properties };
}

function comparedIn({ id, csvKind, inTables }: FieldColumn, fields: readonly Property[]): Compared | null {
  const kind = answerKind(fields, id);
  if (kind === null || kind === 'rich_text' || !COMPARABLE.includes(csvKind)) return null;
  return csvKind === 'date' && (inTables.isRange || inTables.hasTime) ? null : { by: 'answer', id, kind };
}

/** Entries are in a set of their own. */
function apart({ id, inTables: { name } }: FieldColumn): AnswerPart {
  return {
    properties: [],
    mayNotFit: true,
    read(answers) {
      const answer = ownMember(answers, id) ?? null;
      const isInSet = answer === null || entriesOf(answer) !== null;
      return { fitting: [], other: isInSet ? null : `${name}: ${textOf(answer)}` };
    },
  };
}

function inProperties(
  { id, csvKind, inTables: { name: question } }: Asked,
  { leaves, valuesOf }: Leaves,
  { nameOf, comparedAs }: { nameOf(word: string): string; comparedAs: Compared | null },
): AnswerPart {
  const typed = leaves.flatMap(({ isSpare, type }, index) => (isSpare ? [] : [{ type, index }]));
  const spare = leaves.findIndex(({ isSpare }) => isSpare);
  const nothing = { fitting: typed.map(() => null), other: null };
  return {
    properties: typed.map(({ type, index }) => ({
      name: nameOf(leaves[index]?.path[0] ?? ''),
      type: EDM_TYPES[type],
      question,
      comparedAs,
    })),
    mayNotFit: spare !== -1,
    read(answers, urlOf) {
      const answer = ownMember(answers, id) ?? null;
      if (answer === null) return nothing;
      const values = valuesOf(csvKind === 'files' ? withLinks(answer, urlOf) : answer);
      const rest = values[spare];
      return {
        fitting: typed.map(({ type, index }) => written(values[index] ?? null, type)),
        other: typeof rest === 'string' ? `${question}: ${rest}` : null,
      };
    },
  };
}

/** Texts that name no file, such as a typed signature, stay. */
function withLinks(answer: Answer, urlOf: (name: string) => string): Answer {
  const linked = (item: JsonValue) =>
    typeof item === 'string' && fileIdOf(item) !== null ? urlOf(item) : item;
  return Array.isArray(answer) ? answer.map(linked) : (linked(answer) as Answer);
}

/** Lists are joined as in CSV files. */
function written(value: Nested, type: Type): JsonValue {
  if (Array.isArray(value)) return value.map((item) => item ?? '').join(', ') || null;
  if (type === 'day' && typeof value === 'number') return isoTime(value * DAY_MS).slice(0, 10);
  if (type === 'local' && typeof value === 'number') return isoTime(value).replace(/(?:\.000)?Z$/, '');
  return value;
}

function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
