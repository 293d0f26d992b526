import { constants, crc32, deflateRawSync } from 'node:zlib';

/** A page that is the same for every visitor except for a few short texts. */
export interface PageTemplate {
  /** The page with values in the order of `places`. */
  plain(values: readonly string[]): string;
  /** The page as gzip. The common part is compressed once, so this costs only a copy and a checksum. */
  gzip(values: readonly string[]): Buffer;
  /** Approximate bytes in memory. */
  size: number;
}

/** RFC 1952: no name, no time, unknown system. */
const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 255]);
/** RFC 1951, 3.2.4: an empty stored block that is the last. */
const LAST_BLOCK = Buffer.from([1, 0, 0, 0xff, 0xff]);
/** RFC 1951, 2: how far back deflate may refer. */
const WINDOW_BYTES = 32_768;
const DEFLATE = { level: 9, finishFlush: constants.Z_SYNC_FLUSH };
/** Each is compressed twice: beyond this, pages are made anew for less. Usual ones have about ten. */
const MAX_SEGMENTS = 500;
const STORED_HEAD_BYTES = 5;
const TRAILER_BYTES = 8;

interface Segment {
  text: string;
  bytes: Buffer;
  /**
   * Deflate blocks that end on a byte, and may refer to earlier text but not to values. Distances include the values, so they are
   * right only if all earlier values are as long as their places.
   */
  deflated: Buffer;
  /** Like `deflated`, without references to earlier text: somewhat longer, but right after values of any length. */
  deflatedAlone: Buffer;
  /** Index of the value that follows; null after the last segment. */
  place: number | null;
}

/**
 * Splits a page at its places.
 * @param places unlikely texts that stand for the values, best of the usual length of the values; each may occur several times
 * @returns null for a page with more than `MAX_SEGMENTS`
 */
export function compileTemplate(page: string, places: readonly string[]): PageTemplate | null {
  const segments = divide(page, places);
  if (segments.length > MAX_SEGMENTS) return null;
  return {
    plain: (values) =>
      segments.map(({ text, place }) => (place === null ? text : text + values[place])).join(''),
    gzip: (values) => gzip(segments, places, values),
    size: segments.reduce(
      (sum, { text, bytes, deflated, deflatedAlone }) =>
        sum + 2 * text.length + bytes.length + deflated.length + deflatedAlone.length,
      0,
    ),
  };
}

function divide(page: string, places: readonly string[]): Segment[] {
  const segments: Segment[] = [];
  // The text that deflate may refer back to; places are filled with bytes that no page contains.
  let before = Buffer.alloc(0);
  for (const { text, place } of cut(page, places)) {
    const bytes = Buffer.from(text);
    const deflatedAlone = deflateRawSync(bytes, DEFLATE);
    const deflated =
      before.length > 0 ? deflateRawSync(bytes, { ...DEFLATE, dictionary: before }) : deflatedAlone;
    segments.push({ text, bytes, deflated, deflatedAlone, place });
    if (segments.length > MAX_SEGMENTS) break;
    const end = Buffer.alloc(place === null ? 0 : (places[place]?.length ?? 0));
    before = Buffer.concat([before, bytes.subarray(-WINDOW_BYTES), end]).subarray(-WINDOW_BYTES);
  }
  return segments;
}

/** The texts between the places, each with the place that follows. */
function* cut(page: string, places: readonly string[]): Generator<Pick<Segment, 'text' | 'place'>> {
  const next = places.map((text, place) => ({ place, text, at: page.indexOf(text) }));
  for (let start = 0; ; ) {
    for (const one of next) if (one.at >= 0 && one.at < start) one.at = page.indexOf(one.text, start);
    const first = next.filter(({ at }) => at >= 0).sort((one, other) => one.at - other.at)[0];
    yield { text: page.slice(start, first?.at), place: first?.place ?? null };
    if (!first) return;
    start = first.at + first.text.length;
  }
}

function gzip(segments: readonly Segment[], places: readonly string[], values: readonly string[]): Buffer {
  const parts: Buffer[] = [GZIP_HEADER];
  let checksum = 0;
  let length = 0;
  let isShifted = false;
  const count = (bytes: Buffer) => {
    checksum = crc32(bytes, checksum);
    length += bytes.length;
  };
  for (const { bytes, deflated, deflatedAlone, place } of segments) {
    count(bytes);
    parts.push(isShifted ? deflatedAlone : deflated);
    if (place === null) continue;
    const value = Buffer.from(values[place] ?? '');
    isShifted ||= value.length !== places[place]?.length;
    count(value);
    parts.push(storedHead(value.length), value);
  }
  const trailer = Buffer.alloc(TRAILER_BYTES);
  trailer.writeUInt32LE(checksum, 0);
  trailer.writeUInt32LE(length % 2 ** 32, 4);
  parts.push(LAST_BLOCK, trailer);
  return Buffer.concat(parts);
}

/** RFC 1951, 3.2.4: a stored block that is not the last: its length (at most 65,535), and the same with every bit inverted. */
function storedHead(length: number): Buffer {
  const head = Buffer.alloc(STORED_HEAD_BYTES);
  head.writeUInt16LE(length, 1);
  head.writeUInt16LE(length ^ 0xffff, 3);
  return head;
}
