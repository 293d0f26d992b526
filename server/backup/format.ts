import { DamagedArchive } from './tar.ts';

/**
 * The format of a backup: a gzip-compressed tar archive that holds, in this order,
 *
 * - `backup.json`, a `BackupHeader`;
 * - `secret.key`, unless the key is kept elsewhere;
 * - `tables/<table>.copy`, each table as PostgreSQL's `COPY … TO STDOUT` writes it (text format, UTF-8), after the tables
 * it refers to; `tables/jobs.copy` below `queue/` holds waiting background jobs in the same way;
 * - `files/<name>`, the files of the file store that rows of these tables name;
 * - `manifest.json`, a `Manifest` that verifies everything before it.
 *
 * Content longer than a part continues in entries named `<name>~000002`, `~000003` …
 */
export const FORMAT = 'formstead-backup';
/** Raised when older versions could not read what newer ones write. */
export const FORMAT_VERSION = 1;
/** Bytes of one part; a few parts are in memory at a time. */
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
  /** The version of Formstead that made the backup. */
  formstead: string;
  /** The moment of the snapshot. */
  taken_at: string;
  /** `server_version_num` of the database server it comes from. */
  postgres: number;
  /** The schema: applied migrations, in order. */
  migrations: { name: string; checksum: string }[];
  tables: { name: string; columns: string[] }[];
  /** The last value of each sequence; null = none yet. */
  sequences: { name: string; last_value: number | null }[];
  /** Where the key of the encrypted values is. */
  key: 'included' | 'left out' | 'SECRET_KEY' | 'none';
  /** The fingerprint of the key, to recognise it by; null without a key. */
  key_check: string | null;
}

export interface Manifest {
  tables: { name: string; rows: number; bytes: number }[];
  jobs: number;
  files: { count: number; bytes: number };
  /** Files that rows name but the store lacked: their number, and the first of them. */
  missing_files: { count: number; names: string[] };
  /** SHA-256 of every byte of the uncompressed archive before this entry. */
  sha256: string;
}

/** Contents of a backup, from its header and its manifest. */
export interface BackupContent {
  header: BackupHeader;
  manifest: Manifest;
}

/** The name of part `index`, counted from 0. */
export function partName(name: string, index: number): string {
  return index === 0 ? name : `${name}~${String(index + 1).padStart(6, '0')}`;
}

/** The name of what a part belongs to. */
export function nameOfPart(text: string): string {
  return text.replace(/~\d{6,}$/, '');
}

/** @throws DamagedArchive when the first entry is not a header of this format */
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
