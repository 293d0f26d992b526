/*
 * In place of a form that is not open yet: says when, in the visitor's zone, and shows the form when that has come.
 */

/** Visitors who wait for the same moment do not all ask in it. */
const SPREAD_MS = 3_000;
/** The longest that a timer can wait. */
const MAX_WAIT_MS = 2 ** 31 - 1;

const time = document.querySelector<HTMLTimeElement>('time[data-opens]');
if (time) {
  const { lang } = document.documentElement;
  const format = new Intl.DateTimeFormat(lang, { dateStyle: 'long', timeStyle: 'short' });
  const opensAt = new Date(time.dateTime);
  time.textContent = (time.dataset.opens ?? '').replace('{date}', () => format.format(opensAt));
  const waitMs = opensAt.getTime() - Date.now() + Math.random() * SPREAD_MS;
  // A clock that is ahead comes too early: it is told again, and waits a little longer.
  if (waitMs < MAX_WAIT_MS) setTimeout(() => location.reload(), Math.max(waitMs, SPREAD_MS));
}
