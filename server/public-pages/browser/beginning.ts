import type { Page } from './page.ts';

/** Query keys that belong to a single visit. */
const OF_A_VISIT = ['visit', 'at', 'step', 'submission_id', 'submission_hash'];

/** The form's address for a new visit: it keeps the prefilled values and drops the keys of this visit. */
export function beginningOf(page: Page): string {
  const query = new URLSearchParams(location.search);
  for (const key of OF_A_VISIT) query.delete(key);
  return `${pathOf(page)}${query.size > 0 ? `?${query}` : ''}`;
}

/** The form's path, as it was opened: a stored page is found by no other. This page may be its thanks. */
export function pathOf({ data }: Page): string {
  return /^\/forms\/[^/]+$/.test(location.pathname) ? location.pathname : `/forms/${data.slug}`;
}
