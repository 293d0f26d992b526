const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** In a terminal Ctrl-C reaches the command and npm, which hands it on: what comes so soon after the first is the same one. */
const ECHO_MS = 1_000;

/** For work that has something to clear away: aborted by a signal that would end the process. A second signal ends it. */
export function awaitInterruption(): { signal: AbortSignal; end(): void } {
  const leaving = new AbortController();
  let leavingSince = 0;
  const leave = () => {
    const now = performance.now();
    if (leaving.signal.aborted && now - leavingSince > ECHO_MS) process.exit(1);
    leavingSince ||= now;
    leaving.abort();
  };
  for (const signal of SIGNALS) process.on(signal, leave);
  return {
    signal: leaving.signal,
    end() {
      for (const signal of SIGNALS) process.off(signal, leave);
    },
  };
}
