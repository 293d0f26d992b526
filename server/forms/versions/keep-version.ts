import type { Actor } from '../../audit/actor.ts';
import type { Transaction } from '../../db/database.ts';
import { PRESENTATION_KEYS } from '../schemas.ts';
import { insertVersion } from './queries.ts';

/**
 * What a version is made of: questions, texts, look. Who may answer, when and for how long answers are kept, the address
 * and the password are decided for now, and do not come back with an old version.
 */
const VERSIONED: ReadonlySet<string> = new Set(['title', 'properties', ...PRESENTATION_KEYS]);

/** Keeps the first version of a form that was just stored. */
export function keepFirstVersion(trx: Transaction, formId: number, { userId }: Actor): Promise<void> {
  return insertVersion(trx, formId, { changed: [], restoredFrom: null, savedBy: userId });
}

/**
 * Keeps a form that was just saved, where the save changed what versions are made of.
 * @param fields names of all members that it changed
 * @param restoredFrom the version that it brought back
 */
export async function keepVersion(
  trx: Transaction,
  formId: number,
  { userId }: Actor,
  { fields, restoredFrom }: { fields: string[]; restoredFrom: number | null },
): Promise<void> {
  const changed = fields.filter((field) => VERSIONED.has(field));
  if (changed.length > 0) await insertVersion(trx, formId, { changed, restoredFrom, savedBy: userId });
}
