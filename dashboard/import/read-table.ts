import { unparse } from 'papaparse';
import { withoutGuard } from '../../fields/as-text/formula-guard.ts';
import { type DecodedText, decodeDamaged } from '../lib/decode-text.ts';
import { OLD_WORKBOOK, seemsOldWorkbook, seemsWorkbook } from '../workbooks/file-kinds.ts';
import type { Workbook } from '../workbooks/open-workbook.ts';
import { cutText } from './cut-text.ts';
import { findHeads, type Heads, readHead } from './heads.ts';
import { UnreadableFile } from './unreadable-file.ts';

/** A file as a table. */
export interface SourceTable {
  file: File;
  reading: Reading;
  /** The user's choices where detection was wrong. */
  chosen: Chosen;
  /** Number of unreadable characters. */
  lost: number;
  heads: Heads;
  /** Time zone of the file, if given; an IANA name. */
  zone: string | null;
  /** Names of the columns. */
  columns: string[];
  rows: SourceRow[];
}

/** How the file was read. */
export type Reading =
  | {
      of: 'text';
      /** Separator of cells. */
      delimiter: string;
      /** The assumed encoding; null for Unicode. */
      encoding: string | null;
    }
  /** The sheet that was read. */
  | { of: 'workbook'; sheet: string; sheets: readonly string[] };

export interface SourceRow {
  /** Counted as in a spreadsheet, where the head begins in row 1. */
  number: number;
  cells: string[];
  /** A hash of the cells, so that a file can be imported again without duplicates; equal rows have different marks. */
  mark: string;
}

/** Corrections of what was detected. */
export interface Chosen {
  /** Separator of cells. */
  delimiter?: string;
  /** Encoding, if it is not Unicode. */
  encoding?: string;
  /** The name of a sheet. */
  sheet?: string;
  heads?: Heads;
}

/** The lines of a file as cells; the first ones are the names of columns. */
interface Lines {
  lines: string[][];
  lost: number;
  /** Line breaks within cells end with CR and LF, like those between rows. */
  hasReturns: boolean;
  reading: Reading;
}

/** A browser tab can hold this several times without trouble. */
const MAX_FILE_MB = 100;
const MEGABYTE = 1024 * 1024;
/** The most rows and columns of a sheet; browsers cannot hold a text of more than 512 MB. */
const WORKBOOK_LIMITS = { unpacked: 400 * MEGABYTE, rows: 1_048_576, columns: 16_384 };
/** Lines examined to detect the head. */
const LOOKED_AT = 50;
/** Rows processed at a time; those of a workbook take longer. */
const PIECE_ROWS = 5_000;
const PIECE_OF_SHEET = 1_000;

/**
 * A file as editable text; for a workbook, its first sheet as if it had been pasted.
 * @throws UnreadableFile
 */
export async function readText(
  file: File,
  encoding?: string,
): Promise<Pick<DecodedText, 'text' | 'encoding'>> {
  const bytes = await bytesOf(file);
  if (!seemsWorkbook(bytes)) return decode(bytes, encoding);
  const { lines } = await readWorkbook(bytes);
  return { text: unparse(lines, { delimiter: '\t', newline: '\n' }), encoding: null };
}

/** @throws UnreadableFile */
export async function readTable(file: File, chosen: Chosen = {}): Promise<SourceTable> {
  const bytes = await bytesOf(file);
  const read = seemsWorkbook(bytes) ? readWorkbook(bytes, chosen.sheet) : readLines(bytes, chosen);
  const { lines, hasReturns, lost, reading } = await read;
  const start = lines.findIndex((cells) => !isBlank(cells));
  if (start < 0) throw new UnreadableFile('The file is empty.');
  const below = lines.slice(start, start + LOOKED_AT);
  const heads = chosen.heads ?? findHeads(below);
  const { names, height, zone } = readHead(below, heads);
  const rows = await markRows(lines, start + height, hasReturns);
  if (rows.length === 0)
    throw new UnreadableFile(
      height === 1
        ? 'The file has one row only. The first one names the columns, responses follow below.'
        : 'There are no responses below the rows that name the columns.',
    );
  const width = rows.reduce((most, { cells }) => Math.max(most, cells.length), names.length);
  const columns = Array.from({ length: width }, (_, at) => names[at] || `Column ${at + 1}`);
  return { file, reading, chosen, lost, heads, zone, columns, rows };
}

