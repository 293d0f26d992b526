import { setTimeout as pause } from 'node:timers/promises';

/** Ends a wait that hangs; even a busy machine needs far less. */
const DEADLINE_MS = 60_000;
const PAUSE_MS = 20;

/** Values that mean "no answer yet". */
type Nothing = null | undefined | false | 0 | '';

/**
 * Asks again and again until the answer is truthy, and returns it.
 * @throws Error with the last answer when `withinMs` have passed
 */
export async function until<T>(
  question: () => Promise<T> | T,
  { withinMs = DEADLINE_MS, what = 'the condition' } = {},
): Promise<Exclude<T, Nothing>> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const answer = await question();
    if (answer) return answer as Exclude<T, Nothing>;
    if (performance.now() > deadline)
      throw new Error(`${what} did not come true within ${withinMs} ms; last: ${JSON.stringify(answer)}`);
    await pause(PAUSE_MS);
  }
}
