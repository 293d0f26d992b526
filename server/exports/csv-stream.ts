import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { type CsvRequest, csvHeader, csvStatement } from './csv-sql.ts';

const QUOTE = 0x22;
const LINE_END = 0x0a;

/**
 * The CSV file as a stream that PostgreSQL fills as fast as it is read. Destroying it ends the statement.
 * @param pool connections without statement timeout; one is taken until the stream has ended
 * @param onRows hears how many more submissions have passed
 * @throws Error when no connection is to be had; everything later destroys the stream
 */
export async function openCsv(
  pool: pg.Pool,
  request: CsvRequest,
  onRows: (count: number) => void = () => {},
): Promise<Readable> {
  const client = await pool.connect();
  const copy = client.query(copyTo(csvStatement(request)));
  // The connection may still complain after the stream has been given up.
  copy.on('error', () => {});
  const csv = new PassThrough();
  // It may break before anybody listens; whoever reads it then still meets the error.
  csv.on('error', () => {});
  csv.write(csvHeader(request));
  pipeline(copy, countRows(onRows), csv).then(
    () => client.release(),
    // A connection in the midst of a statement is of no use: closing it is also what stops the statement.
    () => client.release(true),
  );
  return csv;
}

/** Passes CSV text on and counts its line ends outside of quotes. */
function countRows(onRows: (count: number) => void) {
  return async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let isQuoted = false;
    for await (const chunk of chunks) {
      let count = 0;
      for (const byte of chunk) {
        if (byte === QUOTE) isQuoted = !isQuoted;
        else if (byte === LINE_END && !isQuoted) count += 1;
      }
      yield chunk;
      onRows(count);
    }
  };
}
