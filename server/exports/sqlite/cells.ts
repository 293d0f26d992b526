import { coordinatesOf } from '../../../fields/as-text/locations.ts';
import { textOf } from '../../../fields/as-text/text-of.ts';
import type { JsonValue } from '../../../fields/property.ts';
import { type ExportColumn, type FieldColumn, kindOf } from '../columns/columns.ts';

/** A value as SQLite stores it. */
export type Value = string | number | null;
type Type = 'INTEGER' | 'REAL' | 'TEXT';

export interface TableColumn {
  name: string;
  type: Type;
}

/** Column of the UUID of a submission, as `submission_id` is its numeric id in the other tables. */
const PUBLIC_ID = 'public_id';

/** The columns of a table that one answer fills. */
export interface Cells {
  columns: TableColumn[];
  valuesOf(answer: JsonValue): Value[];
}

/** What a database needs to know of a column or question. */
export type Asked = Pick<FieldColumn, 'id' | 'type' | 'csvKind' | 'inTables'>;

/** How a column is written into the row of its submission. */
export function columnCells(column: ExportColumn): Cells {
  return column.source === 'field' ? cellsOf(column) : one(nameOf(column), typeOf(column), plainValue);
}

/** The name in the table, which no question has. */
function nameOf(column: Exclude<ExportColumn, FieldColumn>): string {
  if (column.source === 'attribution') return column.key;
  if (column.source === 'system') return column.name === 'submission_id' ? PUBLIC_ID : column.name;
  return column.header;
}

function typeOf(column: ExportColumn): Type {
  return kindOf(column) === 'number' ? 'REAL' : 'TEXT';
}

/** A value that does not fit the type of its column, from before the question's type was changed, is text. */
export function cellsOf({ csvKind, inTables: { word, isWhole, isRange } }: Asked): Cells {
  if (csvKind === 'number') return one(word, isWhole ? 'INTEGER' : 'REAL', plainValue);
  if (csvKind === 'boolean') return one(word, 'INTEGER', tickValue);
  if (csvKind === 'json') return one(word, 'TEXT', jsonValue);
  if (csvKind === 'date' && isRange) return { columns: texts(word, `${word}__to`), valuesOf: days };
  if (csvKind === 'location')
    return {
      columns: [...texts(word), ...degrees(`${word}__latitude`, `${word}__longitude`)],
      valuesOf: place,
    };
  return one(word, 'TEXT', textValue);
}

function one(name: string, type: Type, read: (answer: JsonValue) => Value): Cells {
  return { columns: [{ name, type }], valuesOf: (answer) => [read(answer)] };
}

function texts(...names: string[]): TableColumn[] {
  return names.map((name) => ({ name, type: 'TEXT' }));
}

function degrees(...names: string[]): TableColumn[] {
  return names.map((name) => ({ name, type: 'REAL' }));
}

function plainValue(answer: JsonValue): Value {
  return typeof answer === 'number' ? answer : textValue(answer);
}

function tickValue(answer: JsonValue): Value {
  const tick = tickIn(answer);
  return tick === null ? textValue(answer) : Number(tick);
}

/** Whether a box is ticked; null for another answer, from before the question's type was changed. */
export function tickIn(answer: JsonValue): boolean | null {
  if (typeof answer === 'boolean') return answer;
  return answer === 'true' ? true : answer === 'false' ? false : null;
}

function textValue(answer: JsonValue): Value {
  return answer === null ? null : textOf(answer);
}

function jsonValue(answer: JsonValue): Value {
  return answer === null || typeof answer === 'string' ? answer : JSON.stringify(answer);
}

/** The first and the last day of a range. */
function days(answer: JsonValue): Value[] {
  const [first = null, last = null, ...more] = itemsOf(answer);
  return more.length > 0 ? [textValue(answer), null] : [textValue(first), textValue(last)];
}

/** The stored text, and the coordinates in it if it names a place. */
function place(answer: JsonValue): Value[] {
  const text = textValue(answer);
  const [latitude, longitude] = (typeof text === 'string' && coordinatesOf(text)) || [];
  return [
    text,
    latitude === undefined ? null : Number(latitude),
    longitude === undefined ? null : Number(longitude),
  ];
}

/** A single answer, from before the question took several, is a list of one. */
export function itemsOf(answer: JsonValue): JsonValue[] {
  if (answer === null) return [];
  return Array.isArray(answer) ? answer : [answer];
}
