/** Longest time a stop may take before the process ends anyway. */
const STOP_DEADLINE_MS = 25_000;

/** In a terminal Ctrl-C reaches the service and npm, which hands it on: what comes so soon after the first is the same one. */
const ECHO_MS = 1_000;

/**
 * Resolves when SIGTERM or SIGINT came and `stop` has finished, its deadline passed, or a second signal came.
 * @returns whether `stop` has finished; else what it waits for still runs
 */
export function stopOnSignals(stop: () => Promise<void>, err: (line: string) => void): Promise<boolean> {
  return new Promise((resolve) => {
    let stoppingSince: number | null = null;
    const onSignal = () => {
      const now = performance.now();
      if (stoppingSince !== null) return now - stoppingSince < ECHO_MS ? undefined : resolve(false);
      stoppingSince = now;
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
