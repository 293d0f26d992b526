import { pipeline, type Readable, type Transform } from 'node:stream';
import type pg from 'pg';
import { CopyOut } from '../db/copy-out.ts';
import { cellsStatement, csvHeader, csvStatement } from './csv-sql.ts';
import type { ExportRequest } from './export-request.ts';
import { createFeatures } from './geojson.ts';
import { createWorkbook } from './xlsx/workbook.ts';

/** Milliseconds of rest after each read, of 64 KiB at most, while it gives way: PostgreSQL rests with it. */
export const GIVE_WAY_MS = 16;

/**
 * Options of connections that write exports: PostgreSQL looks once a second whether the reader is still there, and ends the
 * statement of one that is not, also while it has nothing to send yet.
 */
export const EXPORT_OPTIONS = '-c client_connection_check_interval=1s';

/** A file that is written as fast as it is read. Destroying it ends the statement behind it. */
export interface OpenExport {
  file: Readable;
  /** Lines that have come so far, each of a submission or an entry. */
  rowCount(): number;
}

/**
 * Opens the file of an export, which PostgreSQL fills; of an archive the CSV file in it.
 * @param pool connections without statement timeout; one is taken until the file has ended
 * @param options.givesWay whether something more urgent wants the processor now
 * @param options.leaving ends the file, or the wait for a connection
 * @throws Error when no connection is to be had, the reason of `leaving`; everything later destroys the file
 */
export async function openExport(
  pool: pg.Pool,
  request: ExportRequest,
  { givesWay = () => false, leaving }: { givesWay?: () => boolean; leaving?: AbortSignal } = {},
): Promise<OpenExport> {
  const client = await pool.connect();
  if (leaving?.aborted) {
    client.release();
    throw leaving.reason;
  }
  const { format, columns } = request;
  const isCsv = format === 'csv' || format === 'zip';
  const rows = new CopyOut(isCsv ? csvStatement(request) : cellsStatement(request), () =>
    givesWay() ? GIVE_WAY_MS : 0,
  );
  const file = isCsv
    ? rows
    : madeOf(rows, format === 'xlsx' ? createWorkbook(columns) : createFeatures(columns));
  if (isCsv) rows.push(csvHeader(request));
  // It may break before anybody listens; whoever reads it then still meets the error.
  file.on('error', () => {});
  const leave = () => file.destroy();
  leaving?.addEventListener('abort', leave, { once: true });
  rows.once('close', () => {
    leaving?.removeEventListener('abort', leave);
    // A connection in the midst of a statement is of no use: closing it is also what stops the statement.
    client.release(!rows.readableEnded);
  });
  client.query(rows);
  return { file, rowCount: () => rows.rowCount };
}

function madeOf(rows: CopyOut, file: Transform): Readable {
  // What breaks one of them destroys the other.
  return pipeline(rows, file, () => {});
}
