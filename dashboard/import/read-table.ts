import { unparse } from 'papaparse';
import { withoutGuard } from '../../fields/formula-guard.ts';
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
  /** What was said of it, where it would be read wrongly. */
  chosen: Chosen;
  /** Characters that could not be read. */
  lost: number;
  heads: Heads;
  /** Where its times are of, where it says it; a name of the IANA. */
  zone: string | null;
  /** Names of the columns. */
  columns: string[];
  rows: SourceRow[];
}

/** How the file was read. */
export type Reading =
  | {
      of: 'text';
      /** What stands between cells. */
      delimiter: string;
      /** What it was taken for, where it does not show it itself; null for Unicode. */
      encoding: string | null;
    }
  /** Of its sheets this one. */
  | { of: 'workbook'; sheet: string; sheets: readonly string[] };

export interface SourceRow {
  /** As a spreadsheet counts: what names the columns stands from row 1 on. */
  number: number;
  cells: string[];
  /** The same for the same cells, so that a file can be imported again: of several such rows each has its own. */
  mark: string;
}

/** What was found wrongly. */
export interface Chosen {
  /** What stands between cells. */
  delimiter?: string;
  /** Of what is no Unicode. */
  encoding?: string;
  /** The name of a sheet. */
  sheet?: string;
  heads?: Heads;
}

/** Lines of a file as cells, of which the names of columns are the first. */
interface Lines {
  lines: string[][];
  lost: number;
  /** Line breaks within cells end with CR and LF, as those between rows do. */
  hasReturns: boolean;
  reading: Reading;
}

/** What a tab of a browser holds several times without effort. */
const MAX_FILE_MB = 100;
const MEGABYTE = 1024 * 1024;
/** As many rows and columns as sheets have; a text of more than 512 MB browsers cannot hold. */
const WORKBOOK_LIMITS = { unpacked: 400 * MEGABYTE, rows: 1_048_576, columns: 16_384 };
/** Lines that tell what stands above the responses. */
const LOOKED_AT = 50;
/** Rows that are read at a stretch; those of a workbook take longer. */
const PIECE_ROWS = 5_000;
const PIECE_OF_SHEET = 1_000;

/**
 * A file as a text that can be shown; of a workbook what its first sheet is when it is pasted.
 * @throws UnreadableFile
 */
export async function readText(file: File): Promise<string> {
  const bytes = await bytesOf(file);
  if (!seemsWorkbook(bytes)) return decode(bytes).text;
  const { lines } = await readWorkbook(bytes);
  return unparse(lines, { delimiter: '\t', newline: '\n' });
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
  if (decoded.text.includes('\0')) throw new UnreadableFile('This is no text file. Choose a CSV file.');
  return decoded;
}

/** @param chosen the name of a sheet; without one it is the first that has a cell */
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

/** The rows of a sheet up to the last one with a cell; the page stays alive meanwhile. */
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

/** A cell of a workbook holds a text as it is: one that seems guarded, as in a CSV file, gets the apostrophe that will be taken off. */
function asCell(text: string): string {
  return withoutGuard(text) === text ? text : `'${text}`;
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

/**
 * @param from the line of the first response
 * @param unifies where whole lines end with CR and LF, those within cells do for no other reason: as pages send them, with LF
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

/** 106 bits by two rounds of multiplication; browsers have no SHA-256 for pages without HTTPS. */
function hashOf(text: string): string {
  return [0x9e3779b9, 0x85ebca6b].map((seed) => halfHash(text, seed)).join('');
}

/** The published function cyrb53. */
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
