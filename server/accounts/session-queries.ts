import { sql } from 'kysely';
import { SESSION_IDLE } from '../access/queries.ts';
import type { Db, Transaction } from '../db/database.ts';

const USER_AGENT_MAX_LENGTH = 255;

interface NewSession {
  tokenHash: Buffer;
  userId: number;
  userAgent: string | null;
  network: string;
  days: number;
}

/** @returns its id, as shown in lists */
export async function insertSession(trx: Transaction, session: NewSession): Promise<number> {
  const { id } = await trx
    .insertInto('sessions')
    .values({
      token_hash: session.tokenHash,
      user_id: session.userId,
      user_agent: session.userAgent?.slice(0, USER_AGENT_MAX_LENGTH) ?? null,
      network: session.network,
      expires_at: sql`now() + make_interval(days => ${session.days})`,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** The sessions of a user that have not ended, the latest used first. @param ownHash of the session that makes the request */
export function listSessions(db: Db, userId: number, ownHash: Buffer) {
  return db
    .selectFrom('sessions')
    .select(['id', 'user_agent', 'network', 'created_at', 'last_used_at'])
    .select(sql<Date>`least(expires_at, last_used_at + ${SESSION_IDLE})`.as('ends_at'))
    .select(sql<boolean>`token_hash = ${ownHash}`.as('is_current'))
    .where('user_id', '=', userId)
    .where('expires_at', '>', sql<Date>`now()`)
    .where('last_used_at', '>', sql<Date>`now() - ${SESSION_IDLE}`)
    .orderBy('last_used_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/** Whether the session is so new that the person must still be there. */
export async function isNewSession(db: Db, tokenHash: Buffer, minutes: number): Promise<boolean> {
  const found = await db
    .selectFrom('sessions')
    .select('id')
    .where('token_hash', '=', tokenHash)
    .where('created_at', '>', sql<Date>`now() - make_interval(mins => ${minutes})`)
    .executeTakeFirst();
  return found !== undefined;
}

/** @returns the id of the session that ended, or null when there was none. */
export async function deleteSession(trx: Transaction, tokenHash: Buffer): Promise<number | null> {
  const deleted = await trx
    .deleteFrom('sessions')
    .where('token_hash', '=', tokenHash)
    .returning('id')
    .executeTakeFirst();
  return deleted?.id ?? null;
}

/** @returns false when that user has no such session. */
export async function deleteSessionById(trx: Transaction, userId: number, id: number): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('sessions')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Ends all sessions of the user except one; null ends them all. @returns how many */
export async function deleteOtherSessions(
  trx: Transaction,
  userId: number,
  keptHash: Buffer | null,
): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .$if(keptHash !== null, (query) => query.where('token_hash', '!=', keptHash))
    .executeTakeFirst();
  return Number(numDeletedRows);
}
