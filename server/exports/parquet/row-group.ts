import { answerIn } from '../copy-lines.ts';
import { type Chunk, ChunkBuilder } from './chunk.ts';
import type { Leaves } from './leaves.ts';

/** Rows and bytes of a row group, from which on it ends. All of it is in memory until then. */
const MAX_ROWS = 131_072;
const MAX_BYTES = 4 * 1024 * 1024;
/** Bytes read between two counts of those in memory, which are fewer where answers repeat. */
const COUNT_BYTES = 256 * 1024;

/** Collects the answers of some submissions by columns. */
export class RowGroupBuilder {
  rows = 0;
  readonly #layout: readonly Leaves[];
  readonly #builders: ChunkBuilder[];
  /** Bytes read since those in memory were counted. */
  #uncounted = 0;

  constructor(layout: readonly Leaves[]) {
    this.#layout = layout;
    this.#builders = layout.flatMap(({ leaves }) => leaves.map((leaf) => new ChunkBuilder(leaf)));
  }

  /** @param line of `jsonCellsStatement`, with a field for each column of the layout */
  add(line: string): void {
    this.rows += 1;
    this.#uncounted += line.length + this.#builders.length;
    let at = 0;
    line.split('\t').forEach((field, index) => {
      const { leaves, valuesOf } = this.#layout[index] as Leaves;
      const answer = answerIn(field);
      const values = answer === null ? null : valuesOf(answer);
      for (let nth = 0; nth < leaves.length; nth++, at++) this.#builders[at]?.add(values?.[nth] ?? null);
    });
  }

  isFull(): boolean {
    if (this.rows >= MAX_ROWS) return true;
    if (this.#uncounted < COUNT_BYTES) return false;
    this.#uncounted = 0;
    return this.#builders.reduce((sum, { size }) => sum + size, 0) >= MAX_BYTES;
  }

  /** The chunks of all columns, in their order; nothing can be added afterwards. */
  async *finish(): AsyncGenerator<Chunk> {
    for (const builder of this.#builders) yield await builder.finish();
  }
}
