let ended: Promise<void> | null = null;

/**
 * Resolves when this turn of the event loop has read everything that arrived, for all callers in that turn. Their next
 * steps then run one after the other, the same step for all, so code and data stay in the processor's caches.
 */
export function endOfTurn(): Promise<void> {
  ended ??= new Promise((resolve) => {
    setImmediate(() => {
      ended = null;
      resolve();
    });
  });
  return ended;
}
