import { type RawBuilder, sql } from 'kysely';

/** An estimate: compressed values usually unpack to two or three times their stored size, at most to ninety times. */
const COMPRESSED_COUNTS = 10;

/** The stored bytes of a column's value, times ten when it is compressed: measuring must not unpack anything. */
export function storedBytes(column: string): RawBuilder<number> {
  const value = sql.ref(column);
  return sql<number>`coalesce(pg_column_size(${value}), 0)::bigint
    * case when pg_column_compression(${value}) is null then 1 else ${sql.lit(COMPRESSED_COUNTS)} end`;
}

/**
 * For each row, the bytes in all rows before it: for steps that are limited by the bytes they read, not by their rows.
 * @param bytes of one row; see `storedBytes`
 * @param order of the rows; must be unique
 */
export function bytesBefore(bytes: RawBuilder<number>, order: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`sum(${bytes}) over (order by ${order} rows unbounded preceding) - ${bytes}`;
}
