/** Longest time a stop may take before the process ends anyway. */
const STOP_DEADLINE_MS = 25_000;

/**
 * Resolves when SIGTERM or SIGINT came and `stop` has finished, its deadline passed, or a second signal came.
 * @returns whether `stop` has finished; else what it waits for still runs
 */
export function stopOnSignals(stop: () => Promise<void>, err: (line: string) => void): Promise<boolean> {
  return new Promise((resolve) => {
    let isStopping = false;
    const onSignal = () => {
      if (isStopping) return resolve(false);
      isStopping = true;
      const deadline = setTimeout(() => {
        err('Stopping took too long; ending now.');
        resolve(false);
      }, STOP_DEADLINE_MS);
      stop()
        .then(
          () => resolve(true),
          (error: Error) => {
            err(`Stopping failed: ${error.message}`);
            resolve(false);
          },
        )
        .finally(() => clearTimeout(deadline));
    };
    process.on('SIGTERM', onSignal);
    process.on('SIGINT', onSignal);
  });
}
