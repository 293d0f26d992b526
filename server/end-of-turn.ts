let ended: Promise<void> | null = null;

/**
 * Resolves when this turn of the event loop has read what had arrived, for everybody who asked in it. What they do then they do
 * one after the other, each step of all before the next one, by code and data that the processor has at hand.
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
