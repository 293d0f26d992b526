/** Ids in parts of so many, for calls that are all or nothing. */
export function* inBatches(ids: readonly number[], size: number): Generator<number[]> {
  for (let start = 0; start < ids.length; start += size) yield ids.slice(start, start + size);
}
