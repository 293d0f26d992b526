import type pg from 'pg';
import { CopyOut } from '../db/copy-out.ts';
import { type CsvRequest, csvHeader, csvStatement } from './csv-sql.ts';

/** Milliseconds of rest after each read, of 64 KiB at most, while it gives way: PostgreSQL rests with it. */
const GIVE_WAY_MS = 16;

/**
 * Options of connections that write CSV: PostgreSQL looks once a second whether the reader is still there, and ends the
 * statement of one that is not, also while it has nothing to send yet.
 */
export const CSV_OPTIONS = '-c client_connection_check_interval=1s';

/**
 * The CSV file as a stream that PostgreSQL fills as fast as it is read; its `rowCount` are submissions. Destroying it ends the
 * statement.
 * @param pool connections without statement timeout; one is taken until the stream has ended
 * @param options.givesWay whether something more urgent wants the processor now
 * @param options.leaving ends the stream, or the wait for a connection
 * @throws Error when no connection is to be had, the reason of `leaving`; everything later destroys the stream
 */
export async function openCsv(
  pool: pg.Pool,
  request: CsvRequest,
  { givesWay = () => false, leaving }: { givesWay?: () => boolean; leaving?: AbortSignal } = {},
): Promise<CopyOut> {
  const client = await pool.connect();
  if (leaving?.aborted) {
    client.release();
    throw leaving.reason;
  }
  const csv = new CopyOut(csvStatement(request), () => (givesWay() ? GIVE_WAY_MS : 0));
  csv.push(csvHeader(request));
  // It may break before anybody listens; whoever reads it then still meets the error.
  csv.on('error', () => {});
  const leave = () => csv.destroy();
  leaving?.addEventListener('abort', leave, { once: true });
  csv.once('close', () => {
    leaving?.removeEventListener('abort', leave);
    // A connection in the midst of a statement is of no use: closing it is also what stops the statement.
    client.release(!csv.readableEnded);
  });
  client.query(csv);
  return csv;
}
