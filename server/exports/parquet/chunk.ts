import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import { Bytes } from './bytes.ts';
import type { Leaf, Nested } from './leaves.ts';
import { addRuns } from './runs.ts';
import { int32, struct } from './thrift.ts';
import { createValues, ENCODINGS, type Value } from './values.ts';

/** The pages of a column in a row group: one of data, and one before it if texts are written only once. */
export interface Chunk {
  parts: Buffer[];
  /** Bytes of the page with the dictionary; 0 without one. */
  dictionaryBytes: number;
  /** Bytes of all, as they are and before they were compressed. */
  bytes: number;
  plainBytes: number;
  /** Values, including those that are not there. */
  count: number;
}

const [DATA_PAGE, DICTIONARY_PAGE] = [0, 2];
const pack = promisify(gzip);

/**
 * Collects the values of a column in a row group. Beside them stand their levels (the “Dremel” encoding): of each value how many of the
 * lists and values above it are there, and with which list it goes on.
 */
export class ChunkBuilder {
  hasValues = false;
  readonly #values;
  /** Lists that a value is in. */
  readonly #lists: number;
  readonly #defined = new Bytes();
  readonly #repeated = new Bytes();

  constructor({ type, path }: Leaf) {
    this.#values = createValues(type);
    this.#lists = listsIn(path);
  }

  /** Bytes it holds. */
  get size(): number {
    return this.#values.size + this.#defined.length + this.#repeated.length;
  }

  /** @param answer of the next row: a value, or a list for each list above the value */
  add(answer: Nested): void {
    this.#add(answer, 0, 0);
  }

  /** @param from the list that goes on, 0 for a new row @param depth lists that the answer is in */
  #add(answer: Nested, from: number, depth: number): void {
    const items = depth < this.#lists ? (answer as Nested[] | null) : null;
    if (items && items.length > 0) {
      items.forEach((item, index) => {
        this.#add(item, index === 0 ? from : depth + 1, depth + 1);
      });
      return;
    }
    this.#level(from, 2 * depth + (answer === null ? 0 : 1));
    if (answer === null || items) return;
    this.hasValues = true;
    this.#values.add(answer as Value);
  }

  #level(repeated: number, defined: number): void {
    this.#defined.byte(defined);
    if (this.#lists > 0) this.#repeated.byte(repeated);
  }

  /** Compresses what was added; nothing can be added afterwards. */
  async finish(): Promise<Chunk> {
    const dictionary = this.#values.dictionary();
    const content = this.#values.content();
    const count = this.#defined.length;
    const body = new Bytes(this.size);
    if (this.#lists > 0) addLevels(body, this.#repeated.view(), this.#lists);
    addLevels(body, this.#defined.view(), 2 * this.#lists + 1);
    if (Buffer.isBuffer(content)) body.append(content);
    else addPlaces(body, content.places, dictionary?.count ?? 0);
    const encoding = dictionary ? ENCODINGS.dictionary : ENCODINGS.plain;
    const first = dictionary && (await dictionaryPage(dictionary));
    const data = await dataPage(body.view(), count, encoding);
    return {
      parts: [...(first?.parts ?? []), ...data.parts],
      dictionaryBytes: first?.bytes ?? 0,
      bytes: (first?.bytes ?? 0) + data.bytes,
      plainBytes: (first?.plainBytes ?? 0) + data.plainBytes,
      count,
    };
  }
}

/** Of a path three names belong to a list: its own, `list` and `element`. */
export function listsIn(path: readonly string[]): number {
  return Math.floor(path.length / 3);
}

function addLevels(out: Bytes, levels: Buffer, highest: number): void {
  const runs = new Bytes();
  addRuns(runs, levels, widthOf(highest));
  out.int32(runs.length);
  out.append(runs.view());
}

function addPlaces(out: Bytes, places: Uint16Array, known: number): void {
  // Some readers do not know numbers of no bits.
  const width = Math.max(1, widthOf(known - 1));
  out.byte(width);
  addRuns(out, places, width);
}

/** Bits of the numbers up to this one. */
function widthOf(highest: number): number {
  return 32 - Math.clz32(Math.max(0, highest));
}

function dictionaryPage({ bytes, count }: { bytes: Buffer; count: number }) {
  const about = struct({ 1: int32(count), 2: int32(ENCODINGS.plain) });
  return page(bytes, (sizes) => struct({ 1: int32(DICTIONARY_PAGE), ...sizes, 7: about }));
}

function dataPage(bytes: Buffer, count: number, encoding: number) {
  const [levels, values] = [int32(ENCODINGS.runs), int32(encoding)];
  const about = struct({ 1: int32(count), 2: values, 3: levels, 4: levels });
  return page(bytes, (sizes) => struct({ 1: int32(DATA_PAGE), ...sizes, 5: about }));
}

async function page(
  content: Buffer,
  headOf: (sizes: Record<number, ReturnType<typeof int32>>) => ReturnType<typeof struct>,
) {
  const packed = await pack(content, { level: constants.Z_BEST_SPEED });
  const head = new Bytes();
  headOf({ 2: int32(content.length), 3: int32(packed.length) }).write(head);
  return {
    parts: [head.view(), packed],
    bytes: head.length + packed.length,
    plainBytes: head.length + content.length,
  };
}
