const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** In a terminal Ctrl-C reaches both the command and npm, which passes it on: a second signal this soon is the same one. */
const ECHO_MS = 1_000;

/** For work that has to clean up: aborts on a signal that would end the process. A second signal ends it. */
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
