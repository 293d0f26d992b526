import { type RawBuilder, sql } from 'kysely';

/** What is compressed holds up to ninety times as many bytes as it takes, and usually two or three times as many. */
const COMPRESSED_COUNTS = 10;

/**
 * The bytes of a column in those rows that come before each row, for steps that end by what they read and not by how many rows.
 * Bytes as they are stored, those of compressed values tenfold: nothing is unpacked to be measured.
 * @param order of the rows, with no two alike
 */
export function bytesBefore(column: string, order: RawBuilder<unknown>): RawBuilder<number> {
  const value = sql.ref(column);
  const bytes = sql`coalesce(pg_column_size(${value}), 0)::bigint
    * case when pg_column_compression(${value}) is null then 1 else ${sql.lit(COMPRESSED_COUNTS)} end`;
  return sql<number>`sum(${bytes}) over (order by ${order} rows unbounded preceding) - ${bytes}`;
}
