import { answeringTimes, timeAnswers } from './answering-time.ts';
import { actionOf, type Page } from './page.ts';

interface News {
  started?: true;
  steps: number[];
  fields: string[];
  left?: number;
  /** Milliseconds by field. */
  times?: Record<string, number>;
}

/** What happened in this visit that the service was not told of yet; see `POST /forms/:form/progress`. */
let news: News = { steps: [], fields: [] };
/** Steps and fields that were told, or are news. */
const known = new Set<string | number>();
let isFollowed = false;
let hasLeft = false;
let isSent = false;

/** Notes that a field was answered or a step shown; each is told once, and nothing of the answer. */
function reportProgress(what: { field: string } | { step: number }): void {
  const place = 'field' in what ? `field ${what.field}` : what.step;
  if (known.has(place) || place === 0) return;
  if ('step' in what) news.steps.push(what.step);
  else {
    if (![...known].some((other) => typeof other === 'string')) news.started = true;
    news.fields.push(what.field);
  }
  known.add(place);
}

/** Tells what is new. A beacon is sent also by a page that is being left, and nothing waits for it. */
function tellNews(page: Page): void {
  const { steps, fields, left, times } = news;
  if (steps.length + fields.length === 0 && left === undefined && times === undefined) return;
  navigator.sendBeacon(`${actionOf(page).pathname}/progress`, JSON.stringify(news));
  news = { steps: [], fields: [] };
}

/** From now on the service hears how far this visit comes: at every step, when it is hidden, left or sent. */
export function followProgress(page: Page): void {
  // An answer that is corrected is no new one.
  if (isFollowed || actionOf(page).searchParams.has('submission_id')) return;
  isFollowed = true;
  timeAnswers(page);
  const look = () => {
    for (const field of page.touched) reportProgress({ field });
    reportProgress({ step: page.step });
  };
  look();
  page.listeners.push((event) => {
    look();
    if (event === 'sent' || event === 'kept') hasLeft = true;
    // Pressed again while the site it leads to is slow to come, it is the same form.
    if (event === 'sent' && !isSent) {
      news.times = answeringTimes(page);
      isSent = true;
    }
    if (event !== 'change') tellNews(page);
  });
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') tellNews(page);
  });
  addEventListener('pagehide', () => {
    if (!hasLeft) news.left = page.step;
    hasLeft = true;
    tellNews(page);
  });
}
