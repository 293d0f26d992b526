import { setTimeout as pause } from 'node:timers/promises';

/** Ends what hangs; a busy machine never comes near it. */
const DEADLINE_MS = 60_000;
const PAUSE_MS = 20;

/** What is no answer yet. */
type Nothing = null | undefined | false | 0 | '';

/**
 * Asks again and again until the answer is truthy, and gives it back.
 * @throws Error when `withinMs` have passed; the last answer is in the message
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
