import { type Duplex, Readable } from 'node:stream';
import type pg from 'pg';
import { freeShortLived } from '../heap.ts';
import { createCopyFrames } from './copy-frames.ts';

/**
 * PostgreSQL sends 8 KiB at a time. Passing on each of them alone, for instance to a file, would take longer than PostgreSQL takes
 * to write them.
 */
const CHUNK_BYTES = 256 * 1024;
/** Garbage is collected after so many chunks: more would take more memory; fewer would find chunks still in use, which V8 then keeps for long. */
const CHUNKS_TO_FREE = 8;

/**
 * The output of a `COPY … TO STDOUT`, as fast as it is read: `client.query(new CopyOut(text))`. It reads the connection
 * directly, because the parser of `pg`, which goes row by row, takes longer than PostgreSQL itself. It ends when
 * the connection is free again; if it is destroyed before, the connection has to be closed.
 */
export class CopyOut extends Readable implements pg.Submittable {
  /** Rows received so far. */
  rowCount = 0;
  readonly #text: string;
  readonly #restMs: () => number;
  readonly #takeApart = createCopyFrames();
  #connection: Duplex | null = null;
  /** The listener of `pg`, which reads the connection before and after the copy. */
  #handOver: (bytes: Buffer) => void = () => {};
  #chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);
  #filled = 0;
  #passed = 0;
  #isWanted = false;
  #isResting = false;

  /** @param restMs milliseconds to rest after each read (of at most 64 KiB), so that PostgreSQL rests too */
  constructor(text: string, restMs = () => 0) {
    super();
    this.#text = text;
    this.#restMs = restMs;
  }

  submit(connection: pg.Connection): void {
    const { stream } = connection;
    [this.#handOver] = stream.listeners('data') as [(bytes: Buffer) => void];
    this.#connection = stream.off('data', this.#handOver).on('data', this.#onData);
    connection.query(this.#text);
  }

  override _read(): void {
    this.#isWanted = true;
    if (!this.#isResting) this.#connection?.resume();
  }

  readonly #onData = (read: Buffer): void => {
    const { length, count, rest } = this.#takeApart(read);
    this.#gather(read, length);
    this.rowCount += count;
    if (rest === null) this.#pace();
    else this.#end(rest);
  };

  #end(rest: Buffer): void {
    this.#pass();
    this.#connection?.off('data', this.#onData).on('data', this.#handOver).resume();
    this.#connection = null;
    this.#handOver(rest);
  }

  #gather(read: Buffer, length: number): void {
    for (let at = 0; at < length; ) {
      const copied = read.copy(this.#chunk, this.#filled, at, length);
      at += copied;
      this.#filled += copied;
      if (this.#filled === CHUNK_BYTES) this.#pass();
    }
  }

  #pass(): void {
    if (this.#filled === 0) return;
    this.#isWanted = this.push(this.#chunk.subarray(0, this.#filled));
    this.#chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);
    this.#filled = 0;
    this.#passed += 1;
    if (this.#passed % CHUNKS_TO_FREE === 0) freeShortLived();
  }

  #pace(): void {
    const milliseconds = this.#restMs();
    if (milliseconds > 0) this.#rest(milliseconds);
    if (this.#isResting || !this.#isWanted) this.#connection?.pause();
  }

  #rest(milliseconds: number): void {
    this.#isResting = true;
    setTimeout(() => {
      this.#isResting = false;
      if (this.#isWanted) this.#connection?.resume();
    }, milliseconds);
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.push(null);
  }

  handleError(error: Error): void {
    this.destroy(error);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    // `pg` could not go on reading in the middle of a message.
    this.#connection?.off('data', this.#onData).pause();
    this.#connection = null;
    done(error);
  }
}
