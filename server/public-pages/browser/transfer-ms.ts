/** The least time allowed for a transfer, in milliseconds. */
const LEAST_MS = 60_000;
/** Bytes per millisecond: a slower connection counts as none. */
const SLOWEST = 16;

/** Time limit in milliseconds for a transfer that can be repeated later. */
export function transferMs(bytes: number): number {
  return LEAST_MS + bytes / SLOWEST;
}
