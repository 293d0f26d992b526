import { crc32, inflateRawSync } from 'node:zlib';
import { expect } from 'vitest';

/** The entries listed in the directory of an archive, each checked against its local header. */
export function unzip(bytes: Buffer): Map<string, Buffer> {
  const parts = new Map<string, Buffer>();
  const directory = directoryOf(bytes);
  let at = directory.start;
  for (let left = directory.entries; left > 0; left--) {
    expect(bytes.readUInt32LE(at)).toBe(0x02014b50);
    const [crc, packed, size] = [16, 20, 24].map((place) => bytes.readUInt32LE(at + place));
    const nameLength = bytes.readUInt16LE(at + 28);
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength);
    const extra = at + 46 + nameLength;
    const isFar = bytes.readUInt32LE(at + 42) === 0xffffffff;
    if (isFar) expect([bytes.readUInt16LE(extra), bytes.readUInt16LE(extra + 2)]).toEqual([1, 8]);
    const start = isFar ? Number(bytes.readBigUInt64LE(extra + 4)) : bytes.readUInt32LE(at + 42);
    expect(bytes.readUInt32LE(start)).toBe(0x04034b50);
    expect(bytes.toString('utf8', start + 30, start + 30 + nameLength)).toBe(name);
    const from = start + 30 + nameLength + bytes.readUInt16LE(start + 28);
    const content = inflateRawSync(bytes.subarray(from, from + packed!));
    expect([crc32(content), content.length]).toEqual([crc, size]);
    const behind = from + packed!;
    expect([0, 4, 8, 12].map((place) => bytes.readUInt32LE(behind + place))).toEqual([
      0x08074b50,
      crc,
      packed,
      size,
    ]);
    expect(parts.has(name)).toBe(false);
    parts.set(name, content);
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  expect(at).toBe(directory.end);
  return parts;
}

/** The place of the directory, from the end record; from the ZIP64 record where the end record has no room for it. */
function directoryOf(bytes: Buffer): { start: number; end: number; entries: number } {
  const last = bytes.length - 22;
  expect(bytes.readUInt32LE(last)).toBe(0x06054b50);
  const [entries, size, start] = [
    bytes.readUInt16LE(last + 10),
    bytes.readUInt32LE(last + 12),
    bytes.readUInt32LE(last + 16),
  ];
  const isFull = entries === 0xffff || size === 0xffffffff || start === 0xffffffff;
  const hasLocator = last >= 20 && bytes.readUInt32LE(last - 20) === 0x07064b50;
  expect(hasLocator).toBe(isFull);
  if (!isFull) {
    expect(start + size).toBe(last);
    return { start, end: start + size, entries };
  }
  const place = Number(bytes.readBigUInt64LE(last - 12));
  expect(place + 56).toBe(last - 20);
  expect(bytes.readUInt32LE(place)).toBe(0x06064b50);
  const [far, farSize, farStart] = [32, 40, 48].map((at) => Number(bytes.readBigUInt64LE(place + at)));
  expect(farStart! + farSize!).toBe(place);
  return { start: farStart!, end: farStart! + farSize!, entries: far! };
}
