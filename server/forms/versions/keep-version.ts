import type { Actor } from '../../audit/actor.ts';
import type { Transaction } from '../../db/database.ts';
import { deleteOldVersions, insertVersion } from './queries.ts';
import { VERSIONED_MEMBERS } from './versioned-members.ts';

const VERSIONED: ReadonlySet<string> = new Set(VERSIONED_MEMBERS);

/** Keeps the first version of a form that was just stored. */
export function keepFirstVersion(trx: Transaction, formId: number, { userId }: Actor): Promise<void> {
  return insertVersion(trx, formId, { changed: [], restoredFrom: null, savedBy: userId });
}

/**
 * Keeps a form that was just saved, if the save changed members that versions contain.
 * @param fields names of all members that it changed
 * @param restoredFrom the version that it restored; null for any other save
 */
export async function keepVersion(
  trx: Transaction,
  formId: number,
  { userId }: Actor,
  { fields, restoredFrom }: { fields: string[]; restoredFrom: number | null },
): Promise<void> {
  const changed = fields.filter((field) => VERSIONED.has(field));
  if (changed.length === 0) return;
  await insertVersion(trx, formId, { changed, restoredFrom, savedBy: userId });
  await deleteOldVersions(trx, formId);
}
