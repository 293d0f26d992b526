import { once } from 'node:events';
import { constants, crc32, createDeflateRaw, type DeflateRaw } from 'node:zlib';

/**
 * A ZIP archive (APPNOTE.TXT 6.3.10) that is written as it grows, so the sizes of an entry follow its data. It may be of any size: ZIP64
 * is used for more than 65,535 entries, and for entries that start beyond 4 GiB.
 */
interface ZipWriter {
  /**
   * Begins an entry; the previous one must be closed.
   * @param isPacked the content is compressed already
   */
  open(name: string, isPacked?: boolean): ZipEntry;
  /** Writes the directory, after the last entry. */
  end(): void;
  /** Frees the memory of an unfinished entry. */
  abandon(): void;
}

export interface ZipEntry {
  /** @throws ZipTooLarge */
  write(bytes: Buffer): Promise<void>;
  close(): Promise<void>;
}

/** An entry has more than 4 GiB. */
class ZipTooLarge extends Error {
  override name = 'ZipTooLarge';
}

/** Written instead of a size or start, or of a count, that ZIP64 has elsewhere. */
const [TOLD_ELSEWHERE, COUNTED_ELSEWHERE] = [0xffffffff, 0xffff];
/** Without ZIP64: bytes of an entry, and before it; number of entries. */
const LIMITS = { bytes: TOLD_ELSEWHERE - 1, entries: COUNTED_ELSEWHERE - 1 };
/** Version that a reader needs: for deflate, and for ZIP64. */
const [VERSION, VERSION_64] = [20, 45];
/** Sizes and checksum follow the data; names are in UTF-8. */
const FLAGS = 0x0808;
const DEFLATE = 8;
/** 1980-01-01, the earliest possible day. */
const DOS_DATE = 0x0021;
/** Kind and length of the extra field with one number of ZIP64. */
const [EXTRA_64, EXTRA_64_BYTES] = [0x0001, 8];

/**
 * @param emit is called with consecutive parts of the archive
 * @param limits beyond which ZIP64 is used; tests lower them
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
    // Deflate even without compression: in stored data a reader that reads from the start could not find the end.
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

/** A field of a record: its size, and the number in it. */
type Field = [bytes: 2 | 4 | 8, value: number];

interface Sizes {
  crc: number;
  packed: number;
  size: number;
}

/** Section 4.3.7; the sizes follow the data. */
function localHeader(name: string): Buffer {
  const fields = [...commonFields(VERSION), ...sizes({ crc: 0, packed: 0, size: 0 }), ...nameFields(name, 0)];
  return record(0x04034b50, fields, name);
}

/** Section 4.3.12; a start beyond 4 GiB is in an extra field. */
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
    // No comment, first disk, no attributes.
    [2, 0],
    [2, 0],
    [2, 0],
    [4, 0],
    [4, isFar ? TOLD_ELSEWHERE : start],
  ];
  return record(0x02014b50, fields, name, extra);
}

/** Sections 4.3.14 to 4.3.16: the place of the directory, first for ZIP64 if that is needed, then for all readers. */
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

/** The lengths of the name and of the extra field. */
function nameFields(name: string, extraBytes: number): Field[] {
  return [
    [2, Buffer.byteLength(name)],
    [2, extraBytes],
  ];
}

function bytesOf(fields: Field[]): number {
  return fields.reduce((sum, [bytes]) => sum + bytes, 0);
}

/** In memory of its own: records are kept, and in Node's shared pool they would keep their neighbours' memory, too. */
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
