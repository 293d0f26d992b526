import type { Db } from '../db/database.ts';
import { notFound } from '../http/errors.ts';
import { parseId, parseUuid } from '../http/ids.ts';
import { findLaterId, findSubmission, type SubmissionKey, type SubmissionRow } from './queries.ts';

/** Reads the name of a submission in a path: a numeric id or a UUID. @throws HttpError 404 if it is neither */
export function submissionKey(text: string): SubmissionKey {
  const key = keyOf(text);
  if (key === null) throw notFound('Submission');
  return key;
}

/** Like `submissionKey`, but follows an id from before the trash to the present one; null if the text is neither. */
export async function currentKey(db: Db, formId: number, text: string): Promise<SubmissionKey | null> {
  const key = keyOf(text);
  if (key === null || !('id' in key)) return key;
  return { id: (await findLaterId(db, formId, key.id)) ?? key.id };
}

/** Finds a submission also by its id from before the trash, so that old links still work: restoring gives it a new id. */
export async function findNamedSubmission(
  db: Db,
  formId: number,
  text: string,
): Promise<SubmissionRow | null> {
  const key = submissionKey(text);
  const found = await findSubmission(db, formId, key);
  if (found || !('id' in key)) return found;
  const id = await findLaterId(db, formId, key.id);
  return id === null ? null : findSubmission(db, formId, { id });
}

function keyOf(text: string): SubmissionKey | null {
  const id = parseId(text);
  if (id !== null) return { id };
  const publicId = parseUuid(text);
  return publicId === null ? null : { public_id: publicId };
}
