import { ELEMENT_BYTES, elementsOf, type PlacedVariable } from './layout.ts';
import { bytesOf } from './texts.ts';
import type { Value } from './variables.ts';

/** What the byte says that stands for an element; those from 1 to 251 are a whole number themselves, this much less. */
export const BIAS = 100;
const [VERBATIM, SPACES, MISSING] = [253, 254, 255];
const GREATEST = 251;
/** Eight such bytes stand before the elements that are written out. */
const GROUP = 8;
const SPACE = 0x20;
const FOUR_SPACES = 0x20202020;

/** Writes cases as SPSS compresses them: most numbers take one byte, and so do eight spaces. */
export class CaseWriter {
  readonly #variables: readonly PlacedVariable[];
  /** Of one case at most. */
  readonly #caseBytes: number;
  #bytes: Buffer;
  #at = 0;
  /** Where the bytes of the present group are, and how many of them there are. */
  #group = 0;
  #count = GROUP;
  readonly #text: Buffer;

  constructor(variables: readonly PlacedVariable[]) {
    this.#variables = variables;
    const elements = variables.reduce((sum, variable) => sum + elementsOf(variable), 0);
    this.#caseBytes = elements * (ELEMENT_BYTES + 1) + GROUP;
    this.#bytes = Buffer.allocUnsafe(2 * this.#caseBytes);
    this.#text = Buffer.alloc(
      Math.max(0, ...variables.map((variable) => elementsOf(variable) * ELEMENT_BYTES)),
    );
  }

  /** @param values of each variable */
  add(values: readonly Value[]): void {
    this.#makeRoom(this.#caseBytes);
    this.#variables.forEach((variable, index) => {
      const value = values[index] ?? null;
      if (variable.kind === 'text') this.#addText(variable, String(value ?? ''));
      else this.#addNumber(value as number | null);
    });
  }

  /** What was written since it was called last, as far as its groups are whole. */
  take(): Buffer {
    const end = this.#count < GROUP ? this.#group : this.#at;
    const taken = Buffer.from(this.#bytes.subarray(0, end));
    this.#bytes.copyWithin(0, end, this.#at);
    this.#at -= end;
    this.#group -= end;
    return taken;
  }

  /** The last group, filled up. */
  rest(): Buffer {
    return Buffer.from(this.#bytes.subarray(0, this.#at));
  }

  #makeRoom(bytes: number): void {
    if (this.#at + bytes <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(2 * (this.#at + bytes));
    this.#bytes.copy(larger, 0, 0, this.#at);
    this.#bytes = larger;
  }

  #mark(byte: number): void {
    if (this.#count === GROUP) {
      this.#group = this.#at;
      this.#bytes.fill(0, this.#at, this.#at + GROUP);
      this.#at += GROUP;
      this.#count = 0;
    }
    this.#bytes[this.#group + this.#count] = byte;
    this.#count += 1;
  }

  #addNumber(value: number | null): void {
    const byte = value === null ? MISSING : value + BIAS;
    if (value === null || (Number.isInteger(value) && byte > 0 && byte <= GREATEST)) {
      this.#mark(byte);
    } else {
      this.#mark(VERBATIM);
      this.#at = this.#bytes.writeDoubleLE(value, this.#at);
    }
  }

  #addText({ segments, extent }: PlacedVariable, value: string): void {
    const bytes = bytesOf(value, extent.bytes);
    let [from, end] = [0, 0];
    for (const width of segments) {
      const padded = Math.ceil(width / ELEMENT_BYTES) * ELEMENT_BYTES;
      this.#text.fill(SPACE, end, end + padded);
      bytes.subarray(from, from + width).copy(this.#text, end);
      from += width;
      end += padded;
    }
    for (let at = 0; at < end; at += ELEMENT_BYTES) this.#addElement(at);
  }

  #addElement(from: number): void {
    const text = this.#text;
    if (text.readInt32LE(from) === FOUR_SPACES && text.readInt32LE(from + 4) === FOUR_SPACES) {
      this.#mark(SPACES);
    } else {
      this.#mark(VERBATIM);
      this.#at += text.copy(this.#bytes, this.#at, from, from + ELEMENT_BYTES);
    }
  }
}
