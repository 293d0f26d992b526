import type { Static } from 'typebox';
import type { ErrorBag, Property } from '../../../fields/property.ts';
import { invalid } from '../../http/errors.ts';
import type { NarrowingQuery } from '../schemas.ts';
import { hasFieldFilters, readFieldFilters, readSpan } from './filter.ts';
import type { TextFilter } from './find-page.ts';
import type { ListFilter } from './queries.ts';

type Narrowing = Static<typeof NarrowingQuery>;

/** Whether a query asks for only some of the submissions. */
export function isNarrowing(query: Narrowing): boolean {
  const { status, search, from, to, review } = query;
  return (
    Boolean(status || search) ||
    [from, to, review].some((value) => value !== undefined) ||
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
  };
}
