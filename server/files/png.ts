import { crc32 } from 'node:zlib';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
/** Pixels. A picture with a longer side was not drawn by hand. */
const MAX_SIDE = 10_000;
/** Bytes of length, type and checksum, which every chunk has. */
const CHUNK_FRAME = 12;

/**
 * Whether the bytes are one whole PNG and nothing else: every chunk has the right checksum, the header comes first, the
 * end last, and nothing follows (W3C PNG, 5). The pixels are not looked at.
 */
export function isPng(bytes: Buffer): boolean {
  if (!bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return false;
  let hasPixels = false;
  for (let at = SIGNATURE.length; at + CHUNK_FRAME <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const end = at + CHUNK_FRAME + length;
    if (end > bytes.length) return false;
    if (crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) return false;
    const type = bytes.toString('latin1', at + 4, at + 8);
    if ((at === SIGNATURE.length) !== (type === 'IHDR')) return false;
    if (type === 'IHDR' && !hasSensibleSides(bytes.subarray(at + 8, end - 4))) return false;
    if (type === 'IDAT') hasPixels = true;
    if (type === 'IEND') return hasPixels && end === bytes.length;
    at = end;
  }
  return false;
}

function hasSensibleSides(header: Buffer): boolean {
  if (header.length !== 13) return false;
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  return width > 0 && height > 0 && width <= MAX_SIDE && height <= MAX_SIDE;
}
