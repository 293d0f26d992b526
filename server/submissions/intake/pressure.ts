/** Whether submissions queue up in front of the intake, so that what can wait should. */
export interface IntakePressure {
  /** One batch of so many submissions was stored. */
  flushed(batchSize: number): void;
  isHigh(): boolean;
}

/** Submissions that share a statement, in the mean of the last few, when more arrive than are stored one by one. */
const HIGH_BATCH = 6;
/** Weight of the last batch in the mean. */
const WEIGHT = 0.2;
/** Milliseconds without a batch after which nobody waits. */
const QUIET_MS = 50;

export function createIntakePressure(): IntakePressure {
  let mean = 0;
  let lastAt = Number.NEGATIVE_INFINITY;
  const isQuiet = () => performance.now() - lastAt > QUIET_MS;
  return {
    flushed(batchSize) {
      mean = isQuiet() ? batchSize * WEIGHT : mean + (batchSize - mean) * WEIGHT;
      lastAt = performance.now();
    },
    isHigh: () => mean >= HIGH_BATCH && !isQuiet(),
  };
}
