const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/**
 * A second signal this soon is the same one. In a terminal Ctrl-C reaches both the command and npm, which passes it on; a stop of the service
 * (SIGTERM) reaches the backup that it makes, and the service passes it on when it has finished its requests.
 */
const ECHO_MS = { SIGINT: 1_000, SIGHUP: 1_000, SIGTERM: 10_000 } as const;

/** For work that has to clean up: aborts on a signal that would end the process. A second signal ends it. */
export function awaitInterruption(): { signal: AbortSignal; end(): void } {
  const leaving = new AbortController();
  let leavingSince = 0;
  const leave = (signal: (typeof SIGNALS)[number]) => {
    const now = performance.now();
    if (leaving.signal.aborted && now - leavingSince > ECHO_MS[signal]) process.exit(1);
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
