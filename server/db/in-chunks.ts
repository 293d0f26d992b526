import type { RawBuilder } from 'kysely';
import type { Db } from './database.ts';

/** Rows that one statement changes, so that it holds its locks only briefly. */
export const CHUNK = 5_000;

/**
 * Repeats a statement that changes at most `CHUNK` rows, until it changes fewer.
 * @param stopping ends it after the statement at hand; the next turn of the job continues
 */
export async function inChunks(
  db: Db,
  statement: RawBuilder<unknown>,
  stopping: AbortSignal | undefined,
): Promise<void> {
  for (let changed = CHUNK; changed === CHUNK && !stopping?.aborted; ) {
    const { numAffectedRows } = await statement.execute(db);
    changed = Number(numAffectedRows ?? 0);
  }
}
