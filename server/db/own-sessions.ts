import type pg from 'pg';

/** What to do where a pooler shares connections. */
export const OWN_SESSIONS_MEND =
  'Set its pool_mode to session, or name PostgreSQL itself in DATABASE_URL: see docs/database.md, Poolers.';

/** In this order two sessions state their server processes: a pooler that hands these out in turn is found as well. */
const TURNS = [0, 1, 1, 0, 1, 0, 0, 1] as const;

/**
 * Whether each connection keeps its server process. A pooler in transaction mode lends processes for one transaction at a time:
 * locks and settings of a session, notifications and prepared statements then get lost, or reach others.
 * @param pool may open two connections
 */
export async function hasOwnSessions(pool: pg.Pool): Promise<boolean> {
  const first = await pool.connect();
  const second = await pool.connect().catch((error) => {
    first.release();
    throw error;
  });
  try {
    const seen: [Set<number>, Set<number>] = [new Set(), new Set()];
    for (const turn of TURNS) seen[turn].add(await processOf([first, second][turn]));
    const [ofFirst, ofSecond] = seen;
    return ofFirst.size === 1 && ofSecond.size === 1 && new Set([...ofFirst, ...ofSecond]).size === 2;
  } finally {
    first.release();
    second.release();
  }
}

async function processOf(client: pg.PoolClient | undefined): Promise<number> {
  const answer = await client?.query<{ pid: number }>('select pg_backend_pid() as pid');
  return answer?.rows[0]?.pid ?? 0;
}
