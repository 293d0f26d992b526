import type { Static } from 'typebox';
import { NO_ENDING } from '../../../fields/logic/endings.ts';
import { addError, type ErrorBag, emptyErrorBag } from '../../../fields/property.ts';
import type { Db } from '../../db/database.ts';
import { invalid } from '../../http/errors.ts';
import { pageOf } from '../../http/schemas/pagination.ts';
import { countSubmissions } from '../queries.ts';
import type { listSchema } from '../schemas.ts';
import { prepareSearch } from '../search/queries.ts';
import { isMomentText, type ListCursor, readCursor, writeCursor } from './cursor.ts';
import { hasFieldFilters } from './filter.ts';
import type { TextFilter } from './find-page.ts';
import type { CutPage } from './page-queries.ts';
import {
  countListed,
  findListed,
  findListFields,
  type ListedRow,
  type ListFilter,
  type ListPlace,
  type ListSort,
  limitStatements,
} from './queries.ts';
import { readFilter, readSort, readText } from './read-filter.ts';
import { lookThrough, TIMED_OUT } from './turns.ts';

type ListQuery = Static<typeof listSchema.querystring>;

/** A page of a list by cursor; shorter than asked for when its answers are long. */
export interface ListPage {
  rows: ListedRow[];
  /** null where the list ends. */
  next: string | null;
  prev: string | null;
  /** null when it was not asked for. */
  total: { count: number; isCapped: boolean } | null;
}

/** Longest list that can be sorted by an answer, as no index has answers in order. */
const MAX_SORTED = 50_000;
/** The total of a filtered list is counted up to here. */
const MAX_COUNTED = 10_000;
/** Counting matches of a search, review or ending ends after this time; the total then says only that there is more than the page. */
const MAX_COUNTING_MS = 2_000;

/** Whether a query needs the list by cursor. Queries that the list by page can answer keep its format. */
export function asksForCursor(query: ListQuery): boolean {
  const { cursor, from, to, review, ending, sort, order, total } = query;
  return (
    [cursor, from, to, review, ending, sort, order, total].some((value) => value !== undefined) ||
    hasFieldFilters(query)
  );
}

/**
 * A page of a filtered and sorted list. It begins at the cursor instead of skipping a number of rows, so pages stay right while
 * submissions arrive.
 * @param leaving aborts when the client has disconnected
 * @throws HttpError 422, also when the query would take too long; the message says what to narrow
 */
export async function listSubmissions(
  db: Db,
  formId: number,
  query: ListQuery,
  leaving: AbortSignal,
): Promise<ListPage> {
  const { status, text } = readText(query);
  const { filter, place } = await readQuery(db, formId, query, status);
  const isPlain =
    text === undefined &&
    filter.fields.length === 0 &&
    filter.review === null &&
    // An index has those of each ending in order, but not those of none.
    filter.ending !== NO_ENDING;
  const isNarrow = isPlain && place.sort.by === 'created_at';
  return lookThrough(isNarrow, leaving, async () => {
    const search = text === undefined ? undefined : await prepareSearch(db, formId, text);
    return readPage(db, { formId, filter: { ...filter, search }, place }, query.total === true);
  });
}

async function readQuery(db: Db, formId: number, query: ListQuery, status: TextFilter['status']) {
  const errors = emptyErrorBag();
  const fields = await findListFields(db, formId);
  const cursor = cursorOf(query, errors);
  const order = cursor?.order ?? query.order ?? 'desc';
  const sort = readSort(cursor?.sort ?? query.sort ?? 'created_at', fields, errors);
  const filter = { ...readFilter(query, fields, status, errors), beforeId: query.before ?? null };
  if (!sort || Object.keys(errors).length > 0) throw invalid(errors);
  if (!isKeyOf(sort, cursor)) throw invalid({ cursor: ['The cursor format is invalid.'] });
  const place: ListPlace = { sort, order, cursor, limit: pageOf(query).limit };
  return { filter, place };
}

/** The cursor contains the sort and order. Where the query names them too, they must be the same. */
function cursorOf({ cursor: text, sort, order }: ListQuery, errors: ErrorBag): ListCursor | null {
  if (text === undefined) return null;
  const cursor = readCursor(text);
  const isOther =
    (sort !== undefined && sort !== cursor?.sort) || (order !== undefined && order !== cursor?.order);
  if (!cursor) addError(errors, 'cursor', 'The cursor format is invalid.');
  else if (isOther) addError(errors, 'cursor', 'The cursor is of a list in another order.');
  return cursor;
}

