import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { LONG_BYTES } from '../../http/response/long-answers.ts';

/** The first rows of a page: the answers of a hundred submissions can have a hundred megabytes. */
export interface CutPage<Row> {
  rows: Row[];
  /** Rows of the whole page. */
  count: number;
}

/**
 * Reads as many rows of a page, at least one, as their answers have bytes for.
 * @param page the statement that selects it, with `data`
 * @param isWhole reads all of its rows
 * @param bytes of the answers as they are stored, unpacked
 */
export async function readCutPage<Row extends object>(
  db: Db,
  page: RawBuilder<unknown>,
  isWhole = false,
  bytes = LONG_BYTES,
): Promise<CutPage<Row>> {
  // `|| '{}'` unpacks the answers, which are stored compressed.
  const { rows } = await sql<Row & { page_count: number }>`
    select * from (
      select page.*, count(*) over whole as page_count, row_number() over whole as page_place,
        sum(pg_column_size(data || '{}')) over (whole rows unbounded preceding) as page_bytes
      from (${page}) page window whole as ()
    ) measured
    where ${isWhole} or page_place = 1 or page_bytes <= ${bytes} order by page_place`.execute(db);
  return { rows, count: rows[0]?.page_count ?? 0 };
}
