/** A row of a sheet or table, by column names. */
export type Row = ReadonlyMap<string, string>;

/** The text in a column; '' if there is none. */
export function cellOf(row: Row, column: string): string {
  return row.get(column) ?? '';
}
