import type { Actor } from '../audit/actor.ts';
import { recordEvent } from '../audit/record-event.ts';
import type { Db, Transaction } from '../db/database.ts';
import { invalid } from '../http/errors.ts';
import { readMoment } from '../http/schemas/moments.ts';
import type { Ability } from './abilities.ts';
import { deleteToken, insertToken } from './queries.ts';
import { hashToken, newToken, tokenStart } from './token-format.ts';

/** Longest life of a token that is given in days. */
export const MAX_EXPIRY_DAYS = 36_500;
const DEFAULT_EXPIRY_DAYS = 365;
const DAY_MS = 24 * 60 * 60 * 1000;

interface WantedToken {
  userId: number;
  name: string;
  abilities: Ability[];
  /** null = never */
  expiresAt: Date | null;
  /** SHA-256 of the code that a program exchanges for it. */
  codeHash?: Buffer;
}

/** Makes a token for a user. Only the result holds its text; the database keeps a hash. */
export function issueToken(db: Db, wanted: WantedToken, actor: Actor) {
  return db.transaction().execute((trx) => issueTokenIn(trx, wanted, actor));
}

/** `issueToken` as part of a transaction. */
export async function issueTokenIn(
  trx: Transaction,
  { userId, name, abilities, expiresAt, codeHash }: WantedToken,
  actor: Actor,
) {
  const token = newToken();
  const unique = [...new Set(abilities)];
  const row = await insertToken(trx, {
    userId,
    name,
    tokenHash: hashToken(token),
    tokenStart: tokenStart(token),
    abilities: unique,
    expiresAt,
    codeHash: codeHash ?? null,
  });
  const details = { owner_id: userId, abilities: unique, expires_at: expiresAt?.toISOString() ?? null };
  await recordEvent(trx, actor, { verb: 'token.created', target: { id: row.id, name }, details });
  return { token, row };
}

/**
 * @param userId the owner that the token must have; null for the operator: any owner
 * @returns false when there is no such token
 */
export function revokeToken(db: Db, id: number, userId: number | null, actor: Actor): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const token = await deleteToken(trx, id, userId);
    if (!token) return false;
    const details = { owner_id: token.userId };
    await recordEvent(trx, actor, { verb: 'token.revoked', target: { id, name: token.name }, details });
    return true;
  });
}

/** Default: 365 days from now; null = never. @throws HttpError 422 */
export function tokenExpiry(days: number | null | undefined, time: string | null | undefined): Date | null {
  if (days !== undefined && time !== undefined)
    throw invalid({ expires_at: ['Give either expires at or expires in days.'] });
  if (time !== undefined) return time === null || time === 'never' ? null : futureTime(time);
  if (days === null) return null;
  return new Date(Date.now() + (days ?? DEFAULT_EXPIRY_DAYS) * DAY_MS);
}

function futureTime(text: string): Date {
  const time = readMoment(text);
  if (!time) throw invalid({ expires_at: ['The expires at is not a valid date.'] });
  if (time.getTime() <= Date.now())
    throw invalid({ expires_at: ['The expires at must be a date in the future.'] });
  return time;
}
