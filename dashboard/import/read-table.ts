import { type ParseResult, type Parser, parse } from 'papaparse';
import { withoutGuard } from '../../fields/formula-guard.ts';
import { type DecodedText, decodeDamaged } from '../lib/decode-text.ts';

/** A file as a table. */
export interface SourceTable {
  file: File;
  /** What stands between cells. */
  delimiter: string;
  /** Characters that could not be read. */
  lost: number;
  /** What it was taken for, where it does not show it itself; null for Unicode. */
  encoding: string | null;
  /** Names of the columns. */
  columns: string[];
  rows: SourceRow[];
}

export interface SourceRow {
  /** As a spreadsheet counts: the names of the columns stand in row 1. */
  number: number;
  cells: string[];
  /** The same for the same cells, so that a file can be imported again: of several such rows each has its own. */
  mark: string;
}

/** Something about the file that whoever chose it has to mend. */
export class UnreadableFile extends Error {}

/** Bytes: what a tab of a browser holds several times without effort. */
const MAX_FILE_MB = 100;
/** What is read at a stretch. */
const PIECE_CHARACTERS = 2_000_000;
const PIECE_ROWS = 5_000;
/** What may stand between cells. */
export const DELIMITERS = [',', ';', '\t'];
/** The line by which Excel tells it, which shows it in no row. */
const TOLD_DELIMITER = /^\s*"?sep=([^\r\n"])"?(?:\r\n|\r|\n)/i;
/** Rows, when it has to be found. */
const LOOKED_AT = 50;

/** @throws UnreadableFile */
export async function readText(file: File): Promise<string> {
  return (await readDamaged(file)).text;
}

async function readDamaged(file: File, encoding?: string): Promise<DecodedText> {
  if (file.size > MAX_FILE_MB * 1024 * 1024)
    throw new UnreadableFile(`The file is larger than ${MAX_FILE_MB} MB. Divide it into several.`);
  return decode(new Uint8Array(await file.arrayBuffer()), encoding);
}

/** What was found wrongly. */
export interface Chosen {
  /** What stands between cells. */
  delimiter?: string;
  /** Of what is no Unicode. */
  encoding?: string;
}

/** @throws UnreadableFile */
export async function readTable(file: File, chosen: Chosen = {}): Promise<SourceTable> {
  const { text, lost, encoding } = await readDamaged(file, chosen.encoding);
  const [line = '', told] = TOLD_DELIMITER.exec(text) ?? [];
  const body = text.slice(line.length);
  const ends = lineEndsOf(body);
  const delimiter = chosen.delimiter ?? told ?? findDelimiter(body, ends);
  const lines = await cut(body, delimiter, ends);
  const start = lines.findIndex((cells) => !isBlank(cells));
  const head = lines[start] ?? [];
  const rows = await markRows(lines, start + 1, ends.hasReturns);
  if (rows.length === 0)
    throw new UnreadableFile(
      isBlank(head)
        ? 'The file is empty.'
        : 'The file has one row only. The first one names the columns, responses follow below.',
    );
  const width = rows.reduce((most, { cells }) => Math.max(most, cells.length), head.length);
  const columns = Array.from(
    { length: width },
    (_, at) => withoutGuard(head[at] ?? '').trim() || `Column ${at + 1}`,
  );
  return { file, delimiter, lost, encoding, columns, rows };
}

function decode(bytes: Uint8Array, encoding?: string): DecodedText {
  if (bytes[0] === 0x50 && bytes[1] === 0x4b)
    throw new UnreadableFile(
      'This looks like an Excel file. Save it as “CSV UTF-8” there, then choose that.',
    );
  const decoded = decodeDamaged(bytes, encoding);
  if (decoded.text.includes('\0')) throw new UnreadableFile('This is no text file. Choose a CSV file.');
  return decoded;
}

/** By rows of the same length, of which empty ones, as the one behind the last, are none. */
function findDelimiter(text: string, { newline }: LineEnds): string {
  const { meta } = parse<string[]>(text.slice(0, PIECE_CHARACTERS), {
    newline,
    preview: LOOKED_AT,
    skipEmptyLines: 'greedy',
    delimitersToGuess: DELIMITERS,
  });
  return meta.delimiter;
}

interface LineEnds {
  newline: '\r\n' | '\n' | '\r';
  /** Lines end as in Windows, at least some. */
  hasReturns: boolean;
  /** Some, and others do not. */
  isMixed: boolean;
}

/** How lines end, outside of quotation marks: whoever puts a head before what a program wrote may end it in another way. */
function lineEndsOf(text: string): LineEnds {
  const outside = text.slice(0, PIECE_CHARACTERS).replace(/"[^"]*"/g, '');
  const count = (sign: string) => outside.split(sign).length - 1;
  const windows = count('\r\n');
  const [unix, mac] = [count('\n') - windows, count('\r') - windows];
  const isMac = mac > windows && mac > unix;
  // Where the head ends as most rows do, a single LF stands within a cell.
  const isWindows = windows > 0 && windows >= unix && /^[^\n]*\r\n/.test(outside);
  const newline = isMac ? '\r' : isWindows ? '\r\n' : '\n';
  const hasReturns = windows > 0 && !isMac;
  return { newline, hasReturns, isMixed: hasReturns && newline === '\n' };
}

/** Of a line that ends as in Windows where most end in another way. */
function withoutReturn(cells: string[]): string[] {
  const last = cells.at(-1) ?? '';
  return last.endsWith('\r') ? cells.with(-1, last.slice(0, -1)) : cells;
}

/** All cells, piece by piece: the page stays alive meanwhile. */
function cut(text: string, delimiter: string, { newline, isMixed }: LineEnds): Promise<string[][]> {
  return new Promise((resolve, reject) => {
    const rows: string[][] = [];
    // The types know pieces of files only, and reading a text in pieces is the same.
    const pieces = {
      delimiter,
      newline,
      chunkSize: PIECE_CHARACTERS,
      chunk({ data, errors }: ParseResult<string[]>, parser: Parser) {
        // A row of which the piece has the beginning alone is read again with the next one.
        const quote = errors.find(({ type, row = 0 }) => type === 'Quotes' && row < data.length);
        if (quote) {
          const row = rows.length + (quote.row ?? 0) + 1;
          reject(new UnreadableFile(`A quotation mark in row ${row} does not end as it should.`));
          return parser.abort();
        }
        for (const cells of data) rows.push(isMixed ? withoutReturn(cells) : cells);
        parser.pause();
        setTimeout(() => parser.resume());
      },
      complete: () => resolve(rows),
    };
    parse<string[]>(text, pieces);
  });
}

/**
 * @param from the line of the first response
 * @param unifies where whole lines end with CR and LF, those within cells do for no other reason: as pages send them, with LF
 */
async function markRows(lines: readonly string[][], from: number, unifies: boolean): Promise<SourceRow[]> {
  const counts = new Map<string, number>();
  const rows: SourceRow[] = [];
  for (const [index, cells] of lines.entries()) {
    if (index % PIECE_ROWS === 0) await new Promise((resolve) => setTimeout(resolve));
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
