import { Transform } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { freeShortLived } from '../../heap.ts';
import type { ExportColumn } from '../columns.ts';
import { answerIn, createLineCutter, linesOf } from '../copy-lines.ts';
import { Bytes } from './bytes.ts';
import { ChunkBuilder } from './chunk.ts';
import { fileMetaData, placeChunk, type RowGroup } from './footer.ts';
import { describeFields, layOut } from './layout.ts';
import type { Nested } from './leaves.ts';

const MAGIC = Buffer.from('PAR1');
/** Rows and bytes of a row group, from which on it ends. All of it is in memory until then. */
const MAX_ROWS = 131_072;
const MAX_BYTES = 8 * 1024 * 1024;
/** Pages are sent on together, as they may be very small. */
const SEND_BYTES = 64 * 1024;
/** Cells that take some milliseconds. */
const CELLS_TO_REST = 20_000;
/** As many cells take as long as the end of a chunk. */
const CELLS_OF_CHUNK = 200;
/** Bytes read between two counts of those in memory, which are fewer where answers repeat. */
const COUNT_BYTES = 256 * 1024;

/**
 * Makes an Apache Parquet file of the lines of `jsonCellsStatement`, as they come: row groups of some megabytes, then the footer that
 * says where everything is. Columns that would be empty in all of them are not in it.
 */
export function createParquet(columns: readonly ExportColumn[]): Transform {
  const cut = createLineCutter();
  const layout = layOut(columns);
  const leaves = layout.flatMap((column) => column.leaves);
  const nothing = layout.map((column) => column.leaves.map(() => null));
  const isUsed = leaves.map(({ isSpare }) => !isSpare);
  const groups: RowGroup[] = [];
  let builders: ChunkBuilder[] = [];
  let [rows, uncounted] = [0, 0];
  let length = 0;
  let [gathered, unsent]: [Buffer[], number] = [[], 0];
  let unrested = 0;

  function put(bytes: Buffer): void {
    length += bytes.length;
    gathered.push(bytes);
    unsent += bytes.length;
    if (unsent >= SEND_BYTES) send();
  }

  function send(): void {
    file.push(Buffer.concat(gathered));
    [gathered, unsent] = [[], 0];
  }

  /** Lets other work of the process run. @param cells that were handled */
  async function rest(cells: number): Promise<void> {
    unrested += cells;
    if (unrested < CELLS_TO_REST) return;
    unrested = 0;
    await turn();
  }

  function addRow(line: string): void {
    if (rows === 0) builders = leaves.map((leaf) => new ChunkBuilder(leaf));
    rows += 1;
    uncounted += line.length + leaves.length;
    let at = 0;
    const add = (value: Nested) => {
      builders[at]?.add(value);
      at += 1;
    };
    line.split('\t').forEach((field, index) => {
      const answer = answerIn(field);
      const values = answer === null ? nothing[index] : layout[index]?.valuesOf(answer);
      values?.forEach(add);
    });
  }

  function isFull(): boolean {
    if (rows >= MAX_ROWS) return true;
    if (uncounted < COUNT_BYTES) return false;
    uncounted = 0;
    return builders.reduce((sum, { size }) => sum + size, 0) >= MAX_BYTES;
  }

  async function endGroup(): Promise<void> {
    const group: RowGroup = { rows, start: length, chunks: [] };
    for (const [index, leaf] of leaves.entries()) {
      const builder = builders[index] as ChunkBuilder;
      isUsed[index] ||= builder.hasValues;
      const chunk = await builder.finish();
      group.chunks.push(placeChunk(leaf, chunk, length));
      chunk.parts.forEach(put);
      await rest(CELLS_OF_CHUNK);
    }
    groups.push(group);
    [builders, rows, uncounted] = [[], 0, 0];
    freeShortLived();
  }

  async function add(bytes: Buffer): Promise<void> {
    for (const lines of cut(bytes)) {
      for (const line of linesOf(lines)) {
        addRow(line);
        if (isFull()) await endGroup();
        await rest(leaves.length);
      }
      await turn();
    }
  }

  async function end(): Promise<void> {
    if (rows > 0) await endGroup();
    const inFile = <Item>(items: readonly Item[]) => items.filter((_, index) => isUsed[index]);
    const kept = inFile(leaves);
    const notes = { formstead: JSON.stringify({ fields: describeFields(columns, kept) }) };
    const footer = new Bytes();
    fileMetaData({
      leaves: kept,
      groups: groups.map((group) => ({ ...group, chunks: inFile(group.chunks) })),
      notes,
    }).write(footer);
    const bytes = footer.length;
    footer.int32(bytes);
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
