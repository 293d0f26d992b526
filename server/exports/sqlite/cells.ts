import { coordinatesOf } from '../../../fields/locations.ts';
import type { JsonValue } from '../../../fields/property.ts';
import { textOf } from '../../../fields/text-of.ts';
import { type ExportColumn, type FieldColumn, kindOf } from '../columns.ts';

/** What SQLite stores. */
export type Value = string | number | null;
type Type = 'INTEGER' | 'REAL' | 'TEXT';

export interface TableColumn {
  name: string;
  type: Type;
}

/** The id of a submission that its links name: in the other tables `submission_id` is its number. */
const PUBLIC_ID = 'public_id';

/** Some columns of a table that an answer fills. */
export interface Cells {
  columns: TableColumn[];
  valuesOf(answer: JsonValue): Value[];
}

/** What a column or question is to a database. */
export type Asked = Pick<FieldColumn, 'id' | 'type' | 'csvKind' | 'inTables'>;

/** What a column is in the row of its submission. */
export function columnCells(column: ExportColumn): Cells {
  return column.source === 'field' ? cellsOf(column) : one(nameOf(column), typeOf(column), plainValue);
}

/** No question has the same. */
function nameOf(column: Exclude<ExportColumn, FieldColumn>): string {
  if (column.source === 'attribution') return column.key;
  if (column.source === 'system') return column.name === 'submission_id' ? PUBLIC_ID : column.name;
  return column.header;
}

function typeOf(column: ExportColumn): Type {
  return kindOf(column) === 'number' ? 'REAL' : 'TEXT';
}

/** What does not fit the type of its column (that of the question was changed) is text. */
export function cellsOf({ csvKind, inTables: { word, isWhole, isRange } }: Asked): Cells {
  if (csvKind === 'number') return one(word, isWhole ? 'INTEGER' : 'REAL', plainValue);
  if (csvKind === 'boolean')
    return one(word, 'INTEGER', (answer) =>
      typeof answer === 'boolean' ? Number(answer) : textValue(answer),
    );
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

function textValue(answer: JsonValue): Value {
  return answer === null ? null : textOf(answer);
}

function jsonValue(answer: JsonValue): Value {
  return answer === null || typeof answer === 'string' ? answer : JSON.stringify(answer);
}

/** First and last one. */
function days(answer: JsonValue): Value[] {
  const [first = null, last = null, ...more] = itemsOf(answer);
  return more.length > 0 ? [textValue(answer), null] : [textValue(first), textValue(last)];
}

/** As it is stored, and the numbers in it where it names a place. */
function place(answer: JsonValue): Value[] {
  const text = textValue(answer);
  const [latitude, longitude] = (typeof text === 'string' && coordinatesOf(text)) || [];
  return [
    text,
    latitude === undefined ? null : Number(latitude),
    longitude === undefined ? null : Number(longitude),
  ];
}

/** An answer from before the question was changed is the only item. */
export function itemsOf(answer: JsonValue): JsonValue[] {
  if (answer === null) return [];
  return Array.isArray(answer) ? answer : [answer];
}
