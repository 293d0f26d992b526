import { type ParseResult, type Parser, parse } from 'papaparse';
import { splitToldDelimiter } from '../lib/told-delimiter.ts';
import { UnreadableFile } from './unreadable-file.ts';

/** The lines of a text, cut into cells. */
export interface TextLines {
  lines: string[][];
  /** What stands between cells. */
  delimiter: string;
  /** Whole lines end with CR and LF: those within cells do for no other reason. */
  hasReturns: boolean;
}

/** What is read at a stretch. */
const PIECE_CHARACTERS = 2_000_000;
/** What may stand between cells. */
export const DELIMITERS = [',', ';', '\t'];
/** Rows, when it has to be found. */
const LOOKED_AT = 50;

/**
 * @param chosen what stands between cells, where it was found wrongly
 * @throws UnreadableFile
 */
export async function cutText(text: string, chosen?: string): Promise<TextLines> {
  const { told, body } = splitToldDelimiter(text);
  const ends = lineEndsOf(body);
  const delimiter = chosen ?? told ?? findDelimiter(body, ends);
  return { lines: await cut(body, delimiter, ends), delimiter, hasReturns: ends.hasReturns };
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
