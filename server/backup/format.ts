import { DamagedArchive } from './tar.ts';

/**
 * What a backup consists of: a tar archive, compressed by gzip, that holds, in this order,
 *
 * - `backup.json`, a `BackupHeader`;
 * - `secret.key`, unless the key is kept elsewhere;
 * - `tables/<table>.copy`, each table as PostgreSQL's `COPY … TO STDOUT` writes it (text format, UTF-8), a table after those it
 *   refers to; `tables/jobs.copy` below `queue/` the same for waiting background jobs;
 * - `files/<name>`, the files of the file store that rows of these tables name;
 * - `manifest.json`, a `Manifest`, by which all before it is checked.
 *
 * What is longer than a part goes on in entries named `<name>~000002`, `~000003` …
 */
export const FORMAT = 'formstead-backup';
/** Grows when an older version could not read what a newer one writes. */
export const FORMAT_VERSION = 1;
/** Bytes of one part; a few of them are in memory at a time. */
export const PART_BYTES = 4 * 1024 * 1024;

export const HEADER = 'backup.json';
export const KEY = 'secret.key';
export const TABLE_FOLDER = 'tables/';
export const QUEUE = 'queue/jobs.copy';
export const FILE_FOLDER = 'files/';
export const MANIFEST = 'manifest.json';

export interface BackupHeader {
  format: typeof FORMAT;
  format_version: number;
  /** The version of Formstead that made it. */
  formstead: string;
  /** The moment whose state it holds. */
  taken_at: string;
  /** As `server_version_num` of the server it comes from. */
  postgres: number;
  /** The schema: migrations that were applied, in order. */
  migrations: { name: string; checksum: string }[];
  tables: { name: string; columns: string[] }[];
  /** The last value each sequence has given out; null = none yet. */
  sequences: { name: string; last_value: number | null }[];
  /** Where the key of the encrypted values is. */
  key: 'included' | 'left out' | 'SECRET_KEY' | 'none';
  /** The fingerprint of the key, which tells whether another one is the same; null without a key. */
  key_check: string | null;
}

export interface Manifest {
  tables: { name: string; rows: number; bytes: number }[];
  jobs: number;
  files: { count: number; bytes: number };
  /** Files that rows name and the store did not have: how many, and the first of them. */
  missing_files: { count: number; names: string[] };
  /** SHA-256 of every byte of the uncompressed archive before this entry. */
  sha256: string;
}

/** What a backup says of itself: at its beginning what it is, at its end what it came to hold. */
export interface BackupContent {
  header: BackupHeader;
  manifest: Manifest;
}

/** The name of part `index`, counted from 0. */
export function partName(name: string, index: number): string {
  return index === 0 ? name : `${name}~${String(index + 1).padStart(6, '0')}`;
}

/** The name a part belongs to, and its index. */
export function parsePartName(text: string): { name: string; index: number } {
  const [, name = text, number = '1'] = /^(.+)~(\d{6,})$/.exec(text) ?? [];
  return { name, index: Number(number) - 1 };
}

/** @throws DamagedArchive when the first entry is none of ours */
export function parseHeader(data: Buffer): BackupHeader {
  const header = parse(data) as BackupHeader | null;
  if (header?.format !== FORMAT) throw new DamagedArchive('The file is no backup of Formstead.');
  return header;
}

export function parseManifest(data: Buffer): Manifest {
  return parse(data) as Manifest;
}

function parse(data: Buffer): unknown {
  try {
    return JSON.parse(data.toString('utf8'));
  } catch {
    throw new DamagedArchive('The archive is damaged: a description in it cannot be read.');
  }
}
