/** Visits remembered; the least recent are forgotten first. */
const MAX_VISITS = 10_000;

/**
 * Counted events of visits without a script, by the random id in their address. They stay in the memory of this process
 * and are never stored.
 */
const told = new Map<string, Set<string>>();

/** Whether this event is new for the visit; false the second time. */
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
