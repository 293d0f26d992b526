import { PassThrough, pipeline } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { FileStore } from '../files/file-store.ts';
import { readSteadily } from '../files/read-steadily.ts';
import type { ExportRequest } from './export-request.ts';
import { containedFiles, type FileSelection } from './jobs/contained-files-queries.ts';
import { GIVE_WAY_MS, type OpenExport, openExport } from './open-export.ts';
import { ARCHIVE_FOLDER } from './sql/cell-sql.ts';
import { createZip, type ZipEntry } from './zip.ts';

const TABLE = 'submissions.csv';
/** Lists files that the table names but the store has lost, a path per line. Left out when nothing is missing. */
const MISSING = 'missing-files.txt';

/** An archive that is written as fast as it is read. */
interface OpenArchive extends OpenExport {
  /** How much of the files has been packed, from 0 to 1; null where there are none. */
  filesShare(): number | null;
}

interface ArchiveSource {
  store: FileStore;
  /** Size of all files together, by `sumFileSizes`. */
  expectedBytes: number;
  /** Whether something more urgent wants the processor now. */
  givesWay(): boolean;
}

/**
 * Opens an archive of the CSV file and the files in its columns, in a folder for each submission. Left out are files that were
 * deleted after their line was written, with their submission or by an edit, and files that the store has lost; the latter are listed
 * in the archive.
 * @param pool connections without statement timeout
 */
export async function openArchive(
  pool: pg.Pool,
  request: ExportRequest,
  { store, expectedBytes, givesWay }: ArchiveSource,
): Promise<OpenArchive> {
  const selection = selectionOf(request);
  const table = await openExport(pool, request, { givesWay });
  const file = new PassThrough();
  const missing: string[] = [];
  let packed = 0;

  async function* pack(lines: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const made: Buffer[] = [];
    const zip = createZip((bytes) => made.push(bytes));
    const take = () => made.splice(0);
    async function* add(entry: ZipEntry, content: AsyncIterable<Buffer> | Iterable<Buffer>) {
      for await (const bytes of content) {
        await entry.write(bytes);
        yield* take();
      }
      await entry.close();
    }
    try {
      yield* add(zip.open(TABLE), lines);
      for await (const { submissionId, name, storeName } of containedFiles(pool, selection)) {
        // The reader may be gone, which is not noticed otherwise while nothing is written.
        if (file.destroyed) return;
        const path = `${ARCHIVE_FOLDER}/${submissionId}/${name}`;
        const content = await readSteadily(store, storeName);
        // Pictures, films and documents are compressed already.
        if (content) yield* add(zip.open(path, true), paced(content));
        else missing.push(path);
      }
      if (missing.length > 0) yield* add(zip.open(MISSING), [Buffer.from(`${missing.join('\n')}\n`)]);
      zip.end();
      yield* take();
    } finally {
      zip.abandon();
    }
  }

  /** Counts what has been packed of the files, and rests while more urgent work waits. */
  async function* paced(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const bytes of content) {
      yield bytes;
      packed += bytes.length;
      if (givesWay()) await sleep(GIVE_WAY_MS);
    }
  }

  // An error of one stream destroys the others.
  pipeline(table.file, pack, file, () => {});
  return {
    file,
    rowCount: table.rowCount,
    filesShare: () => (expectedBytes === 0 ? null : Math.min(1, packed / expectedBytes)),
  };
}

/** The files that belong into the archive of a request. */
export function selectionOf({ formId, submissionIds, columns }: ExportRequest): FileSelection {
  const fieldIds = columns.flatMap((column) =>
    column.source === 'field' && column.csvKind === 'files' ? column.id : [],
  );
  return { formId, submissionIds, fieldIds };
}
