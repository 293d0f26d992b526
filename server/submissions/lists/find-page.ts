import type { Db } from '../../db/database.ts';
import {
  countSubmissions,
  findSubmissions,
  type ListPart,
  type SubmissionFilter,
  type SubmissionRow,
} from '../queries.ts';
import { prepareSearch } from '../search/queries.ts';
import type { CutPage } from './page-queries.ts';
import { lookThrough } from './turns.ts';

export interface TextFilter {
  status: SubmissionFilter['status'];
  /** Part of any answer, in any letter case. */
  text: string | undefined;
}

/**
 * One page of a form's submissions, newest first, and how many there are on all pages.
 * @param leaving aborts when the client has disconnected
 * @returns `count`: rows of the page if it were whole
 */
export async function findPage(
  db: Db,
  formId: number,
  { status, text }: TextFilter,
  { leaving, ...page }: ListPart & { leaving: AbortSignal },
): Promise<CutPage<SubmissionRow> & { total: number }> {
  if (text !== undefined)
    return lookThrough(false, leaving, async () => {
      const search = await prepareSearch(db, formId, text);
      return findSearched(db, formId, { status, search }, page);
    });
  const filter = { status, search: undefined };
  const [found, total] = await Promise.all([
    findSubmissions(db, formId, filter, page),
    countSubmissions(db, formId, filter),
  ]);
  return { ...found, total };
}

async function findSearched(db: Db, formId: number, filter: SubmissionFilter, page: ListPart) {
  const found = await findSubmissions(db, formId, filter, page);
  const { count } = found;
  const isLast = count < page.limit && (count > 0 || page.offset === 0);
  if (isLast && page.beforeId === undefined) return { ...found, total: page.offset + count };
  return { ...found, total: await countSubmissions(db, formId, filter) };
}
