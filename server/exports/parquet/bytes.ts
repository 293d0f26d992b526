const NONE = Buffer.alloc(0);
/** Room of the first allocation. */
const FIRST = 64;

/** Bytes that are added at the end; all numbers are little-endian. */
export class Bytes {
  length = 0;
  #bytes: Buffer = NONE;

  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.length] = value;
    this.length += 1;
  }

  uint16(value: number): void {
    this.#reserve(2);
    this.length = this.#bytes.writeUInt16LE(value, this.length);
  }

  int32(value: number): void {
    this.#reserve(4);
    this.length = this.#bytes.writeInt32LE(value, this.length);
  }

  /**
   * @param value a safe integer
   * @throws Error for a fraction, which would be cut off
   */
  int64(value: number): void {
    if (!Number.isInteger(value)) throw new Error('A column of whole numbers has a fraction.');
    this.#reserve(8);
    // The lower half modulo 2^32, then the upper half, which has the sign.
    this.length = this.#bytes.writeInt32LE(value | 0, this.length);
    this.length = this.#bytes.writeInt32LE(Math.floor(value / 2 ** 32), this.length);
  }

  double(value: number): void {
    this.#reserve(8);
    this.length = this.#bytes.writeDoubleLE(value, this.length);
  }

  /** An unsigned number as LEB128: seven bits a byte, the lowest first. @param value a safe integer */
  varint(value: number): void {
    let rest = value;
    for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) this.byte((rest % 0x80) | 0x80);
    this.byte(rest);
  }

  /** UTF-8, after its length in four bytes. */
  text(value: string): void {
    // A UTF-16 unit takes three bytes at most.
    this.#reserve(4 + 3 * value.length);
    const count = this.#bytes.write(value, this.length + 4);
    this.#bytes.writeInt32LE(count, this.length);
    this.length += 4 + count;
  }

  append(bytes: Buffer): void {
    this.#reserve(bytes.length);
    bytes.copy(this.#bytes, this.length);
    this.length += bytes.length;
  }

  /** What has been added, without copying it. */
  view(): Buffer {
    return this.#bytes.subarray(0, this.length);
  }

  #reserve(count: number): void {
    const needed = this.length + count;
    if (needed <= this.#bytes.length) return;
    // Small ones share memory that is allocated for several; there may be thousands of them.
    const larger = Buffer.allocUnsafe(Math.max(FIRST, needed, 2 * this.#bytes.length));
    this.#bytes.copy(larger, 0, 0, this.length);
    this.#bytes = larger;
  }
}
