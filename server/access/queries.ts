import { sql } from 'kysely';
import { addressKeys } from '../accounts/email.ts';
import { ADDRESS_KEY } from '../accounts/queries.ts';
import type { Db } from '../db/database.ts';
import { formKey } from '../forms/form-key.ts';
import type { Ability, MemberRole } from './abilities.ts';

export interface WorkspaceAccess {
  id: number;
  /** null: the caller is not a member. */
  role: MemberRole | null;
}

export interface FormAccess {
  id: number;
  workspaceId: number;
  /** null: the caller is not a member of the form's workspace. */
  role: MemberRole | null;
}

/** A form, with the workspace that the caller's role was looked up in. */
export type NamedForm = Pick<FormAccess, 'id' | 'workspaceId'>;

/** `last_used_at` is written at most this often per token or session. */
const LAST_USE_PRECISION = sql.raw(`interval '1 minute'`);

/** A token is void after this time without use; an unused one counts from its creation. */
const TOKEN_IDLE = sql.raw(`interval '365 days'`);
/** A session ends after this time without use. */
export const SESSION_IDLE = sql.raw(`interval '7 days'`);

/** The holder of a valid token, by its SHA-256. */
export async function findCallerByToken(db: Db, tokenHash: Buffer) {
  const found = await db
    .selectFrom('access_tokens')
    .select(['id as tokenId', 'user_id as userId', 'abilities'])
    .select(sql<boolean>`last_used_at is null or last_used_at < now() - ${LAST_USE_PRECISION}`.as('isStale'))
    .where('token_hash', '=', tokenHash)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', sql<Date>`now()`)]))
    .where(sql<boolean>`coalesce(last_used_at, created_at) > now() - ${TOKEN_IDLE}`)
    .executeTakeFirst();
  if (found?.isStale)
    await db
      .updateTable('access_tokens')
      .set({ last_used_at: sql`now()` })
      .where('id', '=', found.tokenId)
      .execute();
  return found ?? null;
}

/** The owner of a valid session, by the SHA-256 of its cookie value. @param network the present network of the user */
export async function findCallerBySession(db: Db, sessionHash: Buffer, network: string) {
  const found = await db
    .selectFrom('sessions')
    .select(['user_id as userId'])
    .select(sql<boolean>`last_used_at < now() - ${LAST_USE_PRECISION}`.as('isStale'))
    .where('token_hash', '=', sessionHash)
    .where('expires_at', '>', sql<Date>`now()`)
    .where('last_used_at', '>', sql<Date>`now() - ${SESSION_IDLE}`)
    .executeTakeFirst();
  if (found?.isStale)
    await db
      .updateTable('sessions')
      .set({ last_used_at: sql`now()`, network })
      .where('token_hash', '=', sessionHash)
      .execute();
  return found ?? null;
}

/** A workspace with the role a user has in it; null when there is no such workspace. */
export async function findWorkspaceAccess(
  db: Db,
  workspaceId: number,
  userId: number,
): Promise<WorkspaceAccess | null> {
  const found = await db
    .selectFrom('workspaces')
    .leftJoin('workspace_members', (join) =>
      join
        .onRef('workspace_members.workspace_id', '=', 'workspaces.id')
        .on('workspace_members.user_id', '=', userId),
    )
    .select(['workspaces.id', 'workspace_members.role'])
    .where('workspaces.id', '=', workspaceId)
    .executeTakeFirst();
  return found ? { id: found.id, role: found.role as MemberRole | null } : null;
}

/** A form by numeric id, UUID or slug, with the role a user has in its workspace; null when there is none. */
export async function findFormAccess(db: Db, ref: string, userId: number): Promise<FormAccess | null> {
  const key = formKey(ref);
  if (!key) return null;
  const found = await db
    .selectFrom('forms')
    .leftJoin('workspace_members', (join) =>
      join
        .onRef('workspace_members.workspace_id', '=', 'forms.workspace_id')
        .on('workspace_members.user_id', '=', userId),
    )
    .select(['forms.id', 'forms.workspace_id as workspaceId', 'workspace_members.role'])
    .where(`forms.${key.column}`, '=', key.value)
    .executeTakeFirst();
  return found ? { ...found, role: found.role as MemberRole | null } : null;
}

// Tokens

const TOKEN_COLUMNS = [
  'id',
  'name',
  'abilities',
  'token_start',
  'created_at',
  'last_used_at',
  'expires_at',
] as const;

/** Whether a token is still valid, by the same rule as `findCallerByToken`. */
const TOKEN_STATUS = sql<'active' | 'expired' | 'unused'>`case
  when access_tokens.expires_at <= now() then 'expired'
  when coalesce(access_tokens.last_used_at, access_tokens.created_at) <= now() - ${TOKEN_IDLE} then 'unused'
  else 'active' end`.as('status');

interface NewToken {
  userId: number;
  name: string;
  tokenHash: Buffer;
  tokenStart: string;
  abilities: readonly Ability[];
  /** null = never */
  expiresAt: Date | null;
  codeHash: Buffer | null;
}

export function insertToken(db: Db, token: NewToken) {
  return db
    .insertInto('access_tokens')
    .values({
      user_id: token.userId,
      name: token.name,
      token_hash: token.tokenHash,
      token_start: token.tokenStart,
      abilities: [...token.abilities],
      expires_at: token.expiresAt,
      code_hash: token.codeHash,
    })
    .returning(TOKEN_COLUMNS)
    .returning(TOKEN_STATUS)
    .executeTakeFirstOrThrow();
}

export function listTokens(db: Db, userId: number) {
  return db
    .selectFrom('access_tokens')
    .select(TOKEN_COLUMNS)
    .select(TOKEN_STATUS)
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute();
}

/** For the operator: the tokens of one address, or of everybody. */
export function listAllTokens(db: Db, email: string | null) {
  return db
    .selectFrom('access_tokens')
    .innerJoin('users', 'users.id', 'access_tokens.user_id')
    .select(TOKEN_COLUMNS.map((column) => `access_tokens.${column}` as const))
    .select(['users.email', TOKEN_STATUS])
    .$if(email !== null, (query) => query.where(ADDRESS_KEY, 'in', addressKeys(email ?? '')))
    .orderBy('access_tokens.id')
    .execute();
}

/**
 * @param userId the owner that the token must have; null for the operator: any owner
 * @returns its name and its owner, or null when there is no such token
 */
export async function deleteToken(db: Db, id: number, userId: number | null) {
  const deleted = await db
    .deleteFrom('access_tokens')
    .where('id', '=', id)
    .$if(userId !== null, (query) => query.where('user_id', '=', userId))
    .returning(['name', 'user_id as userId'])
    .executeTakeFirst();
  return deleted ?? null;
}
