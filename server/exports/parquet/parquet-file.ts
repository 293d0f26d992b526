import { Transform } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { freeShortLived } from '../../heap.ts';
import type { ExportColumn } from '../columns/columns.ts';
import { createLineCutter, linesOf } from '../copy-lines.ts';
import { Bytes } from './bytes.ts';
import { fileMetaData, type PlacedChunk, placeChunk, type RowGroup } from './footer.ts';
import { describeFields, layOut } from './layout.ts';
import type { Leaf } from './leaves.ts';
import { RowGroupBuilder } from './row-group.ts';

const MAGIC = Buffer.from('PAR1');
/** Pages are sent on together, as they may be very small. */
const SEND_BYTES = 64 * 1024;
/** Cells that take some milliseconds. */
const CELLS_TO_REST = 20_000;
/** As many cells take as long as the end of a chunk. */
const CELLS_OF_CHUNK = 200;

/**
 * Makes an Apache Parquet file of the lines of `jsonCellsStatement`, as they come: row groups of some megabytes, then the footer that
 * says where everything is. Spare columns are in it only if some row has a value.
 */
export function createParquet(columns: readonly ExportColumn[]): Transform {
  const cut = createLineCutter();
  const layout = layOut(columns);
  const leaves = layout.flatMap((column) => column.leaves);
  const isUsed = leaves.map(({ isSpare }) => !isSpare);
  const groups: RowGroup[] = [];
  let builder = new RowGroupBuilder(layout);
  /** Bytes so far, and those that are not sent on yet. */
  let length = 0;
  let [unsent, unsentBytes]: [Buffer[], number] = [[], 0];
  let unrested = 0;

  function put(bytes: Buffer): void {
    length += bytes.length;
    unsent.push(bytes);
    unsentBytes += bytes.length;
    if (unsentBytes >= SEND_BYTES) send();
  }

  function send(): void {
    file.push(Buffer.concat(unsent));
    [unsent, unsentBytes] = [[], 0];
  }

  /** Lets other work of the process run. @param cells that were handled */
  async function rest(cells: number): Promise<void> {
    unrested += cells;
    if (unrested < CELLS_TO_REST) return;
    unrested = 0;
    await turn();
  }

  async function endGroup(): Promise<void> {
    const start = length;
    const chunks: PlacedChunk[] = [];
    for await (const chunk of builder.finish()) {
      const index = chunks.length;
      isUsed[index] ||= chunk.hasValues;
      chunks.push(placeChunk(leaves[index] as Leaf, chunk, length));
      chunk.parts.forEach(put);
      await rest(CELLS_OF_CHUNK);
    }
    groups.push({ rows: builder.rows, start, chunks });
    builder = new RowGroupBuilder(layout);
    freeShortLived();
  }

  async function add(bytes: Buffer): Promise<void> {
    for (const lines of cut(bytes)) {
      for (const line of linesOf(lines)) {
        builder.add(line);
        if (builder.isFull()) await endGroup();
        await rest(leaves.length);
      }
      await turn();
    }
  }

  async function end(): Promise<void> {
    if (builder.rows > 0) await endGroup();
    const inFile = <Item>(items: readonly Item[]) => items.filter((_, index) => isUsed[index]);
    const kept = inFile(leaves);
    const footer = new Bytes();
    fileMetaData({
      leaves: kept,
      groups: groups.map((group) => ({ ...group, chunks: inFile(group.chunks) })),
      notes: { formstead: JSON.stringify({ fields: describeFields(columns, kept) }) },
    }).write(footer);
    footer.int32(footer.length);
    footer.append(MAGIC);
    put(footer.view());
    send();
  }

  const file: Transform = new Transform({
    transform: (bytes: Buffer, _encoding, done) => void add(bytes).then(() => done(), done),
    flush: (done) => void end().then(() => done(), done),
  });
  put(MAGIC);
  return file;
}
