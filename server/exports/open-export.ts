import { PassThrough, pipeline, type Readable, type Transform } from 'node:stream';
import { pipeline as pipelined } from 'node:stream/promises';
import type pg from 'pg';
import { CopyOut } from '../db/copy-out.ts';
import type { ExportColumn } from './columns/columns.ts';
import type { ExportRequest } from './export-request.ts';
import type { ExportFormat } from './formats.ts';
import { createFeatures } from './geojson.ts';
import { createParquet } from './parquet/parquet-file.ts';
import { createSav, savChunks } from './sav/sav-file.ts';
import { isCoded } from './sav/variables.ts';
import { SNAPSHOT } from './sql/copy-sql.ts';
import { cellsStatement, codedStatement, csvHeader, csvStatement } from './sql/csv-sql.ts';
import { jsonCellsStatement, jsonLinesStatement } from './sql/json-sql.ts';
import { KEY } from './sqlite/layout.ts';
import type { Scratch } from './sqlite/scratch.ts';
import { sqliteChunks } from './sqlite/sqlite-file.ts';
import { createWorkbook } from './xlsx/workbook.ts';

/** Pause after each read of at most 64 KiB while more urgent work waits. PostgreSQL pauses with it. */
export const GIVE_WAY_MS = 16;

/**
 * Settings of connections for exports. PostgreSQL checks once a second whether the client is still connected, and ends its statement if
 * it is not, even before there is anything to send.
 */
export const EXPORT_SETTINGS = { client_connection_check_interval: '1s' };

/** How a file that is written as it is read comes about. */
interface Making {
  statement(request: ExportRequest): string;
  /** Makes the file of the cells; null if PostgreSQL writes it itself. */
  make: ((columns: ExportColumn[]) => Transform) | null;
}

const MAKINGS: Record<Exclude<ExportFormat, 'sav' | 'sqlite'>, Making> = {
  csv: { statement: csvStatement, make: null },
  zip: { statement: csvStatement, make: null },
  jsonl: { statement: jsonLinesStatement, make: null },
  xlsx: { statement: cellsStatement, make: createWorkbook },
  geojson: { statement: cellsStatement, make: createFeatures },
  parquet: { statement: jsonCellsStatement, make: createParquet },
};

/** A file that is written as fast as it is read. Destroying it ends its statement. */
export interface OpenExport {
  file: Readable;
  /** Lines so far, one per submission or entry. */
  rowCount(): number;
}

interface ExportOptions {
  /** Where databases are made; only `sqlite` needs it. */
  scratch?: Scratch;
  /** Whether more urgent work waits for the processor. */
  givesWay?(): boolean;
  /** Destroys the file, or ends the wait for a connection. */
  leaving?: AbortSignal;
}

/**
 * Opens the file of an export; for an archive only the CSV file in it.
 * @param pool connections without statement timeout; the file holds one until it ends
 * @throws Error when there is no connection, or the reason of `leaving`; later errors destroy the file
 */
export async function openExport(
  pool: pg.Pool,
  request: ExportRequest,
  { scratch, givesWay = () => false, leaving }: ExportOptions,
): Promise<OpenExport> {
  const client = await pool.connect();
  if (leaving?.aborted) {
    client.release();
    throw leaving.reason;
  }
  const opened = openFile(client, request, scratch, () => (givesWay() ? GIVE_WAY_MS : 0));
  endWith(leaving, opened.file);
  return opened;
}

function openFile(
  client: pg.PoolClient,
  request: ExportRequest,
  scratch: Scratch | undefined,
  restMs: () => number,
): OpenExport {
  const { format, columns } = request;
  if (format === 'sav') return openSav(client, request, restMs);
  if (format === 'sqlite') return openDatabase(client, request, scratch, restMs);
  const { statement, make } = MAKINGS[format];
  const rows = new CopyOut(statement(request), restMs);
  // An error of one stream destroys the other.
  const file = make ? pipeline(rows, make(columns), () => {}) : rows;
  if (format === 'csv' || format === 'zip') rows.push(csvHeader(request));
  // If the statement has not ended, the connection is closed, which also ends the statement.
  rows.once('close', () => client.release(!rows.readableEnded));
  client.query(rows);
  return { file, rowCount: () => rows.rowCount };
}

/** Destroys the file when the client leaves. Its errors are ignored here, as it may fail before it has a reader, who gets them too. */
function endWith(leaving: AbortSignal | undefined, file: Readable): void {
  file.on('error', () => {});
  const leave = () => file.destroy();
  leaving?.addEventListener('abort', leave, { once: true });
  file.once('close', () => leaving?.removeEventListener('abort', leave));
}

/** Reads all rows before the first byte of the file is there. */
function openDatabase(
  client: pg.PoolClient,
  request: ExportRequest,
  scratch: Scratch | undefined,
  restMs: () => number,
): OpenExport {
  const columns = [KEY, ...request.columns];
  const rows = new CopyOut(jsonCellsStatement({ ...request, columns }), restMs);
  const file = new PassThrough();
  file.once('close', () => rows.destroy());
  // Released once all rows are read, however slowly the file is taken.
  rows.once('close', () => client.release(!rows.readableEnded));
  rows.on('error', () => {});
  pipeline(
    sqliteChunks(columns, () => client.query(rows), scratch),
    file,
    () => {},
  );
  return { file, rowCount: () => rows.rowCount };
}

/** Reads all rows twice, in one snapshot: first to measure, then to write them. */
function openSav(client: pg.PoolClient, request: ExportRequest, restMs: () => number): OpenExport {
  const file = new PassThrough();
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
