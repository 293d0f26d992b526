/** Tells whether submissions queue up in front of the intake, so that other work can wait. */
interface IntakePressure {
  /** To be called after each batch. */
  flushed(batchSize: number): void;
  isHigh(): boolean;
}

/** Submissions per statement, in the mean of the last few statements, from which on the pressure is high. */
const HIGH_BATCH = 6;
/** Weight of the last batch in the mean. */
const WEIGHT = 0.2;
/** Milliseconds without a batch after which the pressure is over. */
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
