import { sql } from 'kysely';
import type { Db } from '../db/database.ts';

/** Programs take their token at once, but a browser may first ask whether to open the program. */
const CODE_LIFE = sql.raw(`interval '5 minutes'`);

interface NewAuthorizationCode {
  codeHash: Buffer;
  /** Of the session in which it is allowed. */
  sessionHash: Buffer;
  clientId: string;
  redirectUri: string;
  codeChallenge: string;
  /** Name of the token. */
  name: string;
  abilities: string[];
  tokenExpiresAt: Date | null;
}

/**
 * Stores a permission until its session ends, and deletes those that no program came for.
 * @returns false when the session has just ended
 */
export async function insertAuthorizationCode(db: Db, code: NewAuthorizationCode): Promise<boolean> {
  await db.deleteFrom('authorization_codes').where('expires_at', '<', sql<Date>`now()`).execute();
  const { numAffectedRows } = await sql`
    insert into authorization_codes (code_hash, user_id, session_hash, client_id, redirect_uri, code_challenge, name, abilities,
      token_expires_at, expires_at)
    select ${code.codeHash}, user_id, token_hash, ${code.clientId}, ${code.redirectUri}, ${code.codeChallenge}, ${code.name},
      ${code.abilities}::text[], ${code.tokenExpiresAt}::timestamptz, now() + ${CODE_LIFE}
    from sessions where token_hash = ${code.sessionHash} for key share`.execute(db);
  return numAffectedRows === 1n;
}

/** The permission of a code, deleted when read: a second use finds nothing. */
export async function takeAuthorizationCode(db: Db, codeHash: Buffer) {
  const taken = await db
    .deleteFrom('authorization_codes')
    .where('code_hash', '=', codeHash)
    .returning([
      'user_id as userId',
      'client_id as clientId',
      'redirect_uri as redirectUri',
      'code_challenge as codeChallenge',
      'name',
      'abilities',
      'token_expires_at as tokenExpiresAt',
    ])
    .returning(sql<boolean>`expires_at > now()`.as('isCurrent'))
    .executeTakeFirst();
  return taken?.isCurrent ? taken : null;
}

/** A token and its owner, by the SHA-256 of the token, or of the code that was exchanged for it. */
export async function findTokenByHash(db: Db, column: 'token_hash' | 'code_hash', hash: Buffer) {
  const found = await db
    .selectFrom('access_tokens')
    .select(['id', 'user_id as userId'])
    .where(column, '=', hash)
    .executeTakeFirst();
  return found ?? null;
}
