import { createHash } from 'node:crypto';
import type pg from 'pg';
import { CopyOut } from '../db/copy-out.ts';
import type { FileStore } from '../files/file-store.ts';
import { readSteadily } from '../files/read-steadily.ts';
import { VERSION } from '../version.ts';
import {
  type BackupHeader,
  FILE_FOLDER,
  FORMAT,
  FORMAT_VERSION,
  HEADER,
  KEY,
  MANIFEST,
  type Manifest,
  PART_BYTES,
  partName,
  QUEUE,
  TABLE_FOLDER,
} from './format.ts';
import {
  beginSnapshot,
  COPY_JOBS_OUT,
  copyOut,
  describeDatabase,
  endSnapshot,
  storedFileNames,
} from './queries.ts';
import { TAR_END, tarEntry } from './tar.ts';

/** The source of a backup. */
export interface BackupSource {
  /** A separate connection, without statement timeout, outside any transaction. */
  client: pg.ClientBase;
  files: FileStore;
  key: { text: string | null; state: BackupHeader['key']; check: string | null };
}

/** Missing files that are listed by name. */
const NAMED_MISSING_FILES = 100;
/** Interval between progress reports on a long table, in milliseconds. */
const TELL_INTERVAL_MS = 3_000;

/**
 * The uncompressed bytes of a backup, made only as fast as they are read, with a few parts in memory at a time.
 * @param tell hears of the progress
 */
export async function* backupBytes(
  { client, files, key }: BackupSource,
  tell: (line: string) => void,
): AsyncGenerator<Buffer> {
  const tables = await beginSnapshot(client);
  const database = await describeDatabase(client);
  const header: BackupHeader = {
    format: FORMAT,
    format_version: FORMAT_VERSION,
    formstead: VERSION,
    ...database,
    tables: tables.map(({ name, columns }) => ({ name, columns })),
    key: key.state,
    key_check: key.check,
  };
  const takenAt = new Date(header.taken_at);
  const digest = createHash('sha256');
  const entry = (name: string, data: Buffer) => {
    const { blocks } = tarEntry(name, data, takenAt);
    for (const block of blocks) digest.update(block);
    return blocks;
  };
  let toldAt = performance.now();
  const isTimeToTell = () => {
    if (performance.now() - toldAt < TELL_INTERVAL_MS) return false;
    toldAt = performance.now();
    return true;
  };
  async function* item(name: string, content: AsyncIterable<Buffer>, count: (part: Buffer) => void) {
    let index = 0;
    for await (const part of inParts(content)) {
      count(part);
      yield* entry(partName(name, index), part);
      index += 1;
    }
  }

  yield* entry(HEADER, json(header));
  if (key.text !== null) yield* entry(KEY, Buffer.from(`${key.text}\n`));

  const manifest: Omit<Manifest, 'sha256'> = {
    tables: [],
    jobs: 0,
    files: { count: 0, bytes: 0 },
    missing_files: { count: 0, names: [] },
  };
  for (const table of tables) {
    const counted = { name: table.name, rows: 0, bytes: 0 };
    const copy = client.query(new CopyOut(copyOut(table)));
    yield* item(`${TABLE_FOLDER}${table.name}.copy`, copy, (part) => {
      counted.bytes += part.length;
      if (isTimeToTell()) tell(`${table.name}: ${inMegabytes(counted.bytes)} so far`);
    });
    counted.rows = copy.rowCount;
    manifest.tables.push(counted);
    if (counted.rows > 0) tell(`${table.name}: ${counted.rows} rows`);
  }
  const jobs = client.query(new CopyOut(COPY_JOBS_OUT));
  yield* item(QUEUE, jobs, () => {});
  manifest.jobs = jobs.rowCount;

  for await (const name of storedFileNames(client, tables)) {
    const content = await readSteadily(files, name);
    if (content === null) {
      manifest.missing_files.count += 1;
      if (manifest.missing_files.names.length < NAMED_MISSING_FILES) manifest.missing_files.names.push(name);
      tell(`missing: ${name} was deleted meanwhile, or is lost`);
      continue;
    }
    yield* item(`${FILE_FOLDER}${name}`, content, (part) => {
      manifest.files.bytes += part.length;
    });
    manifest.files.count += 1;
  }
  tell(`files: ${manifest.files.count}, ${inMegabytes(manifest.files.bytes)}`);
  await endSnapshot(client);

  const complete: Manifest = { ...manifest, sha256: digest.digest('hex') };
  yield* tarEntry(MANIFEST, json(complete), takenAt).blocks;
  yield TAR_END;
}

/** Cuts a stream into parts; an empty stream gives one empty part. */
async function* inParts(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let length = 0;
  let isFirst = true;
  for await (const chunk of content) {
    held.push(chunk);
    length += chunk.length;
    while (length >= PART_BYTES) {
      const all = Buffer.concat(held);
      yield all.subarray(0, PART_BYTES);
      isFirst = false;
      held = [all.subarray(PART_BYTES)];
      length -= PART_BYTES;
    }
  }
  if (length > 0 || isFirst) yield Buffer.concat(held);
}

function json(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
}

function inMegabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
