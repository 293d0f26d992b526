/** Responses per call. */
const PER_CALL = 100;

/** Splits ids into batches, for calls that succeed or fail as a whole. */
export function* inBatches(ids: readonly number[], size = PER_CALL): Generator<number[]> {
  for (let start = 0; start < ids.length; start += size) yield ids.slice(start, start + size);
}
