import { isJsonObject } from '../../../fields/property.ts';
import type { Actor } from '../../audit/actor.ts';
import type { Transaction } from '../../db/database.ts';
import {
  deleteOldVersions,
  insertDraftVersion,
  insertVersion,
  insertVersionUnlessKept,
  newestVersion,
  raiseVersion,
} from './queries.ts';
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

/** A draft in whose place another was saved. */
interface ReplacedDraft {
  definition: { [key: string]: unknown };
  saved_by: number | null;
  saved_at: Date;
}

/**
 * Keeps a draft that somebody saved another over, so that nothing in it is lost. The form, which stays as it is, becomes a version
 * again, as the newest version is always the form.
 */
export async function keepReplacedDraft(
  trx: Transaction,
  formId: number,
  { userId }: Actor,
  { definition, saved_by: savedBy, saved_at: savedAt }: ReplacedDraft,
): Promise<void> {
  const members = Object.fromEntries(Object.entries(definition).filter(isKept));
  const changed = Object.keys(members);
  if (changed.length === 0) return;
  await insertVersionUnlessKept(trx, formId);
  const restoredFrom = await newestVersion(trx, formId);
  await raiseVersion(trx, formId);
  await insertDraftVersion(trx, formId, { members, changed, savedBy, savedAt });
  await raiseVersion(trx, formId);
  await insertVersion(trx, formId, { changed, restoredFrom, savedBy: userId });
  await deleteOldVersions(trx, formId);
}

/** A draft may hold anything. */
function isKept([name, value]: [string, unknown]): boolean {
  return (
    VERSIONED.has(name) && (name !== 'properties' || (Array.isArray(value) && value.every(isJsonObject)))
  );
}
