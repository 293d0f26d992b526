import type { Page } from './page.ts';

/** After so many milliseconds without any action the visitor is taken to have done something else. */
const PAUSE_MS = 5 * 60_000;
/**
 * Events that count as an action at a question. Not `change`: for a text it comes only when the field is left, perhaps after
 * reading another.
 */
const SIGNS = ['pointerdown', 'focusin', 'keydown', 'input'];

/** Milliseconds spent on each field so far, by its id. */
const spent = new Map<string, number>();
/**
 * Time of the last action, by `performance.now()`, which begins with the page; moved on by the time the page was out of sight
 * since.
 */
let doneAt = 0;
/** When the page went out of sight, or when this part was loaded. */
let lostAt = 0;

/**
 * Measures from now on how long each question takes: the time until an action at a question counts for that question, reading
 * included. Pauses do not count, nor does time when the page is out of sight.
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
  // A new step is shown: the time before it belongs to none of its questions.
  listeners.push((event) => {
    if (event === 'step') note(undefined);
  });
  document.addEventListener('visibilitychange', () => {
    const now = performance.now();
    if (document.hidden) lostAt = now;
    else doneAt += now - lostAt;
  });
}

/** Milliseconds by the id of each field that the visitor changed; a field only passed on the way took no time to answer. */
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
