import type pg from 'pg';

/** One connection of a pool, for statements that follow each other closely. */
export interface HeldConnection {
  /** On the connection that is held, or else on one that is held from now on. One statement at a time. */
  query<Row extends pg.QueryResultRow | unknown[]>(statement: pg.QueryConfig): Promise<Row[]>;
  /** Gives it back to the pool, until the next statement. */
  letGo(): void;
}

/**
 * A pool hands out a connection, also a free one, only when everything else is done that is ready to run. A statement on a connection
 * that is held is on its way when `query` returns. One that has failed is given up, as a pool does.
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
