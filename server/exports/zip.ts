import { once } from 'node:events';
import { constants, crc32, createDeflateRaw, type DeflateRaw } from 'node:zlib';

/**
 * A ZIP archive (APPNOTE.TXT 6.3.10), whose sizes are told behind each entry, since it is written as it grows. It may be of any
 * size: more than 65,535 entries, and what begins behind 4 GiB, are told by ZIP64.
 */
export interface ZipWriter {
  /**
   * Begins an entry; the one before is closed.
   * @param isPacked the content would not get smaller
   */
  open(name: string, isPacked?: boolean): ZipEntry;
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

/** What stands where a number is told by ZIP64 instead. */
const [TOLD_ELSEWHERE, COUNTED_ELSEWHERE] = [0xffffffff, 0xffff];
/** Bytes of an entry, and before it; entries. */
const LIMITS = { bytes: TOLD_ELSEWHERE - 1, entries: COUNTED_ELSEWHERE - 1 };
/** Of readers that know deflate, and of those that know ZIP64. */
const [VERSION, VERSION_64] = [20, 45];
/** Sizes and checksum behind the data, names in UTF-8. */
const FLAGS = 0x0808;
const DEFLATE = 8;
/** 1980-01-01, the first day there is. */
const DOS_DATE = 0x0021;
/** Kind and length of the extra field that holds one number of ZIP64. */
const [EXTRA_64, EXTRA_64_BYTES] = [0x0001, 8];

/**
 * @param emit gets the archive bit by bit
 * @param limits of what is told without ZIP64; lower ones are for tests
 */
export function createZip(emit: (bytes: Buffer) => void, limits = LIMITS): ZipWriter {
  const directory: Buffer[] = [];
  let length = 0;
  let deflate: DeflateRaw | null = null;

  function put(bytes: Buffer): void {
    length += bytes.length;
    emit(bytes);
  }

  function open(name: string, isPacked = false): ZipEntry {
    const start = length;
    const found = { crc: 0, packed: 0, size: 0 };
    put(localHeader(name));
    // Deflate in any case: who reads from the start finds no end of what is merely stored.
    const level = isPacked ? constants.Z_NO_COMPRESSION : constants.Z_BEST_SPEED;
    const packing = createDeflateRaw({ level });
    deflate = packing;
    packing.on('data', (bytes: Buffer) => {
      found.packed += bytes.length;
      put(bytes);
    });
    return {
      async write(bytes) {
        found.crc = crc32(bytes, found.crc);
        found.size += bytes.length;
        if (found.size > LIMITS.bytes) throw new ZipTooLarge();
        await new Promise<void>((resolve, reject) => {
          packing.write(bytes, (error) => (error ? reject(error) : resolve()));
        });
      },
      async close() {
        packing.end();
        await once(packing, 'end');
        put(record(0x08074b50, sizes(found)));
        directory.push(directoryRecord(name, found, { start, isFar: start > limits.bytes }));
      },
    };
  }

  function end(): void {
    const start = length;
    for (const entry of directory) put(entry);
    const isFar = directory.length > limits.entries || length > limits.bytes;
    for (const bytes of endRecords(directory.length, { start, end: length, isFar })) put(bytes);
  }

  return { open, end, abandon: () => deflate?.destroy() };
}

/** Bytes of a field, and the number in it. */
type Field = [bytes: 2 | 4 | 8, value: number];

interface Sizes {
  crc: number;
  packed: number;
  size: number;
}

/** 4.3.7; the sizes come later. */
function localHeader(name: string): Buffer {
  const fields = [...commonFields(VERSION), ...sizes({ crc: 0, packed: 0, size: 0 }), ...nameFields(name, 0)];
  return record(0x04034b50, fields, name);
}

/** 4.3.12, where a start behind 4 GiB stands in an extra field. */
function directoryRecord(
  name: string,
  found: Sizes,
  { start, isFar }: { start: number; isFar: boolean },
): Buffer {
  const version = isFar ? VERSION_64 : VERSION;
  const extra: Field[] = isFar
    ? [
        [2, EXTRA_64],
        [2, EXTRA_64_BYTES],
        [8, start],
      ]
    : [];
  const fields: Field[] = [
    [2, version],
    ...commonFields(version),
    ...sizes(found),
    ...nameFields(name, bytesOf(extra)),
    // No comment, the first disk, nothing else about the file.
    [2, 0],
    [2, 0],
    [2, 0],
    [4, 0],
    [4, isFar ? TOLD_ELSEWHERE : start],
  ];
  return record(0x02014b50, fields, name, extra);
}

/** 4.3.14 to 4.3.16: where the directory begins and ends, for readers of ZIP64 where that is needed, then for all. */
function endRecords(
  entries: number,
  { start, end, isFar }: { start: number; end: number; isFar: boolean },
): Buffer[] {
  const size = end - start;
  const count: Field = [2, isFar ? COUNTED_ELSEWHERE : entries];
  const last = record(0x06054b50, [
    [2, 0],
    [2, 0],
    count,
    count,
    [4, isFar ? TOLD_ELSEWHERE : size],
    [4, isFar ? TOLD_ELSEWHERE : start],
    [2, 0],
  ]);
  if (!isFar) return [last];
  const told: Field[] = [
    [2, VERSION_64],
    [2, VERSION_64],
    [4, 0],
    [4, 0],
    [8, entries],
    [8, entries],
    [8, size],
    [8, start],
  ];
  const locator: Field[] = [
    [4, 0],
    [8, end],
    [4, 1],
  ];
  return [record(0x06064b50, [[8, bytesOf(told)], ...told]), record(0x07064b50, locator), last];
}

function commonFields(version: number): Field[] {
  return [
    [2, version],
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

/** Length of the name, and of the extra field. */
function nameFields(name: string, extraBytes: number): Field[] {
  return [
    [2, Buffer.byteLength(name)],
    [2, extraBytes],
  ];
}

function bytesOf(fields: Field[]): number {
  return fields.reduce((sum, [bytes]) => sum + bytes, 0);
}

/** Of memory of its own: what is kept of Node's pool keeps what was packed beside it as well. */
function record(signature: number, fields: Field[], name = '', extra: Field[] = []): Buffer {
  const nameBytes = Buffer.byteLength(name);
  const bytes = Buffer.alloc(4 + bytesOf(fields) + nameBytes + bytesOf(extra));
  const put = (at: number, [size, value]: Field) =>
    size === 8 ? bytes.writeBigUInt64LE(BigInt(value), at) : bytes.writeUIntLE(value, at, size);
  const nameAt = fields.reduce(put, put(0, [4, signature]));
  bytes.write(name, nameAt);
  extra.reduce(put, nameAt + nameBytes);
  return bytes;
}
