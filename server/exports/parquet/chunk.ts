import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import { Bytes } from './bytes.ts';
import type { Leaf, Nested } from './leaves.ts';
import { Levels, widthOf } from './levels.ts';
import { addRuns } from './runs.ts';
import { int32, struct, type Value as ThriftValue } from './thrift.ts';
import { createValues, ENCODINGS, type Type, type Value, type Values } from './values.ts';

/** The pages of a column in a row group: one of data, and one before it if texts are written only once. */
export interface Chunk {
  hasValues: boolean;
  parts: Buffer[];
  /** Bytes of the page with the dictionary; 0 without one. */
  dictionaryBytes: number;
  /** Bytes of all, as they are and before they were compressed. */
  bytes: number;
  plainBytes: number;
  isPacked: boolean;
  /** Values, including those that are not there. */
  count: number;
}

type Packing = (content: Buffer) => Promise<Buffer>;

const [DATA_PAGE, DICTIONARY_PAGE] = [0, 2];
/** Bytes from which on compressing is worth its time: it prepares memory, and adds 20 bytes. */
const WORTH_PACKING = 256;
const gzipped = promisify(gzip);
const packed: Packing = (content) => gzipped(content, { level: constants.Z_BEST_SPEED });
const unpacked: Packing = async (content) => content;

/**
 * Collects the values of a column in a row group. Beside them stand their levels (the “Dremel” encoding): of each value how many of the
 * lists and values above it are there, and with which list it goes on.
 */
export class ChunkBuilder {
  readonly #type: Type;
  /** Lists that a value is in. */
  readonly #lists: number;
  /** null before the first one. */
  #values: Values | null = null;
  readonly #defined = new Levels();
  readonly #repeated = new Levels();

  constructor({ type, path }: Leaf) {
    this.#type = type;
    this.#lists = listsIn(path);
  }

  /** Bytes it holds. */
  get size(): number {
    return (this.#values?.size ?? 0) + this.#defined.size + this.#repeated.size;
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
    this.#defined.add(2 * depth + (answer === null ? 0 : 1));
    if (this.#lists > 0) this.#repeated.add(from);
    if (answer === null || items) return;
    this.#values ??= createValues(this.#type);
    this.#values.add(answer as Value);
  }

  /** Compresses what was added; nothing can be added afterwards. */
  async finish(): Promise<Chunk> {
    const dictionary = this.#values?.dictionary() ?? null;
    const body = new Bytes();
    if (this.#lists > 0) this.#repeated.writeTo(body, this.#lists);
    this.#defined.writeTo(body, 2 * this.#lists + 1);
    const content = this.#values?.content();
    if (Buffer.isBuffer(content)) body.append(content);
    else if (content) addPlaces(body, content.places, dictionary?.count ?? 0);
    const isPacked = body.length + (dictionary?.bytes.length ?? 0) >= WORTH_PACKING;
    const packing = isPacked ? packed : unpacked;
    const first = dictionary && (await dictionaryPage(dictionary, packing));
    const encoding = dictionary ? ENCODINGS.dictionary : ENCODINGS.plain;
    const { count } = this.#defined;
    const data = await dataPage(body.view(), { count, encoding }, packing);
    return {
      hasValues: this.#values !== null,
      parts: [...(first?.parts ?? []), ...data.parts],
      dictionaryBytes: first?.bytes ?? 0,
      bytes: (first?.bytes ?? 0) + data.bytes,
      plainBytes: (first?.plainBytes ?? 0) + data.plainBytes,
      isPacked,
      count,
    };
  }
}

/** Of a path three names belong to a list: its own, `list` and `element`. */
function listsIn(path: readonly string[]): number {
  return Math.floor(path.length / 3);
}

function addPlaces(out: Bytes, places: Uint16Array, known: number): void {
  // Some readers do not know numbers of no bits.
  const width = Math.max(1, widthOf(known - 1));
  out.byte(width);
  addRuns(out, places, width);
}

function dictionaryPage({ bytes, count }: { bytes: Buffer; count: number }, packing: Packing) {
  const about = struct({ 1: int32(count), 2: int32(ENCODINGS.plain) });
  return page(bytes, packing, (sizes) => struct({ 1: int32(DICTIONARY_PAGE), ...sizes, 7: about }));
}

function dataPage(bytes: Buffer, { count, encoding }: { count: number; encoding: number }, packing: Packing) {
  const [levels, values] = [int32(ENCODINGS.runs), int32(encoding)];
  const about = struct({ 1: int32(count), 2: values, 3: levels, 4: levels });
  return page(bytes, packing, (sizes) => struct({ 1: int32(DATA_PAGE), ...sizes, 5: about }));
}

async function page(
  content: Buffer,
  packing: Packing,
  headOf: (sizes: Record<number, ThriftValue>) => ThriftValue,
) {
  const body = await packing(content);
  const head = new Bytes();
  headOf({ 2: int32(content.length), 3: int32(body.length) }).write(head);
  return {
    parts: [head.view(), body],
    bytes: head.length + body.length,
    plainBytes: head.length + content.length,
  };
}