async function bytesOf(file: File): Promise<Uint8Array> {
  if (file.size > MAX_FILE_MB * MEGABYTE)
    throw new UnreadableFile(`The file is larger than ${MAX_FILE_MB} MB. Divide it into several.`);
  return new Uint8Array(await file.arrayBuffer());
}

async function readLines(bytes: Uint8Array, chosen: Chosen): Promise<Lines> {
  const { text, lost, encoding } = decode(bytes, chosen.encoding);
  const { lines, delimiter, hasReturns } = await cutText(text, chosen.delimiter);
  return { lines, hasReturns, lost, reading: { of: 'text', delimiter, encoding } };
}

function decode(bytes: Uint8Array, encoding?: string): DecodedText {
  if (seemsOldWorkbook(bytes)) throw new UnreadableFile(OLD_WORKBOOK);
  const decoded = decodeDamaged(bytes, encoding);
  if (decoded.text.includes('\0')) throw new UnreadableFile('This is not a text file. Choose a CSV file.');
  return decoded;
}

/** @param chosen name of a sheet; by default the first that is not empty */
async function readWorkbook(bytes: Uint8Array, chosen?: string): Promise<Lines> {
  const { openWorkbook, UnreadableWorkbook } = await import('../workbooks/open-workbook.ts');
  try {
    const workbook = openWorkbook(bytes, WORKBOOK_LIMITS);
    const { sheets } = workbook;
    for (const sheet of chosen === undefined ? sheets : [chosen]) {
      const lines = await linesOf(workbook, sheet);
      if (lines.length > 0 || sheet === chosen)
        return { lines, hasReturns: false, lost: 0, reading: { of: 'workbook', sheet, sheets } };
    }
  } catch (error) {
    if (error instanceof UnreadableWorkbook) throw new UnreadableFile(error.message);
    throw error;
  }
  throw new UnreadableFile('The file is empty.');
}

/** The rows of a sheet up to the last one with a cell; the page stays responsive meanwhile. */
async function linesOf(workbook: Workbook, sheet: string): Promise<string[][]> {
  const lines: string[][] = [];
  let length = 0;
  for (const row of workbook.rowsOf(sheet)) {
    lines.push(row.map(asCell));
    if (!isBlank(row)) length = lines.length;
    if (lines.length % PIECE_OF_SHEET === 0) await pause();
  }
  return lines.slice(0, length);
}

/**
 * Workbooks hold texts without guards. One that looks guarded gets another apostrophe, which is removed later as in CSV files.
 */
function asCell(text: string): string {
  return withoutGuard(text) === text ? text : `'${text}`;
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

/**
 * @param from index of the first response's line
 * @param unifies whether line breaks within cells become LF, as pages send them, because all lines of the file end with CR and LF
 */
async function markRows(lines: readonly string[][], from: number, unifies: boolean): Promise<SourceRow[]> {
  const counts = new Map<string, number>();
  const rows: SourceRow[] = [];
  for (const [index, cells] of lines.entries()) {
    if (index % PIECE_ROWS === 0) await pause();
    if (index < from || isBlank(cells)) continue;
    const hash = hashOf(cells.join('\u001f'));
    const count = (counts.get(hash) ?? 0) + 1;
    counts.set(hash, count);
    rows.push({
      number: index + 1,
      cells: unifies ? cells.map((cell) => cell.replaceAll('\r\n', '\n')) : cells,
      mark: `row ${hash}${count > 1 ? ` (${count})` : ''}`,
    });
  }
  return rows;
}

function isBlank(cells: readonly string[]): boolean {
  return cells.every((cell) => cell.trim() === '');
}

/** Combines two hashes to 106 bits; browsers have no SHA-256 on pages without HTTPS. */
function hashOf(text: string): string {
  return [0x9e3779b9, 0x85ebca6b].map((seed) => halfHash(text, seed)).join('');
}

/** The published hash function cyrb53. */
function halfHash(text: string, seed: number): string {
  let [high, low] = [0xdeadbeef ^ seed, 0x41c6ce57 ^ seed];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return (4294967296 * (2097151 & low) + (high >>> 0)).toString(36);
}
