import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { workUnhurried } from '../../server/jobs/unhurried.ts';

const STEP_MS = 300;

test('a stop waits for the step under way, not for the rest after it', async () => {
  const stop = new AbortController();
  const rested = Promise.withResolvers<void>();
  const working = workUnhurried(
    [1],
    async () => {
      await wait(STEP_MS);
      setImmediate(rested.resolve);
      return true;
    },
    { stopping: stop.signal },
  );
  await rested.promise;
  const startedAt = performance.now();
  stop.abort();
  await working;
  // The rest would take nine times as long as the step.
  expect(performance.now() - startedAt).toBeLessThan(STEP_MS * 8);
});

test('a stop does not wait until submissions queue up no more', async () => {
  const stop = new AbortController();
  const steps: number[] = [];
  const working = workUnhurried([1], async (formId) => steps.push(formId) > 0, {
    stopping: stop.signal,
    isUnderPressure() {
      stop.abort();
      return true;
    },
  });
  await working;
  expect(steps).toEqual([1]);
});