/** Whether the database can compare with the cursor's key: anybody may have written the cursor. */
function isKeyOf(sort: ListSort, cursor: ListCursor | null): boolean {
  if (!cursor) return true;
  if (sort.by !== 'field') return cursor.key !== null && isMomentText(cursor.key);
  return cursor.key === null || sort.kind !== 'number' || /^-?\d{1,400}(\.\d{1,400})?$/.test(cursor.key);
}

/** What is listed, and from where. */
interface Listed {
  formId: number;
  filter: ListFilter;
  place: ListPlace;
}

async function readPage(db: Db, listed: Listed, isTotalWanted: boolean): Promise<ListPage> {
  const { formId, filter, place } = listed;
  if (place.sort.by === 'field') await refuseLongSort(db, formId, filter);
  const { limit, cursor } = place;
  const finding = findListed(db, formId, filter, { ...place, limit: limit + 1 });
  const [found, total] = await Promise.all([finding, isTotalWanted ? totalOf(db, listed, finding) : null]);
  const rows = found.rows.slice(0, limit);
  const isMore = found.count > rows.length;
  const isBackward = cursor?.towards === 'prev';
  if (isBackward) rows.reverse();
  const at = (row: ListedRow | undefined, towards: ListCursor['towards']) => cursorAt(place, row, towards);
  return {
    rows,
    next: isBackward || isMore ? at(rows.at(-1), 'next') : null,
    prev: isBackward ? (isMore ? at(rows[0], 'prev') : null) : cursor && at(rows[0], 'prev'),
    total,
  };
}

/** The cursor at a row. Without one the page is empty: then its own cursor, turned round, leads back. */
function cursorAt(
  { sort, order, cursor }: ListPlace,
  row: ListedRow | undefined,
  towards: ListCursor['towards'],
): string | null {
  const by = sort.by === 'field' ? sort.id : sort.by;
  if (row) return writeCursor({ sort: by, order, towards, key: row.key, id: row.id });
  return cursor && writeCursor({ ...cursor, towards });
}

/** @param finding the rows of the page and one more; a first page without one more is the whole list, and needs no counting */
async function totalOf(
  db: Db,
  { formId, filter, place: { cursor, limit } }: Listed,
  finding: Promise<CutPage<ListedRow>>,
): Promise<ListPage['total']> {
  if (isWhole(filter)) return { count: await countSubmissions(db, formId, filter), isCapped: false };
  // A search, review or ending may have to look at very many submissions, so matches are only counted when they fill more than this page.
  const isQuick = filter.search === undefined && filter.review === null && filter.ending === null;
  const found = isQuick ? null : await finding;
  if (found && cursor === null && found.count <= limit) return { count: found.count, isCapped: false };
  const counting = found
    ? db.transaction().execute(async (trx) => {
        await limitStatements(trx, MAX_COUNTING_MS);
        return countListed(trx, formId, filter, MAX_COUNTED + 1);
      })
    : countListed(db, formId, filter, MAX_COUNTED + 1);
  const count = await counting.catch((error: { code?: string }) => {
    if (!found || error.code !== TIMED_OUT) throw error;
    return null;
  });
  if (count === null) return { count: Math.min(found?.count ?? 0, limit), isCapped: true };
  return { count: Math.min(count, MAX_COUNTED), isCapped: count > MAX_COUNTED };
}

async function refuseLongSort(db: Db, formId: number, filter: ListFilter): Promise<void> {
  if ((await countSubmissions(db, formId, { status: filter.status, search: undefined })) <= MAX_SORTED)
    return;
  const count = isWhole(filter) ? MAX_SORTED + 1 : await countListed(db, formId, filter, MAX_SORTED + 1);
  if (count <= MAX_SORTED) return;
  const most = MAX_SORTED.toLocaleString('en');
  throw invalid({
    sort: [
      `Up to ${most} submissions can be sorted by a field: narrow the list with from, to, status or filter.`,
    ],
  });
}

/** Whether nothing but the status narrows the list: then the form's counters tell how long it is. */
function isWhole({ search, from, until, beforeId, fields, review, ending }: ListFilter): boolean {
  const isOfAnyTime = from === null && until === null && beforeId === null;
  return search === undefined && isOfAnyTime && fields.length === 0 && review === null && ending === null;
}
