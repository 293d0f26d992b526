import type { TableColumn } from './cells.ts';
import type { Table } from './layout.ts';

/** Safe only because nobody else sees the file, and it is worthless until it is finished. */
export const SETTINGS = `pragma journal_mode = off; pragma synchronous = off; pragma locking_mode = exclusive;
  pragma temp_store = memory`;
export const BEGIN = 'begin';
export const END = 'commit';

/** Tells which column or table has the answers to a question. */
export const FIELDS: Table = {
  name: 'fields',
  columns: [
    { name: 'position', type: 'INTEGER' },
    ...['field_id', 'parent_id', 'name', 'type', 'table_name', 'column_name'].map(
      (name): TableColumn => ({ name, type: 'TEXT' }),
    ),
  ],
  keys: 1,
  parent: null,
};

/** Creates a table with its primary key, and a foreign key to the table above. With several key columns rows are stored in key order. */
export function createTable({ name, columns, keys, parent }: Table): string {
  const key = columns.slice(0, keys).map((column) => quoted(column.name));
  const lines = columns.map(
    (column, index) => `${quoted(column.name)} ${column.type}${index < keys ? ' NOT NULL' : ''}`,
  );
  lines.push(`PRIMARY KEY (${key.join(', ')})`);
  if (parent) {
    const theirs = parent.columns.slice(0, parent.keys).map((column) => quoted(column.name));
    const ours = key.slice(0, parent.keys).join(', ');
    lines.push(`FOREIGN KEY (${ours}) REFERENCES ${quoted(parent.name)} (${theirs.join(', ')})`);
  }
  return `CREATE TABLE ${quoted(name)} (\n  ${lines.join(',\n  ')}\n)${keys > 1 ? ' WITHOUT ROWID' : ''}`;
}

export function insertInto({ name, columns }: Table): string {
  return `insert into ${quoted(name)} values (${columns.map(() => '?').join(', ')})`;
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
