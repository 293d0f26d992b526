import { ELEMENT_BYTES, elementsOf, type PlacedVariable } from './layout.ts';
import { bytesOf } from './texts.ts';
import type { Value } from './variables.ts';

/** Each element has a code. Codes from 1 to 251 stand for the whole number that is lower by this bias. */
export const BIAS = 100;
const GREATEST = 251;
/** Codes of elements that follow the group of codes, of eight spaces, and of missing values. */
const [VERBATIM, SPACES, MISSING] = [253, 254, 255];
/** A group of eight codes precedes its verbatim elements. */
const GROUP = 8;
const SPACE = 0x20;
const FOUR_SPACES = 0x20202020;

/** Writes cases with the compression of SPSS: most numbers take one byte, and so do eight spaces. */
export class CaseWriter {
  readonly #variables: readonly PlacedVariable[];
  /** Most bytes that a case may take. */
  readonly #caseBytes: number;
  #bytes: Buffer;
  #at = 0;
  /** Where the codes of the present group begin, and how many it has. */
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

  /** @param values one for each variable */
  add(values: readonly Value[]): void {
    this.#makeRoom(this.#caseBytes);
    this.#variables.forEach((variable, index) => {
      const value = values[index] ?? null;
      if (variable.kind === 'text') this.#addText(variable, String(value ?? ''));
      else this.#addNumber(value as number | null);
    });
  }

  /** The bytes of all complete groups since the last call. */
  take(): Buffer {
    const end = this.#count < GROUP ? this.#group : this.#at;
    const taken = Buffer.from(this.#bytes.subarray(0, end));
    this.#bytes.copyWithin(0, end, this.#at);
    this.#at -= end;
    this.#group -= end;
    return taken;
  }

  /** The last group, which may have unused codes. */
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
