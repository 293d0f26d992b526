import { VERSION } from '../../version.ts';
import { Bytes } from './bytes.ts';
import type { Chunk } from './chunk.ts';
import type { Leaf } from './leaves.ts';
import { flag, int32, int64, list, struct, text, type Value, written } from './thrift.ts';
import { ENCODINGS, type Type } from './values.ts';

/** A chunk in the file. */
export interface PlacedChunk extends Pick<Chunk, 'bytes' | 'plainBytes'> {
  /** What the footer says of it; there may be very many, so each is written when it is at hand. */
  about: Buffer;
}

/** Some submissions, with a chunk for each column. */
export interface RowGroup {
  rows: number;
  /** Where it begins in the file. */
  start: number;
  chunks: PlacedChunk[];
}

interface Contents {
  leaves: readonly Leaf[];
  /** With the chunks of these leaves. */
  groups: readonly RowGroup[];
  /** What programs find beside the columns. */
  notes: Record<string, string>;
}

/** Of the format; its later encodings and types are from version 2. */
const FORMAT_VERSION = 2;
const CODECS = { none: 0, gzip: 2 };
const [OPTIONAL, REQUIRED, REPEATED] = [1, 0, 2];
const EMPTY = struct({});
const IN_MILLISECONDS = struct({ 1: EMPTY });
/** Physical types by their codes, and what they mean: the annotation of older readers and that of newer ones. */
const TYPES: Record<Type, { code: number; former?: number; logical?: Value }> = {
  boolean: { code: 0 },
  int32: { code: 1 },
  int64: { code: 2 },
  double: { code: 5 },
  text: { code: 6, former: 0, logical: struct({ 1: EMPTY }) },
  day: { code: 1, former: 6, logical: struct({ 6: EMPTY }) },
  moment: { code: 2, former: 9, logical: struct({ 8: struct({ 1: flag(true), 2: IN_MILLISECONDS }) }) },
  // The older annotation is always in UTC.
  local: { code: 2, logical: struct({ 8: struct({ 1: flag(false), 2: IN_MILLISECONDS }) }) },
};
const LIST = { former: 3, logical: struct({ 3: EMPTY }) };

/** The end of a file, which says what is where (`FileMetaData` in parquet.thrift of the format). */
export function fileMetaData({ leaves, groups, notes }: Contents): Value {
  const rows = groups.reduce((sum, group) => sum + group.rows, 0);
  return struct({
    1: int32(FORMAT_VERSION),
    2: list(schemaOf(leaves)),
    3: int64(rows),
    4: list(groups.map(rowGroup)),
    5: list(Object.entries(notes).map(([key, value]) => struct({ 1: text(key), 2: text(value) }))),
    6: text(`formstead version ${VERSION}`),
  });
}

/** All elements of the tree, each before those below it. */
function schemaOf(leaves: readonly Leaf[]): Value[] {
  const tops = below(leaves, 0);
  return [
    struct({ 4: text('submissions'), 5: int32(tops.length) }),
    ...tops.flatMap((top) => elements(top, 0)),
  ];
}

/** Leaves with the same name at a depth of their paths stand together. */
function below(leaves: readonly Leaf[], depth: number): Leaf[][] {
  const byName = Map.groupBy(leaves, ({ path }) => path[depth]);
  return [...byName.values()];
}

/** @param leaves below the element @param depth index of its name in their paths: every third is that of a column */
function elements(leaves: readonly Leaf[], depth: number): Value[] {
  const [{ path, type } = { path: [], type: 'text' as const }] = leaves;
  const name = text(path[depth] ?? '');
  if (depth === path.length - 1) {
    const { code, former, logical } = TYPES[type];
    const meaning = former === undefined ? undefined : int32(former);
    return [struct({ 1: int32(code), 3: int32(OPTIONAL), 4: name, 6: meaning, 10: logical })];
  }
  const children = below(leaves, depth + 1);
  const group = (repetition: number, meaning: Record<number, Value> = {}) =>
    struct({ 3: int32(repetition), 4: name, 5: int32(children.length), ...meaning });
  const own = [
    () => group(OPTIONAL, { 6: int32(LIST.former), 10: LIST.logical }),
    () => group(REPEATED),
    () => group(REQUIRED),
  ];
  return [own[depth % 3]?.() ?? EMPTY, ...children.flatMap((child) => elements(child, depth + 1))];
}

function rowGroup({ rows, start, chunks }: RowGroup): Value {
  const sum = (size: 'bytes' | 'plainBytes') =>
    int64(chunks.reduce((bytes, chunk) => bytes + chunk[size], 0));
  return struct({
    1: list(chunks.map(({ about }) => written(about))),
    2: sum('plainBytes'),
    3: int64(rows),
    5: int64(start),
    6: sum('bytes'),
  });
}

/** @param start where it begins in the file */
export function placeChunk({ path, type }: Leaf, chunk: Chunk, start: number): PlacedChunk {
  const { count, bytes, plainBytes, dictionaryBytes, isPacked } = chunk;
  const hasDictionary = dictionaryBytes > 0;
  const { plain, runs, dictionary } = ENCODINGS;
  const encodings = hasDictionary ? [plain, runs, dictionary] : [plain, runs];
  const about = struct({
    1: int32(TYPES[type].code),
    2: list(encodings.map(int32)),
    3: list(path.map(text)),
    4: int32(isPacked ? CODECS.gzip : CODECS.none),
    5: int64(count),
    6: int64(plainBytes),
    7: int64(bytes),
    9: int64(start + dictionaryBytes),
    11: hasDictionary ? int64(start) : undefined,
  });
  const out = new Bytes();
  struct({ 2: int64(start), 3: about }).write(out);
  // On its own: it stays until the end, and would keep what shares memory with it.
  const kept = Buffer.allocUnsafeSlow(out.length);
  out.view().copy(kept);
  return { about: kept, bytes, plainBytes };
}
