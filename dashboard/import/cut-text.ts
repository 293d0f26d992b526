import { type ParseResult, type Parser, parse } from 'papaparse';
import { splitToldDelimiter } from '../lib/told-delimiter.ts';
import { UnreadableFile } from './unreadable-file.ts';

/** The lines of a text, split into cells. */
interface TextLines {
  lines: string[][];
  /** Separator of cells. */
  delimiter: string;
  /** Lines end with CR and LF, so line breaks within cells have CR only for that reason. */
  hasReturns: boolean;
}

/** Characters parsed at a time. */
const PIECE_CHARACTERS = 2_000_000;
/** Possible separators of cells. */
export const DELIMITERS = [',', ';', '\t'];
/** Rows examined to detect the separator. */
const LOOKED_AT = 50;

/**
 * @param chosen separator of cells, if the detected one is wrong
 * @throws UnreadableFile
 */
export async function cutText(text: string, chosen?: string): Promise<TextLines> {
  const { told, body } = splitToldDelimiter(text);
  const ends = lineEndsOf(body);
  const delimiter = chosen ?? told ?? findDelimiter(body, ends);
  return { lines: await cut(body, delimiter, ends), delimiter, hasReturns: ends.hasReturns };
}

/** Detects it by rows of the same length; empty rows, such as after the last line break, do not count. */
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
  /** At least some lines end as on Windows. */
  hasReturns: boolean;
  /** Only some lines do. */
  isMixed: boolean;
}

/** The line ends outside of quotation marks; they may be mixed if a head was added to a program's output. */
function lineEndsOf(text: string): LineEnds {
  const outside = text.slice(0, PIECE_CHARACTERS).replace(/"[^"]*"/g, '');
  const count = (sign: string) => outside.split(sign).length - 1;
  const windows = count('\r\n');
  const [unix, mac] = [count('\n') - windows, count('\r') - windows];
  const isMac = mac > windows && mac > unix;
  // If the first line ends like most others, a single LF is within a cell.
  const isWindows = windows > 0 && windows >= unix && /^[^\n]*\r\n/.test(outside);
  const newline = isMac ? '\r' : isWindows ? '\r\n' : '\n';
  const hasReturns = windows > 0 && !isMac;
  return { newline, hasReturns, isMixed: hasReturns && newline === '\n' };
}

/** Removes the CR of a Windows line end where most lines have none. */
function withoutReturn(cells: string[]): string[] {
  const last = cells.at(-1) ?? '';
  return last.endsWith('\r') ? cells.with(-1, last.slice(0, -1)) : cells;
}

/** Splits all cells piece by piece, so that the page stays responsive. */
function cut(text: string, delimiter: string, { newline, isMixed }: LineEnds): Promise<string[][]> {
  return new Promise((resolve, reject) => {
    const rows: string[][] = [];
    // The parser's types allow pieces only for files, but it also takes texts in pieces.
    const pieces = {
      delimiter,
      newline,
      chunkSize: PIECE_CHARACTERS,
      chunk({ data, errors }: ParseResult<string[]>, parser: Parser) {
        // A row that the piece contains only in part is read again with the next piece.
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
