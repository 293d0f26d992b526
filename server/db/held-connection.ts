import type pg from 'pg';

/** One connection of a pool, for statements that follow each other closely. */
export interface HeldConnection {
  /** Runs on the held connection; takes one from the pool first when none is held. One statement at a time. */
  query<Row extends pg.QueryResultRow | unknown[]>(statement: pg.QueryConfig): Promise<Row[]>;
  /** Gives the connection back to the pool until the next statement. */
  letGo(): void;
}

/**
 * A pool hands out even a free connection only after all other code that is ready to run. On a held connection the statement is on
 * its way when `query` returns. A connection whose statement failed is given up, as a pool does.
 */
export function holdConnection(pool: pg.Pool): HeldConnection {
  let held: pg.PoolClient | null = null;

  function letGo(error?: unknown): void {
    held?.release(error !== undefined);
    held = null;
  }

  return {
    async query<Row extends pg.QueryResultRow | unknown[]>(statement: pg.QueryConfig) {
      held ??= await pool.connect();
      try {
        return (await held.query<Row & pg.QueryResultRow>(statement)).rows;
      } catch (error) {
        letGo(error);
        throw error;
      }
    },
    letGo: () => letGo(),
  };
}
