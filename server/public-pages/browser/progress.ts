import { isBlank } from '../../../fields/block-options/options.ts';
import { answeringTimes, timeAnswers } from './answering-time.ts';
import { actionOf, answersOf, type Page, setAction } from './page.ts';

interface News {
  started?: true;
  steps: number[];
  fields: string[];
  left?: number;
  /** Milliseconds by field id. */
  times?: Record<string, number>;
}

/** Progress of this visit that the service does not know yet; see `POST /forms/:form/progress`. */
let news: News = { steps: [], fields: [] };
/** Steps and fields already reported, or waiting to be. */
const known = new Set<string | number>();
let isFollowed = false;
let hasLeft = false;
let isSent = false;

/** Notes once that a field was answered or a step shown, but nothing of the answer. */
function noteProgress(what: { field: string } | { step: number }): void {
  const place = 'field' in what ? `field ${what.field}` : what.step;
  if (known.has(place) || place === 0) return;
  if ('step' in what) news.steps.push(what.step);
  else {
    if (![...known].some((other) => typeof other === 'string')) news.started = true;
    news.fields.push(what.field);
  }
  known.add(place);
}

/** Reports what is new by a beacon: that is sent even while the page is left, and delays nothing. */
function reportNews(page: Page): void {
  const { steps, fields, left, times } = news;
  if (steps.length + fields.length === 0 && left === undefined && times === undefined) return;
  navigator.sendBeacon(`${actionOf(page).pathname}/progress`, JSON.stringify(news));
  news = { steps: [], fields: [] };
}

/** Reports how far this visit comes from now on: at every step, and when the page is hidden, left or sent. */
export function followProgress(page: Page): void {
  // Editing a submission is not a new visit.
  if (isFollowed || actionOf(page).searchParams.has('submission_id')) return;
  isFollowed = true;
  timeAnswers(page);
  // The service knows what was sent with another page of this visit, as that of another language.
  if (page.data.drafted && new URLSearchParams(location.search).has('visit')) {
    known.add(page.step);
    for (const [id, answer] of Object.entries(answersOf(page)))
      if (!isBlank(answer)) known.add(`field ${id}`);
  }
  const look = () => {
    for (const field of page.touched) noteProgress({ field });
    noteProgress({ step: page.step });
  };
  look();
  page.listeners.push((event) => {
    look();
    if (event === 'sent' || event === 'kept') hasLeft = true;
    // Only the first press counts: it may be repeated while the next page is slow to load.
    if (event === 'sent' && !isSent) {
      news.times = answeringTimes(page);
      isSent = true;
    }
    if (event !== 'change') reportNews(page);
  });
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') reportNews(page);
  });
  // Whoever sends the form without the script, or asks for another language, goes on.
  page.form.addEventListener('submit', ({ defaultPrevented }) => {
    if (defaultPrevented) return;
    hasLeft = true;
    reportNews(page);
    const action = actionOf(page);
    action.searchParams.set('followed', '1');
    setAction(page, action);
  });
  addEventListener('pagehide', () => {
    if (!hasLeft) news.left = page.step;
    hasLeft = true;
    reportNews(page);
  });
}
