import { DatabaseSync } from 'node:sqlite';
import { expect } from 'vitest';

/** A database as a program that opens it sees it. */
interface OpenedDatabase {
  all(query: string): Record<string, unknown>[];
  /** `name TYPE` of each column. */
  columnsOf(table: string): string[];
  tables: string[];
}

/** Opens the file of an export and checks it: pages, keys and references. */
export function readSqlite(bytes: Buffer): OpenedDatabase {
  const database = new DatabaseSync(':memory:');
  database.deserialize(bytes);
  const all = (query: string) =>
    database
      .prepare(query)
      .all()
      .map((row) => ({ ...row }));
  expect(all('pragma integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  expect(all('pragma foreign_key_check')).toEqual([]);
  const tables = all(`select name from sqlite_schema where type = 'table' order by rowid`);
  return {
    all,
    columnsOf: (table) =>
      all(`select name || ' ' || type as text from pragma_table_info('${table}')`).map(({ text }) =>
        String(text),
      ),
    tables: tables.map(({ name }) => String(name)),
  };
}
