/*
 * Shown in place of a form that is not open yet: says when it opens, in the visitor's time zone, and loads it then.
 */

/** Visitors who wait for the same moment reload spread over so many milliseconds. */
const SPREAD_MS = 3_000;
/** The longest delay of a timer, in milliseconds. */
const MAX_WAIT_MS = 2 ** 31 - 1;

const time = document.querySelector<HTMLTimeElement>('time[data-opens]');
if (time) {
  const { lang } = document.documentElement;
  const format = new Intl.DateTimeFormat(lang, { dateStyle: 'long', timeStyle: 'short' });
  const opensAt = new Date(time.dateTime);
  time.textContent = (time.dataset.opens ?? '').replace('{date}', () => format.format(opensAt));
  const waitMs = opensAt.getTime() - Date.now() + Math.random() * SPREAD_MS;
  // With a clock that is ahead the reload comes too early: the page is shown again, and waits a little longer.
  if (waitMs < MAX_WAIT_MS) setTimeout(() => location.reload(), Math.max(waitMs, SPREAD_MS));
}
