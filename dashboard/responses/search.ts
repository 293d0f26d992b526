import { isJsonObject, type JsonValue } from '../../fields/property.ts';
import { isDay } from '../lib/days.ts';
import { isReviewState, type ReviewState } from './reviews/review-states.ts';

/** A comparison of a question's answers. */
export interface FieldFilter {
  /** Id of the field. */
  id: string;
  operator: string;
  /** Empty if the operator needs no value. */
  value: string;
}

/** What narrows and sorts the list. */
export interface ResponsesSearch {
  /** Completed responses by default. */
  status?: 'partial' | 'all' | undefined;
  /** Review state; any by default. */
  review?: ReviewState | undefined;
  /** Id of the ending that was reached, or `none`; any by default. */
  ending?: string | undefined;
  /** A part of any answer. */
  search?: string | undefined;
  /** Days in the reader's time zone, `YYYY-MM-DD`, both included. */
  from?: string | undefined;
  to?: string | undefined;
  filters?: FieldFilter[] | undefined;
  /** `created_at`, `updated_at` or a field's id; by default the time of submission. */
  sort?: string | undefined;
  /** Descending by default. */
  order?: 'asc' | undefined;
}

/**
 * What the address says of the list. `view` alone stands for what the saved view shows at that moment, so a link to a view stays
 * right. With `changed` the filter beside it is shown instead: the view with unsaved changes.
 */
export interface ResponsesAddress extends ResponsesSearch {
  /** Id of a saved view. */
  view?: number | undefined;
  changed?: true | undefined;
}

/** Characters; limit of the API. */
export const MAX_SEARCH = 200;
/** Ids of endings. */
const ENDING = /^[!-~]{1,64}$/;
/** Most comparisons of one list. */
export const MAX_FILTERS = 20;

/** Reads the address with care, because anybody can write it. */
export function readResponsesAddress(raw: Record<string, unknown>): ResponsesAddress {
  const filter = readResponsesSearch(raw);
  const { view } = raw;
  if (typeof view !== 'number' || !Number.isSafeInteger(view) || view < 1) return filter;
  return raw.changed === true ? { ...filter, view, changed: true } : { view };
}

export function readResponsesSearch(raw: Record<string, unknown>): ResponsesSearch {
  const { status, review, ending, search, from, to, filters, sort, order } = raw;
  const text = typeof search === 'string' || typeof search === 'number' ? String(search) : '';
  const read = Array.isArray(filters) ? filters.flatMap(readFilter).slice(0, MAX_FILTERS) : [];
  return {
    ...((status === 'partial' || status === 'all') && { status }),
    ...(isReviewState(review) && { review }),
    ...((typeof ending === 'string' || typeof ending === 'number') &&
      ENDING.test(String(ending)) && { ending: String(ending) }),
    ...(text.trim() !== '' && { search: text.slice(0, MAX_SEARCH) }),
    ...(isDay(from) && { from }),
    ...(isDay(to) && { to }),
    ...(read.length > 0 && { filters: read }),
    ...((typeof sort === 'string' || typeof sort === 'number') && { sort: String(sort) }),
    ...(order === 'asc' && { order }),
  };
}

/** The trash's page in the address; the first by default. */
export function readTrashSearch({ page }: Record<string, unknown>): { page?: number | undefined } {
  return typeof page === 'number' && Number.isInteger(page) && page > 1 ? { page } : {};
}

/** Whether anything besides the status narrows the list. */
export function isNarrowed({ review, ending, search, from, to, filters }: ResponsesSearch): boolean {
  return Boolean(review || ending || search || from || to || filters);
}

function readFilter(item: JsonValue): FieldFilter[] {
  if (!isJsonObject(item)) return [];
  const { id, operator, value = '' } = item;
  if (typeof id !== 'string' || typeof operator !== 'string' || !/^[a-z_]+$/.test(operator)) return [];
  return typeof value === 'string' ? [{ id, operator, value }] : [];
}
