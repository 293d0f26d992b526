import { Bytes } from './bytes.ts';
import { addRuns } from './runs.ts';

/** Small numbers, one for each value of a column. As long as all are equal, which is usual, they are only counted. */
export class Levels {
  count = 0;
  #first = 0;
  #all: Bytes | null = null;

  /** Bytes it holds. */
  get size(): number {
    return this.#all?.length ?? 0;
  }

  add(level: number): void {
    if (this.count === 0) this.#first = level;
    else if (!this.#all && level !== this.#first) this.#all = this.#counted();
    this.count += 1;
    this.#all?.byte(level);
  }

  /** Appends them with their length, as a page has them. @param highest the highest that is possible */
  writeTo(out: Bytes, highest: number): void {
    const runs = new Bytes();
    addRuns(runs, (this.#all ?? this.#counted()).view(), widthOf(highest));
    out.int32(runs.length);
    out.append(runs.view());
  }

  #counted(): Bytes {
    const all = new Bytes();
    all.append(Buffer.alloc(this.count, this.#first));
    return all;
  }
}

/** Bits of the numbers up to this one. */
export function widthOf(highest: number): number {
  return 32 - Math.clz32(Math.max(0, highest));
}
