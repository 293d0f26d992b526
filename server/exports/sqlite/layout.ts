import { textOf } from '../../../fields/as-text/text-of.ts';
import { isJsonObject, type JsonObject, type JsonValue, ownMember } from '../../../fields/property.ts';
import type { ExportColumn, FieldColumn } from '../columns/columns.ts';
import {
  type Asked,
  type Cells,
  cellsOf,
  columnCells,
  itemsOf,
  type TableColumn,
  type Value,
} from './cells.ts';

export interface Table {
  name: string;
  /** The first columns are its key. */
  columns: TableColumn[];
  keys: number;
  /** The table whose key is the beginning of this table's key. */
  parent: Table | null;
}

/** A table that an answer fills. Its rows come without the key of the submission or entry that they belong to. */
export interface Branch {
  table: Table;
  rowsOf(answer: JsonValue): Row[];
  /** Tables below, filled from each row. */
  branches: Branch[];
}

interface Row {
  values: Value[];
  /** The answer for each branch, in their order. */
  answers: JsonValue[];
}

/** A question, and where its answers are. */
interface KnownField {
  id: string;
  /** Id of the field that repeats it; null for a field of the form. */
  parentId: string | null;
  name: string;
  type: string;
  table: string;
  /** null when the whole table is the answer. */
  column: string | null;
}

interface Layout {
  submissions: Table;
  branches: Branch[];
  fields: KnownField[];
  /** @param answers one for each column, the key first */
  rowOf(answers: readonly JsonValue[]): Row;
}

/** Limit of SQLite (sqlite.org/limits.html). */
export const MAX_TABLE_COLUMNS = 2_000;
/** Must be the first column: its numbers are the key of all tables. */
export const KEY: ExportColumn = { source: 'system', name: 'id', header: 'id' };
const KEY_COLUMN: TableColumn = { name: KEY.header, type: 'INTEGER' };
const SUBMISSION: TableColumn = { name: 'submission_id', type: 'INTEGER' };
const ENTRY: TableColumn = { name: 'entry', type: 'INTEGER' };
const POSITION: TableColumn = { name: 'position', type: 'INTEGER' };
const VALUE: TableColumn = { name: 'value', type: 'TEXT' };
const ROW: TableColumn = { name: 'row_name', type: 'TEXT' };

/** Plans a table of submissions, and one for each question that may have several answers. @param columns `KEY` first */
export function layOut(columns: readonly ExportColumn[]): Layout {
  const submissions: Table = { name: 'submissions', columns: [KEY_COLUMN], keys: 1, parent: null };
  const branches: Branch[] = [];
  const fields: KnownField[] = [];
  const cells: { index: number; valuesOf: Cells['valuesOf'] }[] = [];
  const apart: number[] = [];
  columns.forEach((column, index) => {
    if (isKey(column)) return;
    const branch = column.source === 'field' ? branchOf(column, submissions, fields) : null;
    if (branch) {
      branches.push(branch);
      apart.push(index);
      return;
    }
    const { columns: added, valuesOf } = columnCells(column);
    submissions.columns.push(...added);
    if (column.source === 'field') fields.push(...knownIn(submissions, column, null, added));
    cells.push({ index, valuesOf });
  });
  return {
    submissions,
    branches,
    fields,
    rowOf: (answers) => ({
      values: cells.reduce((row, { index, valuesOf }) => {
        row.push(...valuesOf(answers[index] ?? null));
        return row;
      }, [] as Value[]),
      answers: apart.map((index) => answers[index] ?? null),
    }),
  };
}

function isKey(column: ExportColumn): boolean {
  return column.source === 'system' && column.name === 'id';
}

function knownIn(
  { name: table }: Table,
  { id, type, inTables }: Asked,
  parentId: string | null,
  columns: readonly TableColumn[],
): KnownField[] {
  const known = { id, parentId, name: inTables.name, type, table };
  return columns.map(({ name: column }) => ({ ...known, column }));
}

/** null when an answer fits into the row of its submission. */
function branchOf(column: FieldColumn, parent: Table, fields: KnownField[]): Branch | null {
  switch (column.csvKind) {
    case 'list':
    case 'files':
      return listIn(column, column.inTables.word, parent, null, fields);
    case 'matrix':
      return matrixIn(column, parent, fields);
    case 'entries':
      return entriesIn(column, parent, fields);
    default:
      return null;
  }
}

function tableBelow(parent: Table, name: string, columns: readonly TableColumn[]): Table {
  const above = parent.parent === null ? [SUBMISSION] : [SUBMISSION, ENTRY];
  return { name, columns: [...above, POSITION, ...columns], keys: above.length + 1, parent };
}

function listIn(
  asked: Asked,
  name: string,
  parent: Table,
  parentId: string | null,
  fields: KnownField[],
): Branch {
  const table = tableBelow(parent, name, [VALUE]);
  fields.push(...knownIn(table, asked, parentId, [VALUE]));
  const rowsOf = (answer: JsonValue) =>
    itemsOf(answer).map((item, index) => ({ values: [index + 1, textOf(item)], answers: [] }));
  return { table, rowsOf, branches: [] };
}

function matrixIn(column: FieldColumn, parent: Table, fields: KnownField[]): Branch {
  const table = tableBelow(parent, column.inTables.word, [ROW, VALUE]);
  fields.push(...knownIn(table, column, null, [VALUE]));
  const { rows } = column;
  const isKnown = new Set(rows);
  const rowsOf = (answer: JsonValue): Row[] => {
    if (!isJsonObject(answer))
      return itemsOf(answer).map((item, index) => ({ values: [index + 1, null, textOf(item)], answers: [] }));
    const said = [...rows, ...Object.keys(answer).filter((row) => !isKnown.has(row))].flatMap((row) => {
      const value = ownMember(answer, row) ?? null;
      return value === null ? [] : [[row, textOf(value)]];
    });
    return said.map((pair, index) => ({ values: [index + 1, ...pair], answers: [] }));
  };
  return { table, rowsOf, branches: [] };
}

/** A row for each entry with a column for each question; questions that may have several answers have tables below. */
function entriesIn(column: FieldColumn, parent: Table, fields: KnownField[]): Branch {
  const { id: parentId, questions, inTables } = column;
  const table = tableBelow(parent, inTables.word, []);
  fields.push({
    id: parentId,
    parentId: null,
    name: inTables.name,
    type: column.type,
    table: table.name,
    column: null,
  });
  const cells: { id: string; valuesOf: Cells['valuesOf'] }[] = [];
  const apart: string[] = [];
  const branches: Branch[] = [];
  for (const question of questions) {
    if (question.csvKind === 'list') {
      branches.push(listIn(question, `${table.name}__${question.inTables.word}`, table, parentId, fields));
      apart.push(question.id);
      continue;
    }
    const { columns, valuesOf } = cellsOf(question);
    table.columns.push(...columns);
    fields.push(...knownIn(table, question, parentId, columns));
    cells.push({ id: question.id, valuesOf });
  }
  const rowOf = (entry: JsonObject, position: number): Row => ({
    values: [position, ...cells.flatMap(({ id, valuesOf }) => valuesOf(ownMember(entry, id) ?? null))],
    answers: apart.map((id) => ownMember(entry, id) ?? null),
  });
  const rowsOf = (answer: JsonValue) =>
    (Array.isArray(answer) ? answer : []).flatMap((entry, index) =>
      isJsonObject(entry) ? [rowOf(entry, index + 1)] : [],
    );
  return { table, rowsOf, branches };
}
