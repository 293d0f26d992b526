import { notFound } from '../http/errors.ts';
import { parseId, parseUuid } from '../http/ids.ts';
import type { SubmissionKey } from './queries.ts';

/** A path takes the numeric id or the UUID. @throws HttpError 404 for what can be neither */
export function submissionKey(text: string): SubmissionKey {
  const id = parseId(text);
  if (id !== null) return { id };
  const publicId = parseUuid(text);
  if (publicId === null) throw notFound('Submission');
  return { public_id: publicId };
}
