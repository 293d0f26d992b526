/** Visits remembered; those heard of longest ago are forgotten first. */
const MAX_VISITS = 10_000;

/**
 * What was counted of visits without a script, by the random id in their address. It stays in the memory of this process
 * and is never stored.
 */
const told = new Map<string, Set<string>>();

/** Whether this is news of the visit; the second time it is not. */
export function firstTime(visitId: string, news: string): boolean {
  const known = told.get(visitId) ?? new Set();
  told.delete(visitId);
  told.set(visitId, known);
  const [oldest] = told.keys();
  if (told.size > MAX_VISITS && oldest !== undefined) told.delete(oldest);
  if (known.has(news)) return false;
  known.add(news);
  return true;
}
