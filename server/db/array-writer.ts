/** Object ids of the element types; every PostgreSQL has the same (pg_type.dat). */
const OIDS = { bool: 16, bytea: 17, int8: 20, int4: 23, text: 25, float8: 701, jsonb: 3802 };
/** Five Int32: number of dimensions, flags, element type, and the length and lower bound of the only dimension. */
const HEAD_BYTES = 20;
/** In front of each element. */
const LENGTH_BYTES = 4;
const NULL_LENGTH = -1;
/** The first byte of each jsonb value. */
const JSONB_VERSION = 1;
/** For one UTF-16 code unit. */
const MAX_UTF8_BYTES = 3;
const FIRST_BYTES = 64 * 1024;
/** A buffer larger than this is replaced by a small one after use. */
const MAX_KEPT_BYTES = 8 * 1024 * 1024;

/**
 * Writes arrays in PostgreSQL's binary format (`array_recv`), as parameters of a statement. As text or JSON they would be
 * escaped here and parsed letter by letter there, which costs more than the statement itself.
 *
 * One writer serves one statement after the other: after `reset` the next arrays overwrite the last ones. V8 counts buffers when it
 * decides to collect garbage, although they lie outside its heap: with a new buffer for each batch the collector took a third of the
 * service's processor time.
 */
export class ArrayWriter {
  #bytes = Buffer.allocUnsafeSlow(FIRST_BYTES);
  #end = 0;
  /** Bytes asked for since the last `reset`. */
  #asked = 0;

  reset(): void {
    if (this.#bytes.length > MAX_KEPT_BYTES) this.#bytes = Buffer.allocUnsafeSlow(FIRST_BYTES);
    this.#end = 0;
    this.#asked = 0;
  }

  bool(values: readonly boolean[]): Buffer {
    return this.#array(OIDS.bool, values, values.length, (value, at) => {
      this.#bytes[at] = Number(value);
      return 1;
    });
  }

  int4(values: readonly (number | null)[]): Buffer {
    return this.#array(OIDS.int4, values, 4 * values.length, (value, at) => {
      this.#bytes.writeInt32BE(value, at);
      return 4;
    });
  }

  /** @param values whole numbers from 0 to 2^53 */
  int8(values: readonly number[]): Buffer {
    return this.#array(OIDS.int8, values, 8 * values.length, (value, at) => {
      this.#bytes.writeUInt32BE(Math.floor(value / 2 ** 32), at);
      this.#bytes.writeUInt32BE(value % 2 ** 32, at + 4);
      return 8;
    });
  }

  float8(values: readonly (number | null)[]): Buffer {
    return this.#array(OIDS.float8, values, 8 * values.length, (value, at) => {
      this.#bytes.writeDoubleBE(value, at);
      return 8;
    });
  }

  bytea(values: readonly (Buffer | null)[]): Buffer {
    const size = values.reduce((sum, value) => sum + (value?.length ?? 0), 0);
    return this.#array(OIDS.bytea, values, size, (value, at) => value.copy(this.#bytes, at));
  }

  text(values: readonly (string | null)[]): Buffer {
    return this.#array(OIDS.text, values, maxBytesOf(values), (value, at) => this.#bytes.write(value, at));
  }

  /** @param values JSON texts */
  jsonb(values: readonly (string | null)[]): Buffer {
    return this.#array(OIDS.jsonb, values, maxBytesOf(values) + values.length, (value, at) => {
      this.#bytes[at] = JSONB_VERSION;
      return 1 + this.#bytes.write(value, at + 1);
    });
  }

  /**
   * @param maxBytes upper bound for all values together
   * @param write puts a value into the bytes and returns how many it took
   */
  #array<Value>(
    elementType: number,
    values: readonly (Value | null)[],
    maxBytes: number,
    write: (value: Value, at: number) => number,
  ): Buffer {
    this.#makeRoom(HEAD_BYTES + LENGTH_BYTES * values.length + maxBytes);
    const start = this.#end;
    const hasNull = values.includes(null);
    for (const number of [1, Number(hasNull), elementType, values.length, 1]) this.#writeInt(number);
    for (const value of values) {
      const length = value === null ? NULL_LENGTH : write(value, this.#end + LENGTH_BYTES);
      this.#writeInt(length);
      this.#end += Math.max(length, 0);
    }
    return this.#bytes.subarray(start, this.#end);
  }

  #writeInt(number: number): void {
    this.#end = this.#bytes.writeInt32BE(number, this.#end);
  }

  /** Arrays written before keep their old buffer when a larger one replaces it. */
  #makeRoom(bytes: number): void {
    this.#asked += bytes;
    if (this.#end + bytes <= this.#bytes.length) return;
    this.#bytes = Buffer.allocUnsafeSlow(Math.max(bytes, Math.min(2 * this.#asked, MAX_KEPT_BYTES)));
    this.#end = 0;
  }
}

function maxBytesOf(texts: readonly (string | null)[]): number {
  return texts.reduce((sum, text) => sum + (text?.length ?? 0), 0) * MAX_UTF8_BYTES;
}
