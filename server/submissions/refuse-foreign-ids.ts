import type { Db } from '../db/database.ts';
import { invalid } from '../http/errors.ts';
import { findSubmissionIds } from './queries.ts';

/**
 * @param find tells which of the ids are submissions of the form
 * @throws HttpError 422 on `submissionIds.<n>` for every id that is not
 */
export async function refuseForeignIds(
  db: Db,
  formId: number,
  ids: number[],
  find = findSubmissionIds,
): Promise<void> {
  const known = await find(db, formId, ids);
  const wrong = ids.flatMap((id, index) => (known.has(id) ? [] : [`submissionIds.${index}`]));
  if (wrong.length > 0)
    throw invalid(Object.fromEntries(wrong.map((key) => [key, [`The selected ${key} is invalid.`]])));
}
