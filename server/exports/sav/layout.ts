import { plainNumber } from '../../../fields/as-text/numbers.ts';
import type { Value, Variable } from './variables.ts';

/** Bytes of a text. SPSS takes one more, but R cuts it off. */
const MAX_TEXT_BYTES = 32_766;
/** Bytes of a segment: a longer text is stored as several variables, its segments. */
const MAX_SEGMENT_BYTES = 255;
/** The format counts segments as if each held only this much. */
const COUNTED_SEGMENT_BYTES = 252;
/** Bytes of an element, the unit in which the file counts. */
export const ELEMENT_BYTES = 8;
const DAY_SECONDS = 86_400;
/** Decimals of a double at most; characters of a shown number, at most and at least. */
const [MAX_DECIMALS, MAX_SHOWN, USUAL_SHOWN] = [16, 40, 8];

/** Measures how much room the values of a variable take. */
export class Extent {
  isUsed = false;
  /** Bytes of the longest text. */
  bytes = 1;
  /** Characters before the point, including the sign, and digits after it. */
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

  /** Width of a number in characters, and how many of them are decimals. */
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
  /** Bytes of each segment of a text; empty for numbers. */
  segments: number[];
  /** Names by which the records of the file refer to it, one for each segment. */
  shortNames: string[];
  /** Number of its first element in a case, from 1. */
  index: number;
}

/** All variables of the file, without spare ones that no submission uses. */
export function placeVariables(measured: readonly MeasuredVariable[]): PlacedVariable[] {
  let [names, index] = [0, 1];
  return measured
    .filter(({ isSpare, extent }) => !isSpare || extent.isUsed)
    .map((variable) => {
      const segments = variable.kind === 'text' ? segmentsOf(variable.extent.bytes) : [];
      // Names of variables never begin with `@`.
      const shortNames = Array.from({ length: Math.max(1, segments.length) }, () => `@${++names}`);
      const placed = { ...variable, segments, shortNames, index };
      index += elementsOf(placed);
      return placed;
    });
}

/** Elements of a variable in each case. */
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
