import { setTimeout as wait } from 'node:timers/promises';

/** After each step it rests so many times as long: it never takes more than a tenth of a processor from the intake. */
const REST = 9;
/** Between two looks whether submissions still queue up. */
const PAUSE_MS = 250;
/** What one run takes on, less than the minute until the next; that one goes on with it, and other jobs have their turn. */
const MAX_RUN_MS = 50_000;

export interface Surroundings {
  stopping?: AbortSignal | undefined;
  /** Submissions queue up: a step is taken, then none until they do not. */
  isUnderPressure?: (() => boolean) | undefined;
}

/**
 * Works on forms in turns, one step each, until there is nothing left to do or the time is up.
 * @param takeStep resolves to whether there may be more to do for the form
 */
export async function workUnhurried(
  formIds: readonly number[],
  takeStep: (formId: number) => Promise<boolean>,
  { stopping, isUnderPressure = () => false }: Surroundings,
): Promise<void> {
  const end = performance.now() + MAX_RUN_MS;
  // A stop waits for the step under way, never for a rest.
  const rest = (milliseconds: number) => wait(milliseconds, undefined, { signal: stopping }).catch(() => {});
  let waiting = formIds;
  while (waiting.length > 0) {
    const unfinished: number[] = [];
    for (const formId of waiting) {
      if (stopping?.aborted || performance.now() > end) return;
      const startedAt = performance.now();
      if (!(await takeStep(formId))) continue;
      unfinished.push(formId);
      await rest(REST * (performance.now() - startedAt));
      while (isUnderPressure() && !stopping?.aborted && performance.now() < end) await rest(PAUSE_MS);
    }
    waiting = unfinished;
  }
}
