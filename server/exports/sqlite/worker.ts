import { rmSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { createLineCutter } from '../copy-lines.ts';
import { createTables } from './tables.ts';
import type { Task } from './writer.ts';

/** Runs in a thread of its own, as SQLite blocks while it waits for the disk. */
const { path, columns } = workerData as Task;
const tables = createTables(path, columns);
// Without a name the file disappears with this process, however that ends.
rmSync(path);
const cut = createLineCutter();

/** Each message is answered once it is done; null means that no more follow. */
parentPort?.on('message', (bytes: Uint8Array | null) => {
  if (bytes === null) tables.finish();
  else
    for (const lines of cut(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))) tables.add(lines);
  parentPort?.postMessage(null);
});
