import { type ExportColumn, kindOf } from '../columns/columns.ts';
import { ABSENT, linesOf, unescapeField } from '../copy-lines.ts';
import { cellWriter, STYLES, textCell } from './cells.ts';

/** Rows of a worksheet, including the header. */
const MAX_ROWS = 1_048_576;
/** Submissions that a sheet can hold. */
export const MAX_SUBMISSIONS = MAX_ROWS - 1;

export class SheetFull extends Error {
  override name = 'SheetFull';
}

/** The parts of a worksheet (ECMA-376, 18.3.1.99), in their order. */
interface Sheet {
  head: string;
  /**
   * @param lines whole lines of a `COPY … TO STDOUT` in text format
   * @throws SheetFull
   */
  rows(lines: string): string;
  tail(): string;
}

/** Widths in characters. */
const WIDTHS = { number: 12, boolean: 10, date: 12, moment: 20, text: 28 };

/** A table whose header line is frozen and has filters. */
export function createSheet(columns: ExportColumn[]): Sheet {
  const letters = columns.map((_, index) => columnLetters(index));
  const writers = columns.map(cellWriter);
  let row = 1;

  function rowOf(line: string): string {
    row += 1;
    if (row > MAX_ROWS) throw new SheetFull();
    let cells = '';
    let index = 0;
    for (const field of line.split('\t')) {
      if (field !== ABSENT) cells += writers[index]?.(`${letters[index]}${row}`, unescapeField(field)) ?? '';
      index += 1;
    }
    return `<row r="${row}">${cells}</row>`;
  }

  const headings = columns.map(({ header }, index) => textCell(`${letters[index]}1`, header, STYLES.heading));
  return {
    head:
      '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n' +
      beginSheet(columns.map((column) => WIDTHS[kindOf(column)])) +
      `<row r="1">${headings.join('')}</row>`,
    rows(lines) {
      let xml = '';
      for (const line of linesOf(lines)) xml += rowOf(line);
      return xml;
    },
    tail: () => `</sheetData><autoFilter ref="A1:${letters.at(-1)}${row}"/></worksheet>`,
  };
}

/** The beginning of a worksheet with a frozen first row, up to its rows. @param widths of the columns, in characters */
export function beginSheet(widths: readonly number[]): string {
  const columns = widths.map(
    (width, index) => `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`,
  );
  return (
    '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetViews>' +
    '<sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView>' +
    `</sheetViews><cols>${columns.join('')}</cols><sheetData>`
  );
}

/** `A` to `Z`, `AA` … */
export function columnLetters(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : columnLetters(Math.floor(index / 26) - 1) + last;
}
