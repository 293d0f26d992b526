import { type RangeSearch, readRangeSearch } from '../analytics/range.ts';

/** What the forms can be sorted by. */
const SORTS = ['title', 'last_day_completed', 'completed', 'change', 'views', 'completion_rate'] as const;
export type Sort = (typeof SORTS)[number];

/** The overview's days and the order of its forms in the address. */
export interface OverviewSearch extends RangeSearch {
  /** Completed responses by default. */
  sort?: Sort | undefined;
  /** Titles from Z, figures from the least. */
  reversed?: true | undefined;
}

/** Days shown by default. */
export const USUAL_DAYS = 7;

export function readOverviewSearch(raw: Record<string, unknown>): OverviewSearch {
  const { sort, reversed } = raw;
  return {
    ...readRangeSearch(raw, USUAL_DAYS),
    ...(SORTS.some((known) => known === sort) && { sort: sort as Sort }),
    ...((reversed === true || reversed === 'true') && { reversed: true as const }),
  };
}
