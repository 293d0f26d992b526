import { type RawBuilder, sql } from 'kysely';

/** What is compressed holds up to ninety times as many bytes as it takes, and usually two or three times as many. */
const COMPRESSED_COUNTS = 10;

/** The bytes of a column as they are stored, those of a compressed value tenfold: nothing is unpacked to be measured. */
export function storedBytes(column: string): RawBuilder<number> {
  const value = sql.ref(column);
  return sql<number>`coalesce(pg_column_size(${value}), 0)::bigint
    * case when pg_column_compression(${value}) is null then 1 else ${sql.lit(COMPRESSED_COUNTS)} end`;
}

/**
 * The bytes in those rows that come before each row, for steps that end by what they read and not by how many rows.
 * @param bytes of a row; see `storedBytes`
 * @param order of the rows, with no two alike
 */
export function bytesBefore(bytes: RawBuilder<number>, order: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`sum(${bytes}) over (order by ${order} rows unbounded preceding) - ${bytes}`;
}
