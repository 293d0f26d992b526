import { Worker } from 'node:worker_threads';
import { NoRoom } from '../../files/no-room.ts';
import type { ExportColumn } from '../columns.ts';

/** What a thread is to do. */
export interface Task {
  /** Of an empty file, which it removes from its folder. */
  path: string;
  columns: readonly ExportColumn[];
}

/** Writes a database in a thread of its own. */
export interface Writer {
  /** Resolves once there is room for more. @param bytes of which nothing may be left to the caller */
  write(bytes: Buffer): Promise<void>;
  /** Resolves when the file is complete. */
  finish(): Promise<void>;
  /** Whatever it is at. */
  end(): Promise<void>;
}

/** Megabytes of the young generation of its heap: what it reads is of use for a moment only. */
const YOUNG_MB = 8;
/** Result codes of SQLite; the lower eight bits of a code say what it is about. */
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
    // Whoever waits for it later still meets the error.
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
