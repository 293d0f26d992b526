import { sql } from 'kysely';
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
    await db
      .updateTable('access_tokens')
      .set({ last_used_at: sql`now()` })
      .where('id', '=', found.tokenId)
      .execute();
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
    await db
      .updateTable('sessions')
      .set({ last_used_at: sql`now()` })
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

export interface NewToken {
  userId: number;
  name: string;
  tokenHash: Buffer;
  tokenStart: string;
  abilities: readonly Ability[];
  /** null = never */
  expiresAt: Date | null;
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
    })
    .returning(TOKEN_COLUMNS)
    .executeTakeFirstOrThrow();
}

export function listTokens(db: Db, userId: number) {
  return db
    .selectFrom('access_tokens')
    .select(TOKEN_COLUMNS)
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
    .select('users.email')
    .$if(email !== null, (query) => query.where(sql`lower(users.email)`, '=', sql`lower(${email})`))
    .orderBy('access_tokens.id')
    .execute();
}

/** @returns false when that user has no such token. */
export async function deleteToken(db: Db, id: number, userId: number): Promise<boolean> {
  const deleted = await db
    .deleteFrom('access_tokens')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return deleted.numDeletedRows > 0n;
}

/** For the operator, whoever holds the token. */
export async function deleteAnyToken(db: Db, id: number): Promise<boolean> {
  const deleted = await db.deleteFrom('access_tokens').where('id', '=', id).executeTakeFirst();
  return deleted.numDeletedRows > 0n;
}

// Wrong guesses

/** So many wrong guesses cost nothing: people mistype. */
const FREE_GUESSES = 5;
/** The pause doubles with every further wrong guess, from 1 second up to this. */
const LONGEST_PAUSE_SECONDS = 15 * 60;
/** After so long without a wrong guess the counting starts anew. */
const GUESSES_FORGOTTEN_AFTER = sql.raw(`interval '1 day'`);

/** Whole seconds by the database's clock, 0 = now. */
export async function secondsUntilNextGuess(db: Db, subject: string, address: string): Promise<number> {
  const found = await db
    .selectFrom('failed_guesses')
    .select(
      sql<number>`ceil(extract(epoch from last_failed_at - now())
        + least(${LONGEST_PAUSE_SECONDS}, power(2, least(failures - ${FREE_GUESSES}, 30))))::int`.as(
        'seconds',
      ),
    )
    .where('subject', '=', subject)
    .where('address', '=', address)
    .where('failures', '>=', FREE_GUESSES)
    .executeTakeFirst();
  return Math.max(0, found?.seconds ?? 0);
}

export async function insertFailedGuess(db: Db, subject: string, address: string): Promise<void> {
  await db
    .insertInto('failed_guesses')
    .values({ subject, address })
    .onConflict((conflict) =>
      conflict.columns(['subject', 'address']).doUpdateSet({
        failures: sql`case when failed_guesses.last_failed_at < now() - ${GUESSES_FORGOTTEN_AFTER}
          then 1 else failed_guesses.failures + 1 end`,
        last_failed_at: sql`now()`,
      }),
    )
    .execute();
}

export async function deleteFailedGuesses(db: Db, subject: string, address: string): Promise<void> {
  await db
    .deleteFrom('failed_guesses')
    .where('subject', '=', subject)
    .where('address', '=', address)
    .execute();
}
