/** Milliseconds that a message may take at all. */
const LEAST_MS = 60_000;
/** Bytes a millisecond: what is slower is no network. */
const SLOWEST = 16;

/** How long something may be on its way that can be sent again later, in milliseconds. */
export function transferMs(bytes: number): number {
  return LEAST_MS + bytes / SLOWEST;
}
