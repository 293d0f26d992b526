import { beginningOf } from './beginning.ts';
import { readKept } from './kept.ts';
import { actionOf, type Page, setAction } from './page.ts';
import { fieldsWithFiles } from './values.ts';

/** Query keys that make the same answers, sent once more, the same submission. */
const OF_A_SENDING = ['visit', 'sending'];

/**
 * Lets a page that the service has filled in be the same one after a reload: where the first sending was lost on the way, the second
 * is no other submission. Somebody else who opens its address has another, which begins now.
 */
export function stayOneSending(page: Page): void {
  const [opening] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  const { form, data } = page;
  const [key, sentKey] = [`sending:${data.uuid}`, `sent-on:${data.uuid}`];
  const action = actionOf(page);
  const { searchParams } = action;
  try {
    const known = opening?.type === 'navigate' ? null : sessionStorage.getItem(key);
    page.ownsDraft = known !== null || sentKey in sessionStorage;
    sessionStorage.removeItem(sentKey);
    for (const [name, value] of new URLSearchParams(known ?? '')) searchParams.set(name, value);
    if (data.drafted && !page.ownsDraft) searchParams.set('at', `${Math.floor(Date.now() / 1000)}`);
    setAction(page, action);
    const own = OF_A_SENDING.map((name) => [name, searchParams.get(name) ?? '']);
    if (searchParams.has('sending')) sessionStorage.setItem(key, `${new URLSearchParams(own)}`);
    else sessionStorage.removeItem(key);
    page.listeners.push((event) => {
      if (event === 'sent' || event === 'kept') sessionStorage.removeItem(key);
    });
    form.addEventListener('submit', ({ defaultPrevented }) => {
      if (!defaultPrevented) sessionStorage.setItem(sentKey, '');
    });
  } catch {
    // Storage is forbidden: after a reload it is another page.
  }
}

/**
 * Takes the visit out of the address, so that who copies it passes on no answers. Only if a reload brings everything back without it.
 */
export function hideVisit(page: Page): void {
  const { data } = page;
  const query = new URLSearchParams(location.search);
  const isFilledIn = data.drafted || query.has('submission_hash');
  if (!query.has('visit') || data.editing || (isFilledIn && !isAllKept(page))) return;
  history.replaceState(history.state, '', beginningOf(page));
}

/** Whether the device keeps all that the service has filled in. */
function isAllKept(page: Page): boolean {
  const { form, data } = page;
  const { drafted } = form.dataset;
  if (drafted === undefined || readKept(data.uuid)?.draft !== drafted) return false;
  const given = new URLSearchParams(location.search);
  const unkept = form.querySelectorAll<HTMLInputElement>('[data-secret],.blocks>[type=hidden]');
  return (
    fieldsWithFiles(page).length === 0 &&
    [...unkept].every(({ name, value }) => value === '' || given.has(name))
  );
}
