/** Longest time a stop may take before the process ends anyway. */
const STOP_DEADLINE_MS = 25_000;

/** Resolves when SIGTERM or SIGINT came and `stop` has finished, or its deadline passed; a second signal ends it at once. */
export function stopOnSignals(stop: () => Promise<void>, err: (line: string) => void): Promise<void> {
  return new Promise((resolve) => {
    let isStopping = false;
    const onSignal = () => {
      if (isStopping) return resolve();
      isStopping = true;
      const deadline = setTimeout(() => {
        err('Stopping took too long; ending now.');
        resolve();
      }, STOP_DEADLINE_MS);
      stop()
        .catch((error: Error) => err(`Stopping failed: ${error.message}`))
        .finally(() => {
          clearTimeout(deadline);
          resolve();
        });
    };
    process.on('SIGTERM', onSignal);
    process.on('SIGINT', onSignal);
  });
}
