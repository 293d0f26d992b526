import { notFound } from '../http/errors.ts';
import { parseId, parseUuid } from '../http/ids.ts';
import type { SubmissionKey } from './queries.ts';

/** A path names a submission by numeric id or UUID. @throws HttpError 404 if the text is neither */
export function submissionKey(text: string): SubmissionKey {
  const id = parseId(text);
  if (id !== null) return { id };
  const publicId = parseUuid(text);
  if (publicId === null) throw notFound('Submission');
  return { public_id: publicId };
}
