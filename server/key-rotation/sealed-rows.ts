import type { Db } from '../db/database.ts';
import type { SecretBox } from '../secret-box.ts';
import { findSealedRows, type SealedRow } from './queries.ts';
import { SEALED_COLUMNS, type SealedColumn } from './sealed-columns.ts';

/** Rows read and rewritten by one statement. */
const CHUNK = 500;

/** All encrypted values of a column, in the order of its key. */
export async function* sealedRows(db: Db, column: SealedColumn): AsyncGenerator<SealedRow[]> {
  for (let after = 0; ; ) {
    const rows = await findSealedRows(db, column, after, CHUNK);
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (!last || rows.length < CHUNK) return;
    after = last.id;
  }
}

/** How many encrypted values a key opens. */
export async function countSealed(db: Db, box: SecretBox): Promise<{ readable: number; unreadable: number }> {
  const counts = { readable: 0, unreadable: 0 };
  for (const column of SEALED_COLUMNS)
    for await (const rows of sealedRows(db, column))
      for (const row of rows)
        counts[box.decrypt(row.sealed, column.purpose(row)) === null ? 'unreadable' : 'readable'] += 1;
  return counts;
}
