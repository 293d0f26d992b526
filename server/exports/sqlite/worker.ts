import { rmSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { createLineCutter } from '../copy-lines.ts';
import { createTables } from './tables.ts';
import type { Task } from './writer.ts';

/** A thread of its own: SQLite waits for the disk, and the service must not. */
const { path, columns } = workerData as Task;
const tables = createTables(path, columns);
// Nobody else has to find it, and it goes with this process, however that ends.
rmSync(path);
const cut = createLineCutter();

/** Each is answered once it is done; null = there are no more. */
parentPort?.on('message', (bytes: Uint8Array | null) => {
  if (bytes === null) tables.finish();
  else
    for (const lines of cut(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))) tables.add(lines);
  parentPort?.postMessage(null);
});
