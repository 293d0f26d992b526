import type { Db } from '../db/database.ts';
import { invalid, notFound } from '../http/errors.ts';
import { parseId, parseUuid } from '../http/schemas/ids.ts';
import { findLaterIds, findSubmissionIds, type SubmissionKey } from './queries.ts';

/**
 * Reads the name of a submission in a path: a numeric id or a UUID. An id from before the trash leads to the present one, since
 * restoring gives a new id, and webhooks and links told the old one.
 * @throws HttpError 404 if it is neither
 */
export async function requireKey(db: Db, formId: number, text: string): Promise<SubmissionKey> {
  const key = await findKey(db, formId, text);
  if (key === null) throw notFound('Submission');
  return key;
}

/** Like `requireKey`, but null if the text is neither. */
export async function findKey(db: Db, formId: number, text: string): Promise<SubmissionKey | null> {
  const id = parseId(text);
  if (id !== null) return { id: (await findLaterIds(db, formId, [id])).get(id) ?? id };
  const publicId = parseUuid(text);
  return publicId === null ? null : { public_id: publicId };
}

/**
 * The present ids of submissions that are named by these, or were before the trash; in the same order.
 * @param find tells which ids are submissions of the form
 * @throws HttpError 422 on `submissionIds.<n>` for every id that is not
 */
export async function requireIds(
  db: Db,
  formId: number,
  named: readonly number[],
  find = findSubmissionIds,
): Promise<number[]> {
  const ids = await presentIds(db, formId, named);
  const known = await find(db, formId, ids);
  const wrong = ids.flatMap((id, index) => (known.has(id) ? [] : [`submissionIds.${index}`]));
  if (wrong.length > 0)
    throw invalid(Object.fromEntries(wrong.map((key) => [key, [`The selected ${key} is invalid.`]])));
  return ids;
}

/** The ids of submissions, in place of those from before the trash. */
export async function presentIds(db: Db, formId: number, named: readonly number[]): Promise<number[]> {
  const later = await findLaterIds(db, formId, named);
  return named.map((id) => later.get(id) ?? id);
}
