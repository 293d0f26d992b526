import type { Static } from 'typebox';
import { addError, type ErrorBag, type Property } from '../../../fields/property.ts';
import { invalid } from '../../http/errors.ts';
import type { NarrowingQuery } from '../schemas.ts';
import { answerKind, hasFieldFilters, readFieldFilters, readSpan } from './filter.ts';
import type { TextFilter } from './find-page.ts';
import type { ListFilter, ListSort } from './queries.ts';

type Narrowing = Static<typeof NarrowingQuery>;

/** Whether a query asks for only some of the submissions. */
export function isNarrowing(query: Narrowing): boolean {
  const { status, search, from, to, review, ending } = query;
  return (
    Boolean(status || search) ||
    [from, to, review, ending].some((value) => value !== undefined) ||
    hasFieldFilters(query)
  );
}

/** The status and the text of a query. An unknown status counts as `all`. @throws HttpError 422 on `search` */
export function readText({ status, search }: Narrowing): TextFilter {
  // PostgreSQL cannot hold this character in a text.
  if (search?.includes('\0')) throw invalid({ search: ['The search format is invalid.'] });
  return {
    status: status === 'completed' || status === 'partial' ? status : 'all',
    text: search || undefined,
  };
}

/** Everything else that narrows a list; every problem goes to `errors`. */
export function readFilter(
  query: Narrowing,
  fields: readonly Property[],
  status: TextFilter['status'],
  errors: ErrorBag,
): ListFilter {
  return {
    status,
    search: undefined,
    ...readSpan(query, errors),
    beforeId: null,
    fields: readFieldFilters(query, fields, errors),
    review: query.review ?? null,
    ending: query.ending ?? null,
  };
}

/** What a list is sorted by; null, and a problem in `errors`, for an id that no field of the form has or had. */
export function readSort(by: string, fields: readonly Property[], errors: ErrorBag): ListSort | null {
  if (by === 'created_at' || by === 'updated_at') return { by };
  const kind = answerKind(fields, by);
  if (kind) return { by: 'field', id: by, kind };
  addError(errors, 'sort', 'The list can be sorted by created_at, updated_at or the id of a field.');
  return null;
}
