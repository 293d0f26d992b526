import { PassThrough, type Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { FileStore } from '../files/file-store.ts';
import { type BackupContent, FILE_FOLDER, KEY, nameOfPart, QUEUE, TABLE_FOLDER } from './format.ts';
import { COPY_JOBS_IN, copyIn } from './queries.ts';
import { archiveEntries } from './read-archive.ts';
import { DamagedArchive } from './tar.ts';

/** Takes the parts of one table or file; `end` resolves when all is stored. */
interface Sink {
  name: string;
  write(part: Buffer): Promise<void>;
  end(): Promise<void>;
  /** Discards what was written. */
  abandon(): void;
}

/** What an archive holds beside the tables. */
export interface RestoredContent {
  key: string | null;
  files: number;
}

/** The destination of a restore. */
interface RestoreTarget {
  /** In a transaction, with all tables and the one for jobs made and empty. */
  client: pg.ClientBase;
  files: FileStore;
  /** Whether files in the store stay as they are. */
  keepFiles: boolean;
  /** Called when all tables are filled: the transaction can be ended. */
  tablesDone(): Promise<void>;
}

/**
 * Stores the rows and files of a checked archive, part by part.
 * @throws DamagedArchive when it is not the archive that was checked
 */
export async function restoreContent(
  path: string,
  { header, manifest }: BackupContent,
  target: RestoreTarget,
  tell: (line: string) => void,
): Promise<RestoredContent> {
  const content: RestoredContent = { key: null, files: 0 };
  let sink: Sink | null = null;
  let areTablesDone = false;
  try {
    for await (const entry of archiveEntries(path)) {
      const name = nameOfPart(entry.name);
      if (sink !== null && sink.name !== name) {
        await sink.end();
        sink = null;
      }
      if (!areTablesDone && name.startsWith(FILE_FOLDER)) await finishTables();
      if (name === KEY) content.key = entry.data.toString('utf8').trim();
      else if (sink === null) sink = await open(name);
      await sink?.write(entry.data);
    }
    await sink?.end();
    if (!areTablesDone) await finishTables();
    return content;
  } catch (error) {
    sink?.abandon();
    throw error;
  }

  async function finishTables(): Promise<void> {
    areTablesDone = true;
    await target.tablesDone();
  }

  async function open(name: string): Promise<Sink | null> {
    if (name === QUEUE) return copySink(target.client, name, COPY_JOBS_IN, manifest.jobs);
    if (name.startsWith(TABLE_FOLDER)) {
      const table = header.tables.find((table) => `${TABLE_FOLDER}${table.name}.copy` === name);
      if (!table) throw new DamagedArchive(`The archive holds a table it does not describe: ${name}.`);
      const rows = manifest.tables.find((counted) => counted.name === table.name)?.rows ?? 0;
      if (rows > 0) tell(`${table.name}: ${rows} rows`);
      return copySink(target.client, name, copyIn(table), rows);
    }
    if (!name.startsWith(FILE_FOLDER)) return null;
    content.files += 1;
    return fileSink(target, name);
  }
}

/** @throws DamagedArchive from `end` when the number of rows differs from the number written */
function copySink(client: pg.ClientBase, name: string, statement: string, rows: number): Sink {
  const copy = client.query(copyFrom(statement));
  const done = finished(copy);
  // A later `await` still gets the error.
  done.catch(() => {});
  return {
    name,
    write: (part) => writePart(copy, part, done),
    async end() {
      copy.end();
      await done;
      if (copy.rowCount !== rows)
        throw new DamagedArchive(`${name} has ${copy.rowCount} rows instead of ${rows}.`);
    },
    abandon: () => copy.destroy(),
  };
}

async function fileSink({ files, keepFiles }: RestoreTarget, path: string): Promise<Sink | null> {
  const name = path.slice(FILE_FOLDER.length);
  if (keepFiles && (await isThere(files, name)))
    return { name: path, async write() {}, async end() {}, abandon() {} };
  const content = new PassThrough();
  const done = files.write(name, content);
  done.catch((error) => content.destroy(error));
  return {
    name: path,
    write: (part) => writePart(content, part, done),
    async end() {
      content.end();
      await done;
    },
    abandon: () => content.destroy(new Error('The restore was given up.')),
  };
}

async function isThere(files: FileStore, name: string): Promise<boolean> {
  const found = await files.read(name);
  found?.destroy();
  return found !== null;
}

/** Writes a part and waits for room for the next; `done` tells when the stream takes no more. */
async function writePart(stream: Writable, part: Buffer, done: Promise<unknown>): Promise<void> {
  if (stream.write(part)) return;
  const drained = new Promise<void>((resolve) => stream.once('drain', resolve));
  await Promise.race([drained, done]);
}
