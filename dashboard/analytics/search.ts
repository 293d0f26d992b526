import { type RangeSearch, readRangeSearch } from './range.ts';

/** Analytics settings in the address. */
export interface AnalyticsSearch extends RangeSearch {
  partials?: true | undefined;
}

/** Days shown by default. */
export const USUAL_DAYS = 30;

export function readAnalyticsSearch(raw: Record<string, unknown>): AnalyticsSearch {
  const { partials } = raw;
  return {
    ...readRangeSearch(raw, USUAL_DAYS),
    ...((partials === true || partials === 'true') && { partials: true as const }),
  };
}
