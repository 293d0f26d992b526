import { PassThrough, pipeline } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { FileStore } from '../files/file-store.ts';
import { NoRoom } from '../files/no-room.ts';
import { containedFiles, type FileSelection } from './contained-files-queries.ts';
import { ARCHIVE_FOLDER } from './csv-sql.ts';
import type { ExportRequest } from './export-request.ts';
import { GIVE_WAY_MS, type OpenExport, openExport } from './open-export.ts';
import { createZip } from './zip.ts';

const TABLE = 'submissions.csv';

/** What is left free of a disk: so many bytes, or this part of it where that is less. The database may lie on it, too. */
const KEPT_FREE = { bytes: 512 * 1024 * 1024, part: 0.1 };
/** Bytes that are written between two looks at the disk. */
const LOOK_BYTES = 8 * 1024 * 1024;

/** A file that is written as fast as it is read, like the table in it. */
export interface OpenArchive extends OpenExport {
  /** How much of the files is in it, from 0 to 1; null where there are none. */
  filesShare(): number | null;
}

interface ArchiveSource {
  store: FileStore;
  /** Of all files together, by `sumFileSizes`. */
  expectedBytes: number;
  /** Whether something more urgent wants the processor now. */
  givesWay(): boolean;
}

/**
 * Opens an archive of the CSV file and the files in its columns, in a folder for each submission. A file that goes after its line
 * was written, with its submission or by an edit, is left out.
 * @param pool connections without statement timeout
 */
export async function openArchive(
  pool: pg.Pool,
  request: ExportRequest,
  { store, expectedBytes, givesWay }: ArchiveSource,
): Promise<OpenArchive> {
  const selection = selectionOf(request);
  await needRoom(store, expectedBytes);
  const table = await openExport(pool, request, { givesWay });
  const file = new PassThrough();
  let [packed, unseen] = [0, 0];

  async function* pack(lines: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const made: Buffer[] = [];
    const zip = createZip((bytes) => made.push(bytes));
    const take = async () => {
      const bytes = made.splice(0);
      unseen += bytes.reduce((sum, { length }) => sum + length, 0);
      if (unseen > LOOK_BYTES) {
        unseen = 0;
        await needRoom(store, 0);
      }
      return bytes;
    };
    try {
      const entry = zip.open(TABLE);
      for await (const bytes of lines) {
        await entry.write(bytes);
        yield* await take();
      }
      await entry.close();
      for await (const { submissionId, name, storeName } of containedFiles(pool, selection)) {
        // Nobody would tell while nothing is written.
        if (file.destroyed) return;
        const content: AsyncIterable<Buffer> | null = await store.read(storeName);
        if (!content) continue;
        // Pictures, films and documents are packed already.
        const entry = zip.open(`${ARCHIVE_FOLDER}/${submissionId}/${name}`, true);
        for await (const bytes of content) {
          await entry.write(bytes);
          packed += bytes.length;
          yield* await take();
          if (givesWay()) await sleep(GIVE_WAY_MS);
        }
        await entry.close();
      }
      zip.end();
      yield* made.splice(0);
    } finally {
      zip.abandon();
    }
  }

  // What breaks one of them destroys the others.
  pipeline(table.file, pack, file, () => {});
  return {
    file,
    rowCount: table.rowCount,
    filesShare: () => (expectedBytes === 0 ? null : Math.min(1, packed / expectedBytes)),
  };
}

/** @throws NoRoom where a disk would have less left than is kept free */
async function needRoom(store: FileStore, bytes: number): Promise<void> {
  const space = await store.space();
  if (space && space.free - bytes < Math.min(KEPT_FREE.bytes, KEPT_FREE.part * space.total))
    throw new NoRoom();
}

/** Which files belong into the archive of a request. */
export function selectionOf({ formId, submissionIds, columns }: ExportRequest): FileSelection {
  const fieldIds = columns.flatMap((column) =>
    column.source === 'field' && column.csvKind === 'files' ? column.id : [],
  );
  return { formId, submissionIds, fieldIds };
}
