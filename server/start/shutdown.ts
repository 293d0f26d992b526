/** Longest time a stop may take before the process ends anyway. */
const STOP_DEADLINE_MS = 25_000;

/** In a terminal Ctrl-C reaches both the service and npm, which passes it on: a second signal this soon is the same one. */
const ECHO_MS = 1_000;

/**
 * Resolves when after SIGTERM or SIGINT `stop` has finished, its deadline has passed, or a second signal has come.
 * @returns whether `stop` has finished; otherwise its work still runs
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
