import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { type CsvRequest, csvHeader, csvStatement } from './csv-sql.ts';

const QUOTE = 0x22;
const LINE_END = 0x0a;
/** Milliseconds of rest after each chunk, of 64 KiB at most, while it gives way: PostgreSQL rests with it. */
const GIVE_WAY_MS = 16;

/**
 * Options of connections that write CSV: PostgreSQL looks once a second whether the reader is still there, and ends the
 * statement of one that is not, also while it has nothing to send yet.
 */
export const CSV_OPTIONS = '-c client_connection_check_interval=1s';

/**
 * The CSV file as a stream that PostgreSQL fills as fast as it is read. Destroying it ends the statement.
 * @param pool connections without statement timeout; one is taken until the stream has ended
 * @param options.onRows hears how many more submissions have passed
 * @param options.givesWay whether something more urgent wants the processor now
 * @param options.leaving ends the stream, or the wait for a connection
 * @throws Error when no connection is to be had, the reason of `leaving`; everything later destroys the stream
 */
export async function openCsv(
  pool: pg.Pool,
  request: CsvRequest,
  {
    onRows = () => {},
    givesWay = () => false,
    leaving,
  }: { onRows?: (count: number) => void; givesWay?: () => boolean; leaving?: AbortSignal } = {},
): Promise<Readable> {
  const client = await pool.connect();
  if (leaving?.aborted) {
    client.release();
    throw leaving.reason;
  }
  const copy = client.query(copyTo(csvStatement(request)));
  // The connection may still complain after the stream has been given up.
  copy.on('error', () => {});
  const csv = new PassThrough();
  // It may break before anybody listens; whoever reads it then still meets the error.
  csv.on('error', () => {});
  const leave = () => csv.destroy();
  leaving?.addEventListener('abort', leave, { once: true });
  csv.once('close', () => {
    leaving?.removeEventListener('abort', leave);
    // The pipeline would wait for the next row before it gives up.
    copy.destroy();
  });
  csv.write(csvHeader(request));
  pipeline(copy, passOn(onRows, givesWay), csv).then(
    () => client.release(),
    // A connection in the midst of a statement is of no use: closing it is also what stops the statement.
    () => client.release(true),
  );
  return csv;
}

/** Passes CSV text on and counts its line ends outside of quotes. */
function passOn(onRows: (count: number) => void, givesWay: () => boolean) {
  return async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let isQuoted = false;
    for await (const chunk of chunks) {
      let count = 0;
      // An iterator takes five times as long, with every byte of every export.
      for (let index = 0; index < chunk.length; index++) {
        const byte = chunk[index];
        if (byte === QUOTE) isQuoted = !isQuoted;
        else if (byte === LINE_END && !isQuoted) count += 1;
      }
      yield chunk;
      onRows(count);
      if (givesWay()) await wait(GIVE_WAY_MS);
    }
  };
}
