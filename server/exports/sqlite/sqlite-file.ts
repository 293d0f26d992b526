import { randomBytes } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDirectory } from '../../file-system.ts';
import { freeShortLived } from '../../heap.ts';
import type { ExportColumn } from '../columns/columns.ts';
import type { Scratch } from './scratch.ts';
import { createWriter } from './writer.ts';

/** Bytes read between two looks at the free room. */
const LOOK_BYTES = 8 * 1024 * 1024;
const CHUNK_BYTES = 256 * 1024;
/** Chunks after which their memory is freed, as `CopyOut` does. */
const CHUNKS_TO_FREE = 8;

/**
 * An SQLite database (sqlite.org/fileformat.html). As its pages are written in no fixed order, it is made in a file, whose name is
 * removed at once, and then read from there.
 * @param columns `KEY` first
 * @param read begins to read the lines of `jsonCellsStatement`
 */
export async function* sqliteChunks(
  columns: readonly ExportColumn[],
  read: () => AsyncIterable<Buffer>,
  scratch: Scratch | undefined,
): AsyncGenerator<Buffer> {
  if (!scratch) throw new Error('A database needs a place where it is made.');
  const { folder, needRoom } = scratch;
  await makeDirectory(folder, 0o700);
  await needRoom();
  const path = join(folder, randomBytes(16).toString('hex'));
  const file = await open(path, 'wx+', 0o600);
  const writer = createWriter({ path, columns });
  try {
    let unseen = 0;
    for await (const bytes of read()) {
      unseen += bytes.length;
      await writer.write(bytes);
      if (unseen <= LOOK_BYTES) continue;
      unseen = 0;
      const { size } = await file.stat();
      await needRoom(size);
    }
    await writer.finish();
    await writer.end();
    yield* contentOf(file);
  } finally {
    await writer.end();
    await file.close();
    await rm(path, { force: true });
  }
}

async function* contentOf(file: FileHandle): AsyncGenerator<Buffer> {
  for (let [at, count] = [0, 1]; ; count++) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafeSlow(CHUNK_BYTES), 0, CHUNK_BYTES, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
    if (count % CHUNKS_TO_FREE === 0) freeShortLived();
  }
}
