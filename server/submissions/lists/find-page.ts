import type { Db } from '../../db/database.ts';
import {
  countSubmissions,
  findSubmissions,
  type ListPart,
  type SubmissionFilter,
  type SubmissionRow,
} from '../queries.ts';
import { prepareSearch } from '../search/queries.ts';
import { lookThrough } from './turns.ts';

export interface TextFilter {
  status: SubmissionFilter['status'];
  /** Part of any answer, in any letter case. */
  text: string | undefined;
}

/**
 * One page of a form's submissions, newest first, and how many there are on all pages.
 * @param leaving aborts when the client has disconnected
 */
export async function findPage(
  db: Db,
  formId: number,
  { status, text }: TextFilter,
  page: ListPart,
  leaving: AbortSignal,
): Promise<{ rows: SubmissionRow[]; total: number }> {
  if (text !== undefined)
    return lookThrough(false, leaving, async () => {
      const search = await prepareSearch(db, formId, text);
      return findSearched(db, formId, { status, search }, page);
    });
  const filter = { status, search: undefined };
  const [rows, total] = await Promise.all([
    findSubmissions(db, formId, filter, page),
    countSubmissions(db, formId, filter),
  ]);
  return { rows, total };
}

async function findSearched(db: Db, formId: number, filter: SubmissionFilter, page: ListPart) {
  const rows = await findSubmissions(db, formId, filter, page);
  const isLast = rows.length < page.limit && (rows.length > 0 || page.offset === 0);
  if (isLast && page.beforeId === undefined) return { rows, total: page.offset + rows.length };
  return { rows, total: await countSubmissions(db, formId, filter) };
}
