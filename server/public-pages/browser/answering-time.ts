import type { Page } from './page.ts';

/** Milliseconds without anything done after which somebody was doing something else. */
const PAUSE_MS = 5 * 60_000;
/** What is done at a question. Not `change`: of a text it comes when the field is left, for another that was read meanwhile. */
const SIGNS = ['pointerdown', 'focusin', 'keydown', 'input'];

/** Milliseconds spent on each field so far, by its id. */
const spent = new Map<string, number>();
/** The last thing that was done, by `performance.now()`, which begins with the page; later by as long as nobody saw the page since. */
let doneAt = 0;
/** When the page was lost from sight, or else when this began. */
let lostAt = 0;

/**
 * From now on knows how long each question takes: the time that goes by until something is done at it counts for it, reading
 * included. Pauses do not count, nor does the time in which nobody sees the page.
 */
export function timeAnswers({ form, touched, listeners, seenAt }: Page): void {
  const [first] = touched;
  doneAt = seenAt ?? 0;
  note(first);
  lostAt = doneAt;
  for (const sign of SIGNS)
    form.addEventListener(sign, ({ target }) =>
      note((target as Element).closest<HTMLElement>('[data-block]')?.dataset.block),
    );
  // Another step: what went by until then was for no question of it.
  listeners.push((event) => {
    if (event === 'step') note(undefined);
  });
  document.addEventListener('visibilitychange', () => {
    const now = performance.now();
    if (document.hidden) lostAt = now;
    else doneAt += now - lostAt;
  });
}

/** Milliseconds by the id of each field that somebody changed: one that was only passed on the way took no time to answer. */
export function answeringTimes({ touched }: Page): Record<string, number> {
  const answered = [...spent].filter(([field]) => touched.has(field));
  return Object.fromEntries(answered.map(([field, time]) => [field, Math.ceil(time)]));
}

function note(field: string | undefined): void {
  const now = performance.now();
  const passed = now - doneAt;
  doneAt = now;
  if (field !== undefined && passed <= PAUSE_MS) spent.set(field, (spent.get(field) ?? 0) + passed);
}
