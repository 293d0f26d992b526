import type { Bytes } from './bytes.ts';

/** Equal values from which a run is shorter than packed ones. Packed are always as many, or a multiple. */
const GROUP = 8;

/**
 * Small numbers in the hybrid of run lengths and packed bits (parquet.apache.org/docs/file-format/data-pages/encodings).
 * @param width bits that the largest of them takes, from 1 to 16
 */
export function addRuns(out: Bytes, values: ArrayLike<number>, width: number): void {
  for (let at = 0; at < values.length; ) {
    const run = sameFrom(values, at, values.length);
    if (run >= GROUP) {
      out.varint(run * 2);
      for (let [rest, bits] = [values[at] ?? 0, width]; bits > 0; rest >>>= 8, bits -= 8)
        out.byte(rest & 0xff);
      at += run;
    } else {
      const end = endOfPacked(values, at);
      out.varint(((end - at) / GROUP) * 2 + 1);
      pack(out, values, { from: at, end, width });
      at = end;
    }
  }
}

/** How many equal values follow, counting no further than `most`. */
function sameFrom(values: ArrayLike<number>, from: number, most: number): number {
  const end = Math.min(values.length, from + most);
  let at = from + 1;
  while (at < end && values[at] === values[from]) at += 1;
  return at - from;
}

/** Where the next run begins; the last group may go beyond the last value. */
function endOfPacked(values: ArrayLike<number>, from: number): number {
  let end = from + GROUP;
  while (end < values.length && sameFrom(values, end, GROUP) < GROUP) end += GROUP;
  return end;
}

/** The lowest bits first. */
function pack(
  out: Bytes,
  values: ArrayLike<number>,
  { from, end, width }: { from: number; end: number; width: number },
): void {
  let [bits, count] = [0, 0];
  for (let at = from; at < end; at++) {
    bits |= (values[at] ?? 0) << count;
    for (count += width; count >= 8; count -= 8) {
      out.byte(bits & 0xff);
      bits >>>= 8;
    }
  }
}
