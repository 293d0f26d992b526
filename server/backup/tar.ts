/** One whole file of a tar archive: ours are cut into parts that fit into memory. */
export interface TarEntry {
  name: string;
  data: Buffer;
  /** The entry as written in the archive: headers, data, padding. */
  blocks: Buffer[];
}

/** The bytes are no archive, or an incomplete one; the message is one plain line. */
export class DamagedArchive extends Error {}

/** POSIX.1-2017, pax, "pax Interchange Format" and "ustar Interchange Format". */
const BLOCK = 512;
const NAME_BYTES = 100;
const MODE = '0000600\0';
const FILE = '0';
const EXTENDED = 'x';
/** Larger entries are not from a backup. */
const ENTRY_LIMIT_BYTES = 64 * 1024 * 1024;

/** The end of an archive. */
export const TAR_END = Buffer.alloc(2 * BLOCK);

/** An entry as written in an archive. A long name goes into an extended header, which every tar program reads. */
export function tarEntry(name: string, data: Buffer, modifiedAt: Date): TarEntry {
  const isLong = Buffer.byteLength(name) > NAME_BYTES;
  const plain = (type: string, shortName: string, content: Buffer) => [
    header(type, shortName, content.length, modifiedAt),
    content,
    Buffer.alloc(paddingOf(content.length)),
  ];
  const extended = isLong ? plain(EXTENDED, 'pax', paxRecord('path', name)) : [];
  return { name, data, blocks: [...extended, ...plain(FILE, isLong ? name.slice(-NAME_BYTES) : name, data)] };
}

/**
 * The entries of an archive, one after the other.
 * @throws DamagedArchive when it ends too early, or is no archive
 */
export async function* tarEntries(bytes: AsyncIterable<Buffer>): AsyncGenerator<TarEntry> {
  const { read, drain } = reader(bytes);
  for (;;) {
    const first = await readBlocks(read);
    if (first === null) return drain();
    if (first.type === FILE) yield { name: first.name, data: first.data, blocks: first.blocks };
    else if (first.type === EXTENDED) {
      const second = await readBlocks(read);
      if (second === null) throw new DamagedArchive('The archive ends in the middle.');
      const blocks = [...first.blocks, ...second.blocks];
      yield { name: pathOf(first.data), data: second.data, blocks };
    } else throw new DamagedArchive('The archive holds something that formstead backup never writes.');
  }
}

async function readBlocks(read: (bytes: number) => Promise<Buffer>) {
  const head = await read(BLOCK);
  if (head.every((byte) => byte === 0)) return null;
  if (head.readUInt32BE(257) !== USTAR || octal(head, 148, 8) !== checksum(head))
    throw new DamagedArchive('The file is no archive, or a damaged one.');
  const size = octal(head, 124, 12);
  if (size > ENTRY_LIMIT_BYTES) throw new DamagedArchive('The archive has an entry that is too large.');
  const data = await read(size);
  const padding = await read(paddingOf(size));
  const name = head.toString('utf8', 0, NAME_BYTES).replace(/\0.*$/s, '');
  return { type: String.fromCharCode(head[156] ?? 0), name, data, blocks: [head, data, padding] };
}

/** `usta` */
const USTAR = 0x75_73_74_61;

function header(type: string, name: string, size: number, modifiedAt: Date): Buffer {
  const head = Buffer.alloc(BLOCK);
  head.write(name, 0, NAME_BYTES);
  head.write(MODE, 100);
  head.write('0000000\0', 108);
  head.write('0000000\0', 116);
  head.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  head.write(
    `${Math.floor(modifiedAt.getTime() / 1000)
      .toString(8)
      .padStart(11, '0')}\0`,
    136,
  );
  head.write(type, 156);
  head.write('ustar\x0000', 257);
  head.write(`${checksum(head).toString(8).padStart(6, '0')}\0 `, 148);
  return head;
}

/** The sum of all bytes, with the eight bytes of the sum itself taken as blanks. */
function checksum(head: Buffer): number {
  return head.reduce((sum, byte, index) => sum + (index >= 148 && index < 156 ? 0x20 : byte), 0);
}

function octal(head: Buffer, start: number, length: number): number {
  const text = head.toString('latin1', start, start + length).replace(/[\0 ]+$/, '');
  return /^[0-7]+$/.test(text) ? Number.parseInt(text, 8) : Number.NaN;
}

function paddingOf(size: number): number {
  return (BLOCK - (size % BLOCK)) % BLOCK;
}

/** "%d %s=%s\n": the length includes itself. */
function paxRecord(key: string, value: string): Buffer {
  const rest = Buffer.byteLength(` ${key}=${value}\n`);
  let length = rest + String(rest).length;
  if (String(length).length > String(rest).length) length = rest + String(length).length;
  return Buffer.from(`${length} ${key}=${value}\n`);
}

function pathOf(records: Buffer): string {
  const [, path] = /^\d+ path=([^\n]+)\n$/.exec(records.toString('utf8')) ?? [];
  if (path === undefined)
    throw new DamagedArchive('The archive holds something that formstead backup never writes.');
  return path;
}

function reader(bytes: AsyncIterable<Buffer>) {
  const source = bytes[Symbol.asyncIterator]();
  let held: Buffer[] = [];
  let length = 0;
  return {
    /** Returns exactly as many bytes as asked for. */
    async read(count: number): Promise<Buffer> {
      while (length < count) {
        const { done, value } = await source.next();
        if (done) throw new DamagedArchive('The archive ends in the middle.');
        held.push(value);
        length += value.length;
      }
      const all = held.length === 1 && held[0] ? held[0] : Buffer.concat(held);
      held = [all.subarray(count)];
      length = all.length - count;
      return all.subarray(0, count);
    },
    /** Reads to the end, so that the checksum of gzip behind the archive is verified too. */
    async drain(): Promise<void> {
      while (!(await source.next()).done);
    },
  };
}
