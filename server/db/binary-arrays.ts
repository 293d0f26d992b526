/*
 * Arrays in PostgreSQL's binary format: the number of dimensions, whether any element is null, the type of the elements, how many they
 * are and where they are counted from; then each with its length in front. The driver sends a buffer as binary. Text, JSON above
 * all, would be read by the server character by character, which costs it as much as storing the row.
 */

/** Of the types, as `pg_type` has them. */
const OID = { bool: 16, int8: 20, int4: 23, text: 25, float8: 701 };
const HEAD_BYTES = 20;
const LENGTH_BYTES = 4;
const NULL_LENGTH = -1;
const HIGH_WORD = 2 ** 32;

type Numbers = readonly (number | null)[];

export function int4Array(values: Numbers): Buffer {
  return arrayOf(values, OID.int4, 4, (bytes, value, at) => bytes.writeInt32BE(value, at));
}

/** @param values safe integers */
export function int8Array(values: Numbers): Buffer {
  return arrayOf(values, OID.int8, 8, (bytes, value, at) => {
    const high = Math.floor(value / HIGH_WORD);
    bytes.writeInt32BE(high, at);
    bytes.writeUInt32BE(value - high * HIGH_WORD, at + 4);
  });
}

export function float8Array(values: Numbers): Buffer {
  return arrayOf(values, OID.float8, 8, (bytes, value, at) => bytes.writeDoubleBE(value, at));
}

export function boolArray(values: readonly boolean[]): Buffer {
  return arrayOf(values, OID.bool, 1, (bytes, value, at) => bytes.writeUInt8(value ? 1 : 0, at));
}

export function textArray(values: readonly (string | null)[]): Buffer {
  const lengths = values.map((value) => (value === null ? 0 : Buffer.byteLength(value)));
  const bytes = allocate(
    values,
    OID.text,
    lengths.reduce((sum, length) => sum + length, 0),
  );
  let at = HEAD_BYTES;
  values.forEach((value, index) => {
    const length = lengths[index] ?? 0;
    at = bytes.writeInt32BE(value === null ? NULL_LENGTH : length, at);
    if (value !== null) at += bytes.write(value, at);
  });
  return bytes;
}

function arrayOf<Value>(
  values: readonly (Value | null)[],
  oid: number,
  size: number,
  write: (bytes: Buffer, value: Value, at: number) => void,
): Buffer {
  const present = values.reduce((count, value) => (value === null ? count : count + 1), 0);
  const bytes = allocate(values, oid, present * size);
  let at = HEAD_BYTES;
  for (const value of values) {
    at = bytes.writeInt32BE(value === null ? NULL_LENGTH : size, at);
    if (value === null) continue;
    write(bytes, value, at);
    at += size;
  }
  return bytes;
}

/** With its head written. */
function allocate(values: readonly unknown[], oid: number, size: number): Buffer {
  const bytes = Buffer.allocUnsafe(HEAD_BYTES + values.length * LENGTH_BYTES + size);
  const dimensions = 1;
  const countedFrom = 1;
  let at = bytes.writeInt32BE(dimensions, 0);
  at = bytes.writeInt32BE(values.includes(null) ? 1 : 0, at);
  at = bytes.writeInt32BE(oid, at);
  at = bytes.writeInt32BE(values.length, at);
  bytes.writeInt32BE(countedFrom, at);
  return bytes;
}
