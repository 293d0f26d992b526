import { once } from 'node:events';
import { constants, crc32, createDeflateRaw, type DeflateRaw } from 'node:zlib';

/** A ZIP archive without ZIP64 (APPNOTE.TXT 6.3.10), whose sizes are told behind each entry, since it is written as it grows. */
export interface ZipWriter {
  /** Begins an entry; the one before is closed. */
  open(name: string): ZipEntry;
  /** The directory, after the last entry. */
  end(): void;
  /** Frees what an unfinished entry holds. */
  abandon(): void;
}

export interface ZipEntry {
  /** @throws ZipTooLarge */
  write(bytes: Buffer): Promise<void>;
  close(): Promise<void>;
}

/** An entry has 4 GiB. */
export class ZipTooLarge extends Error {
  override name = 'ZipTooLarge';
}

const MAX_SIZE = 0xffffffff;
/** Deflate, sizes and checksum behind the data, names in UTF-8. */
const VERSION_NEEDED = 20;
const FLAGS = 0x0808;
const DEFLATE = 8;
/** 1980-01-01, the first day there is. */
const DOS_DATE = 0x0021;

/** @param emit gets the archive bit by bit */
export function createZip(emit: (bytes: Buffer) => void): ZipWriter {
  const directory: Buffer[] = [];
  let length = 0;
  let deflate: DeflateRaw | null = null;

  function put(bytes: Buffer): void {
    length += bytes.length;
    emit(bytes);
  }

  function open(name: string): ZipEntry {
    const start = length;
    const found = { crc: 0, packed: 0, size: 0 };
    put(
      record(
        0x04034b50,
        [...commonFields(), ...sizes({ crc: 0, packed: 0, size: 0 }), ...nameFields(name)],
        name,
      ),
    );
    const packing = createDeflateRaw({ level: constants.Z_BEST_SPEED });
    deflate = packing;
    packing.on('data', (bytes: Buffer) => {
      found.packed += bytes.length;
      put(bytes);
    });
    return {
      async write(bytes) {
        found.crc = crc32(bytes, found.crc);
        found.size += bytes.length;
        if (found.size > MAX_SIZE) throw new ZipTooLarge();
        await new Promise<void>((resolve, reject) => {
          packing.write(bytes, (error) => (error ? reject(error) : resolve()));
        });
      },
      async close() {
        packing.end();
        await once(packing, 'end');
        put(record(0x08074b50, sizes(found)));
        directory.push(directoryRecord(name, found, start));
      },
    };
  }

  function end(): void {
    const start = length;
    for (const entry of directory) put(entry);
    const count: Field = [2, directory.length];
    put(record(0x06054b50, [[2, 0], [2, 0], count, count, [4, length - start], [4, start], [2, 0]]));
  }

  return { open, end, abandon: () => deflate?.destroy() };
}

/** Bytes of a field, and the number in it. */
type Field = [bytes: 2 | 4, value: number];

interface Sizes {
  crc: number;
  packed: number;
  size: number;
}

function directoryRecord(name: string, found: Sizes, start: number): Buffer {
  const rest: Field[] = [
    [2, 0],
    [2, 0],
    [2, 0],
    [4, 0],
    [4, start],
  ];
  return record(
    0x02014b50,
    [[2, VERSION_NEEDED], ...commonFields(), ...sizes(found), ...nameFields(name), ...rest],
    name,
  );
}

function commonFields(): Field[] {
  return [
    [2, VERSION_NEEDED],
    [2, FLAGS],
    [2, DEFLATE],
    [2, 0],
    [2, DOS_DATE],
  ];
}

function sizes({ crc, packed, size }: Sizes): Field[] {
  return [
    [4, crc],
    [4, packed],
    [4, size],
  ];
}

/** Length of the name, and of no extra fields. */
function nameFields(name: string): Field[] {
  return [
    [2, Buffer.byteLength(name)],
    [2, 0],
  ];
}

function record(signature: number, fields: Field[], name = ''): Buffer {
  const text = Buffer.from(name);
  const bytes = Buffer.alloc(4 + fields.reduce((sum, [size]) => sum + size, 0) + text.length);
  bytes.writeUInt32LE(signature, 0);
  let at = 4;
  for (const [size, value] of fields) at = bytes.writeUIntLE(value, at, size);
  text.copy(bytes, at);
  return bytes;
}
