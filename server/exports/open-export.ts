import { PassThrough, pipeline, type Readable, type Transform } from 'node:stream';
import { pipeline as pipelined } from 'node:stream/promises';
import type pg from 'pg';
import { CopyOut } from '../db/copy-out.ts';
import type { ExportColumn } from './columns.ts';
import { SNAPSHOT } from './copy-sql.ts';
import { cellsStatement, codedStatement, csvHeader, csvStatement } from './csv-sql.ts';
import type { ExportFormat, ExportRequest } from './export-request.ts';
import { createFeatures } from './geojson.ts';
import { jsonCellsStatement, jsonLinesStatement } from './json-sql.ts';
import { createSav, savChunks } from './sav/sav-file.ts';
import { isCoded } from './sav/variables.ts';
import { KEY } from './sqlite/layout.ts';
import type { Scratch } from './sqlite/scratch.ts';
import { sqliteChunks } from './sqlite/sqlite-file.ts';
import { createWorkbook } from './xlsx/workbook.ts';

/** Milliseconds of rest after each read, of 64 KiB at most, while it gives way: PostgreSQL rests with it. */
export const GIVE_WAY_MS = 16;

/**
 * Options of connections that write exports: PostgreSQL looks once a second whether the reader is still there, and ends the
 * statement of one that is not, also while it has nothing to send yet.
 */
export const EXPORT_OPTIONS = '-c client_connection_check_interval=1s';

const STATEMENTS = {
  csv: csvStatement,
  zip: csvStatement,
  jsonl: jsonLinesStatement,
  xlsx: cellsStatement,
  geojson: cellsStatement,
};

/** What makes files of the cells, where they are not what PostgreSQL writes. */
const MAKERS: Partial<Record<ExportFormat, (columns: ExportColumn[]) => Transform>> = {
  xlsx: createWorkbook,
  geojson: createFeatures,
};

/** A file that is written as fast as it is read. Destroying it ends the statement behind it. */
export interface OpenExport {
  file: Readable;
  /** Lines that have come so far, each of a submission or an entry. */
  rowCount(): number;
}

interface ExportOptions {
  /** Where databases are made; nothing else needs it. */
  scratch?: Scratch;
  /** Whether something more urgent wants the processor now. */
  givesWay?(): boolean;
  /** Ends the file, or the wait for a connection. */
  leaving?: AbortSignal;
}

/**
 * Opens the file of an export, which PostgreSQL fills; of an archive the CSV file in it.
 * @param pool connections without statement timeout; one is taken until the file has ended
 * @throws Error when no connection is to be had, the reason of `leaving`; everything later destroys the file
 */
export async function openExport(
  pool: pg.Pool,
  request: ExportRequest,
  { scratch, givesWay = () => false, leaving }: ExportOptions = {},
): Promise<OpenExport> {
  const client = await pool.connect();
  if (leaving?.aborted) {
    client.release();
    throw leaving.reason;
  }
  const { format, columns } = request;
  const restMs = () => (givesWay() ? GIVE_WAY_MS : 0);
  if (format === 'sav') return openSav(client, request, restMs, leaving);
  if (format === 'sqlite') return openDatabase(client, request, scratch, restMs, leaving);
  const rows = new CopyOut(STATEMENTS[format](request), restMs);
  const make = MAKERS[format];
  const file = make ? madeOf(rows, make(columns)) : rows;
  if (format === 'csv' || format === 'zip') rows.push(csvHeader(request));
  endWith(leaving, file);
  // A connection in the midst of a statement is of no use: closing it is also what stops the statement.
  rows.once('close', () => client.release(!rows.readableEnded));
  client.query(rows);
  return { file, rowCount: () => rows.rowCount };
}

/** It may break before anybody listens; whoever reads it then still meets the error. */
function endWith(leaving: AbortSignal | undefined, file: Readable): void {
  file.on('error', () => {});
  const leave = () => file.destroy();
  leaving?.addEventListener('abort', leave, { once: true });
  file.once('close', () => leaving?.removeEventListener('abort', leave));
}

function madeOf(rows: CopyOut, file: Transform): Readable {
  // What breaks one of them destroys the other.
  return pipeline(rows, file, () => {});
}

/** Reads everything before the first byte of the file is there. */
function openDatabase(
  client: pg.PoolClient,
  request: ExportRequest,
  scratch: Scratch | undefined,
  restMs: () => number,
  leaving: AbortSignal | undefined,
): OpenExport {
  const columns = [KEY, ...request.columns];
  const rows = new CopyOut(jsonCellsStatement({ ...request, columns }), restMs);
  const file = new PassThrough();
  endWith(leaving, file);
  file.once('close', () => rows.destroy());
  // The connection is needed no longer than that, however slowly the file is taken.
  rows.once('close', () => client.release(!rows.readableEnded));
  rows.on('error', () => {});
  pipeline(
    sqliteChunks(columns, () => client.query(rows), scratch),
    file,
    () => {},
  );
  return { file, rowCount: () => rows.rowCount };
}

/** Reads everything twice, in one snapshot: to measure it, and to write it. */
function openSav(
  client: pg.PoolClient,
  request: ExportRequest,
  restMs: () => number,
  leaving: AbortSignal | undefined,
): OpenExport {
  const file = new PassThrough();
  endWith(leaving, file);
  const statement = codedStatement(request, isCoded);
  const readings: CopyOut[] = [];
  const read = () => {
    const rows = new CopyOut(statement, restMs);
    readings.push(rows);
    file.once('close', () => rows.destroy());
    return client.query(rows);
  };
  const write = async () => {
    await client.query(SNAPSHOT.begin);
    await pipelined(savChunks(createSav(request.columns), read), file);
    await client.query(SNAPSHOT.end);
  };
  write().then(
    () => client.release(),
    (error) => {
      file.destroy(error);
      client.release(true);
    },
  );
  const rowCount = () => Math.floor(readings.reduce((sum, rows) => sum + rows.rowCount, 0) / 2);
  return { file, rowCount };
}
