import type { Page } from './page.ts';

/** Keys of the address that belong to a visit. */
const OF_A_VISIT = ['visit', 'at', 'step', 'submission_id', 'submission_hash'];

/** The address of the form as another visit finds it: with what this one's fills in, without what belongs to this one. */
export function beginningOf({ data }: Page): string {
  const query = new URLSearchParams(location.search);
  for (const key of OF_A_VISIT) query.delete(key);
  return `/forms/${data.slug}${query.size > 0 ? `?${query}` : ''}`;
}
