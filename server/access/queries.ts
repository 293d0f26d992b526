import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import type { MemberRole } from './abilities.ts';

export interface WorkspaceAccess {
  id: number;
  /** null: the caller is not a member. */
  role: MemberRole | null;
}

/** `last_used_at` is written at most this often per token or session. */
const LAST_USE_PRECISION = sql.raw(`interval '1 minute'`);

/** The holder of an unexpired token, by the SHA-256 of the token. */
export async function findCallerByToken(db: Db, tokenHash: Buffer) {
  const found = await db
    .selectFrom('access_tokens')
    .select(['id as tokenId', 'user_id as userId', 'abilities'])
    .select(sql<boolean>`last_used_at is null or last_used_at < now() - ${LAST_USE_PRECISION}`.as('isStale'))
    .where('token_hash', '=', tokenHash)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', sql<Date>`now()`)]))
    .executeTakeFirst();
  if (found?.isStale)
    await db.updateTable('access_tokens').set({ last_used_at: sql`now()` }).where('id', '=', found.tokenId).execute();
  return found ?? null;
}

/** The owner of an unexpired session, by the SHA-256 of its cookie value. */
export async function findCallerBySession(db: Db, sessionHash: Buffer) {
  const found = await db
    .selectFrom('sessions')
    .select(['user_id as userId'])
    .select(sql<boolean>`last_used_at < now() - ${LAST_USE_PRECISION}`.as('isStale'))
    .where('token_hash', '=', sessionHash)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst();
  if (found?.isStale)
    await db.updateTable('sessions').set({ last_used_at: sql`now()` }).where('token_hash', '=', sessionHash).execute();
  return found ?? null;
}

/** A workspace with the role a user has in it; null when there is no such workspace. */
export async function findWorkspaceAccess(db: Db, workspaceId: number, userId: number): Promise<WorkspaceAccess | null> {
  const found = await db
    .selectFrom('workspaces')
    .leftJoin('workspace_members', (join) =>
      join.onRef('workspace_members.workspace_id', '=', 'workspaces.id').on('workspace_members.user_id', '=', userId),
    )
    .select(['workspaces.id', 'workspace_members.role'])
    .where('workspaces.id', '=', workspaceId)
    .executeTakeFirst();
  return found ? { id: found.id, role: found.role as MemberRole | null } : null;
}
