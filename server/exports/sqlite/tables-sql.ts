import type { TableColumn } from './cells.ts';
import type { Table } from './layout.ts';

/** Of a file that nobody else sees, and that is worth nothing unless it is finished. */
export const SETTINGS = `pragma journal_mode = off; pragma synchronous = off; pragma locking_mode = exclusive;
  pragma temp_store = memory`;
export const BEGIN = 'begin';
export const END = 'commit';

/** Which column or table the answers to a question are in. */
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

/** With its key, and the one of the table above it. Where several columns are the key, rows lie in its order. */
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
