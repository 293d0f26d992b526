import { isJsonObject, type JsonValue } from '../../fields/property.ts';
import { isDay } from '../lib/days.ts';
import { isReviewState, type ReviewState } from './review-states.ts';

/** A comparison of the answers to one question. */
export interface FieldFilter {
  /** Of the field. */
  id: string;
  operator: string;
  /** Empty where nothing is compared with. */
  value: string;
}

/** What the address of the responses says, read with care: anybody can type anything there. */
export interface ResponsesSearch {
  /** Completed ones when it is not said. */
  status?: 'partial' | 'all' | undefined;
  /** What the team has decided; anything when it is not said. */
  review?: ReviewState | undefined;
  /** Part of any answer. */
  search?: string | undefined;
  /** Days of the reader, `YYYY-MM-DD`, both included. */
  from?: string | undefined;
  to?: string | undefined;
  filters?: FieldFilter[] | undefined;
  /** `created_at`, `updated_at` or the id of a field; the time they were sent when it is not said. */
  sort?: string | undefined;
  /** From the greatest to the least when it is not said. */
  order?: 'asc' | undefined;
}

/** Characters; the API takes no more. */
export const MAX_SEARCH = 200;
/** Comparisons of one list. */
export const MAX_FILTERS = 20;

export function readResponsesSearch(raw: Record<string, unknown>): ResponsesSearch {
  const { status, review, search, from, to, filters, sort, order } = raw;
  const text = typeof search === 'string' || typeof search === 'number' ? String(search) : '';
  const read = Array.isArray(filters) ? filters.flatMap(readFilter).slice(0, MAX_FILTERS) : [];
  return {
    ...((status === 'partial' || status === 'all') && { status }),
    ...(isReviewState(review) && { review }),
    ...(text.trim() !== '' && { search: text.slice(0, MAX_SEARCH) }),
    ...(isDay(from) && { from }),
    ...(isDay(to) && { to }),
    ...(read.length > 0 && { filters: read }),
    ...((typeof sort === 'string' || typeof sort === 'number') && { sort: String(sort) }),
    ...(order === 'asc' && { order }),
  };
}

/** Which page of the trash the address names; the first when it is not said. */
export function readTrashSearch({ page }: Record<string, unknown>): { page?: number | undefined } {
  return typeof page === 'number' && Number.isInteger(page) && page > 1 ? { page } : {};
}

/** Whether anything but the status narrows the list. */
export function isNarrowed({ review, search, from, to, filters }: ResponsesSearch): boolean {
  return Boolean(review || search || from || to || filters);
}

function readFilter(item: JsonValue): FieldFilter[] {
  if (!isJsonObject(item)) return [];
  const { id, operator, value = '' } = item;
  if (typeof id !== 'string' || typeof operator !== 'string' || !/^[a-z_]+$/.test(operator)) return [];
  return typeof value === 'string' ? [{ id, operator, value }] : [];
}
