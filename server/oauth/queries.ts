import { sql } from 'kysely';
import type { Db } from '../db/database.ts';

/** A program takes its token at once; a browser may first ask whether to open it. */
const CODE_LIFE = sql.raw(`interval '5 minutes'`);

export interface NewAuthorizationCode {
  codeHash: Buffer;
  userId: number;
  clientId: string;
  redirectUri: string;
  codeChallenge: string;
  /** Of the token. */
  name: string;
  abilities: string[];
  tokenExpiresAt: Date | null;
}

/** Keeps what somebody has allowed, and forgets what no program came for. */
export async function insertAuthorizationCode(db: Db, code: NewAuthorizationCode): Promise<void> {
  await db.deleteFrom('authorization_codes').where('expires_at', '<', sql<Date>`now()`).execute();
  await db
    .insertInto('authorization_codes')
    .values({
      code_hash: code.codeHash,
      user_id: code.userId,
      client_id: code.clientId,
      redirect_uri: code.redirectUri,
      code_challenge: code.codeChallenge,
      name: code.name,
      abilities: code.abilities,
      token_expires_at: code.tokenExpiresAt,
      expires_at: sql<Date>`now() + ${CODE_LIFE}`,
    })
    .execute();
}

/** What a code stands for, once: whoever comes with it again, rightly or not, finds nothing. */
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

/** Whose token it is, by its SHA-256. */
export async function findTokenByHash(db: Db, tokenHash: Buffer) {
  const found = await db
    .selectFrom('access_tokens')
    .select(['id', 'user_id as userId'])
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
  return found ?? null;
}
