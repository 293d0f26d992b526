import { refresh } from './live.ts';
import { WORKER } from './offline/addresses.ts';
import { type Page, recompile } from './page.ts';
import { findProblems, problemsOf, showProblems } from './problems.ts';

/** Milliseconds by which the device's clock may differ from the service's. */
const TOLERANCE_MS = 60_000;
/** Options that compare an answer with today. */
const BY_TODAY = ['disable_past_dates', 'disable_future_dates'];

/** Where the device's clock is wrong, only the service judges whether a day is past or still to come. */
export async function checkClock(page: Page): Promise<void> {
  const { data } = page;
  const timeless = JSON.stringify(data.properties, (key, value) =>
    BY_TODAY.includes(key) ? undefined : value,
  );
  if (timeless === JSON.stringify(data.properties)) return;
  // The worker's script, because no cache keeps it.
  const { headers } = await fetch(WORKER, { method: 'HEAD', cache: 'no-store' });
  const differsBy = Date.parse(headers.get('date') ?? '') - Date.now();
  if (!(Math.abs(differsBy) > TOLERANCE_MS)) return;
  page.data = { ...data, properties: JSON.parse(timeless) };
  recompile(page);
  refresh(page);
  const told = page.problems;
  showProblems(
    page,
    problemsOf(findProblems(page), (id) => Object.hasOwn(told, id)),
  );
}
