import { setTimeout as wait } from 'node:timers/promises';
import { Failures } from './go-on.ts';

/** Rests nine times as long as each step took: at most a tenth of a processor is taken from the intake. */
const REST = 9;
/** Interval of checks whether submissions still queue up. */
const PAUSE_MS = 250;
/** Limit of one run, less than the minute until the next one, which continues; other jobs get their turn in between. */
const MAX_RUN_MS = 50_000;

export interface Surroundings {
  stopping?: AbortSignal | undefined;
  /** While submissions queue up, no further step is taken after the present one. */
  isUnderPressure?: (() => boolean) | undefined;
}

/**
 * Works on forms in turns, one step each, until nothing is left or the time is up. A form whose step fails is left to the next run.
 * @param takeStep resolves to whether there may be more to do for the form
 * @throws FormsFailed at the end
 */
export async function workUnhurried(
  formIds: readonly number[],
  takeStep: (formId: number) => Promise<boolean>,
  { stopping, isUnderPressure = () => false }: Surroundings,
): Promise<void> {
  const end = performance.now() + MAX_RUN_MS;
  // A stop waits for the present step, never for a rest.
  const rest = (milliseconds: number) => wait(milliseconds, undefined, { signal: stopping }).catch(() => {});
  const failures = new Failures();
  const isOver = () => stopping?.aborted || performance.now() > end;
  let waiting = formIds;
  while (waiting.length > 0) {
    const unfinished: number[] = [];
    for (const formId of waiting) {
      if (isOver()) return failures.report();
      const startedAt = performance.now();
      const hasMore = await takeStep(formId).catch((error: unknown) => failures.note(formId, error));
      if (!hasMore) continue;
      unfinished.push(formId);
      await rest(REST * (performance.now() - startedAt));
      while (isUnderPressure() && !isOver()) await rest(PAUSE_MS);
    }
    waiting = unfinished;
  }
  failures.report();
}
