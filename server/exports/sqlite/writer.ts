import { Worker } from 'node:worker_threads';
import { NoRoom } from '../../files/no-room.ts';
import type { ExportColumn } from '../columns/columns.ts';

/** The task of the thread. */
export interface Task {
  /** Path of an empty file, which the thread unlinks. */
  path: string;
  columns: readonly ExportColumn[];
}

/** Writes a database in a thread of its own. */
interface Writer {
  /** Resolves when more can be written. @param bytes are transferred to the thread: the caller must not use them any more */
  write(bytes: Buffer): Promise<void>;
  /** Resolves when the file is complete. */
  finish(): Promise<void>;
  /** Ends the thread, whatever it is doing. */
  end(): Promise<void>;
}

/** Size of the young generation of its heap in megabytes; the thread needs what it reads only for a moment. */
const YOUNG_MB = 8;
/** SQLITE_FULL; the lower eight bits of a result code are the primary code. */
const FULL = 13;

export function createWriter(task: Task): Writer {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: task,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
  });
  let failure: Error | null = null;
  let done = Promise.resolve();
  let answered = { resolve() {}, reject(_: Error) {} };
  const fail = (error: Error) => {
    failure ??= error;
    answered.reject(failure);
  };
  worker.on('message', () => answered.resolve());
  worker.on('error', (error) => fail(isFull(error) ? new NoRoom() : (error as Error)));
  worker.on('exit', () => fail(new Error('The thread that writes the database has ended.')));

  function ask(bytes: Buffer | null): void {
    done = failure
      ? Promise.reject(failure)
      : new Promise((resolve, reject) => {
          answered = { resolve, reject };
          worker.postMessage(bytes, bytes ? [bytes.buffer as ArrayBuffer] : []);
        });
    // Prevents an unhandled rejection; a later `await` still gets the error.
    done.catch(() => {});
  }

  return {
    async write(bytes) {
      await done;
      ask(bytes);
    },
    async finish() {
      await done;
      ask(null);
      await done;
    },
    async end() {
      await worker.terminate();
    },
  };
}

function isFull(error: unknown): boolean {
  const { errcode } = error as { errcode?: unknown };
  return typeof errcode === 'number' && (errcode & 0xff) === FULL;
}
