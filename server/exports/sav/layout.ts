import { plainNumber } from '../../../fields/numbers.ts';
import type { Value, Variable } from './variables.ts';

/** Bytes of a text; SPSS takes one more, but R cuts it off. */
const MAX_TEXT_BYTES = 32_766;
/** Bytes of a variable that is one variable in the file too: a longer one is several (segments). */
const MAX_SEGMENT_BYTES = 255;
/** Its segments are as many as if each held so much, although each holds 255. */
const COUNTED_SEGMENT_BYTES = 252;
/** Everything is counted in elements of eight bytes. */
export const ELEMENT_BYTES = 8;
const DAY_SECONDS = 86_400;
/** Digits behind the point that a double has at most, and of a number as it is shown. */
const [MAX_DECIMALS, MAX_SHOWN, USUAL_SHOWN] = [16, 40, 8];

/** How much room the values of a variable take. */
export class Extent {
  isUsed = false;
  /** Of the longest text. */
  bytes = 1;
  /** Before the point with the sign, and behind it. */
  #digits = 1;
  #decimals = 0;
  hasTimes = false;

  add(value: Value): void {
    if (value === null) return;
    this.isUsed = true;
    if (typeof value === 'string')
      this.bytes = Math.max(this.bytes, Math.min(Buffer.byteLength(value), MAX_TEXT_BYTES));
    else this.#addNumber(value);
  }

  #addNumber(value: number): void {
    if (value % DAY_SECONDS !== 0) this.hasTimes = true;
    const [digits = '', decimals = ''] = plainNumber(value).split('.');
    this.#digits = Math.max(this.#digits, digits.length);
    this.#decimals = Math.min(MAX_DECIMALS, Math.max(this.#decimals, decimals.length));
  }

  /** Characters of a number, and how many of them are behind the point. */
  get shown(): { width: number; decimals: number } {
    const width = this.#digits + (this.#decimals > 0 ? this.#decimals + 1 : 0);
    return { width: Math.min(MAX_SHOWN, Math.max(USUAL_SHOWN, width)), decimals: this.#decimals };
  }
}

export interface MeasuredVariable extends Variable {
  /** Index of the column whose answers it reads. */
  column: number;
  extent: Extent;
}

/** A variable at its place in the file. */
export interface PlacedVariable extends MeasuredVariable {
  /** Of texts the bytes of each segment; none of numbers. */
  segments: number[];
  /** Names by which the parts of the file know it, one for each segment. */
  shortNames: string[];
  /** Number of its first element in a case, from 1 on. */
  index: number;
}

/** What the file holds of each submission: all variables but the spare ones that none has. */
export function placeVariables(measured: readonly MeasuredVariable[]): PlacedVariable[] {
  let [names, index] = [0, 1];
  return measured
    .filter(({ isSpare, extent }) => !isSpare || extent.isUsed)
    .map((variable) => {
      const segments = variable.kind === 'text' ? segmentsOf(variable.extent.bytes) : [];
      // No name of a variable begins like this.
      const shortNames = Array.from({ length: Math.max(1, segments.length) }, () => `@${++names}`);
      const placed = { ...variable, segments, shortNames, index };
      index += elementsOf(placed);
      return placed;
    });
}

/** Elements that a variable has in each case. */
export function elementsOf({ segments }: Pick<PlacedVariable, 'segments'>): number {
  return segments.length === 0
    ? 1
    : segments.reduce((sum, bytes) => sum + Math.ceil(bytes / ELEMENT_BYTES), 0);
}

function segmentsOf(bytes: number): number[] {
  if (bytes <= MAX_SEGMENT_BYTES) return [bytes];
  const count = Math.ceil(bytes / COUNTED_SEGMENT_BYTES);
  return Array.from({ length: count }, (_, index) =>
    index < count - 1 ? MAX_SEGMENT_BYTES : bytes - (count - 1) * COUNTED_SEGMENT_BYTES,
  );
}
