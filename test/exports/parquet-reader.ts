import { gunzipSync } from 'node:zlib';
import { parquetMetadata, parquetReadObjects, type SchemaElement } from 'hyparquet';

/** A Parquet file as a program that opens it sees it. */
interface OpenedParquet {
  /** Integers are numbers, days and times are texts: `2026-01-02`, `2026-01-02T10:30:00.000` with `Z` if in UTC. */
  rows: Record<string, unknown>[];
  /** `name TYPE` of each column; those of entries with the name of the list before them. */
  columns: string[];
  /** What the file tells of its fields. */
  fields: Record<string, unknown>[];
  /** Rows of each row group. */
  groups: number[];
}

export async function readParquet(bytes: Buffer): Promise<OpenedParquet> {
  const file = new Uint8Array(bytes).buffer;
  const metadata = parquetMetadata(file);
  const compressors = { GZIP: (packed: Uint8Array) => gunzipSync(packed) };
  const types = new Map(metadata.schema.map((element) => [element.name, element]));
  const isUtc = (name: string) => {
    const { logical_type: meaning } = types.get(name) ?? {};
    return meaning?.type === 'TIMESTAMP' && meaning.isAdjustedToUTC;
  };
  const found = await parquetReadObjects({ file, metadata, compressors });
  const [note] = metadata.key_value_metadata ?? [];
  return {
    rows: found.map((row) => plain(row, isUtc) as Record<string, unknown>),
    columns: columnsIn(metadata.schema),
    fields: JSON.parse(note?.value ?? '{}').fields,
    groups: metadata.row_groups.map(({ num_rows: rows }) => Number(rows)),
  };
}

function plain(value: unknown, isUtc: (name: string) => unknown, name = ''): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Date) {
    const text = value.toISOString();
    if (isUtc(name)) return text;
    return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text.slice(0, -1);
  }
  if (Array.isArray(value)) return value.map((item) => plain(item, isUtc));
  if (typeof value !== 'object' || value === null) return value ?? null;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, plain(one, isUtc, key)]));
}

/** Walks through the tree, whose elements stand in a list with the numbers of their children. */
function columnsIn(schema: readonly SchemaElement[]): string[] {
  let at = 0;
  function below(prefix: string): string[] {
    const element = schema[at++];
    if (!element) return [];
    const { name, num_children: children = 0 } = element;
    const own = name === 'list' || name === 'element' ? prefix : [prefix, name].filter(Boolean).join('.');
    if (children === 0) return [`${own} ${typeOf(element)}${name === 'element' ? '[]' : ''}`];
    return Array.from({ length: children }, () => below(own)).flat();
  }
  const [root] = schema;
  at = 1;
  return Array.from({ length: root?.num_children ?? 0 }, () => below('')).flat();
}

function typeOf({ type, logical_type: meaning }: SchemaElement): string {
  if (meaning?.type === 'TIMESTAMP') return meaning.isAdjustedToUTC ? 'UTC' : 'TIMESTAMP';
  return meaning?.type ?? type ?? '';
}
