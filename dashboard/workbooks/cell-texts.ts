import { plainNumber } from '../../fields/as-text/numbers.ts';
import { type DateFormat, dateFormatOf, serialDate } from './serial-dates.ts';
import { writtenText } from './written-text.ts';
import { attributeOf, piecesOf, tagOf } from './xml.ts';

/** The attributes `t` and `s` of a cell, which tell how to read its value (ECMA-376, 18.3.1.4). */
interface CellKind {
  type: string;
  /** Index of the cell's style. */
  style: number;
}

/** Reads what a cell shows as text; dates become ISO 8601. */
export type CellReader = (cell: CellKind, value: string) => string;

/** Digits of a number in spreadsheets; further ones are only rounding errors. */
const MAX_DIGITS = 15;
/** The notation for a UTF-16 unit that XML cannot contain (ECMA-376, 22.9.2.19). */
const WRITTEN_UNIT = /_x([0-9a-f]{4})_/gi;

/** @param parts XML of the workbook's parts; '' for missing ones */
export function createCellReader(parts: {
  sharedTexts: string;
  styles: string;
  startsIn1904: boolean;
}): CellReader {
  const shared = sharedTexts(parts.sharedTexts);
  const formats = dateFormats(parts.styles);
  return ({ type, style }, value) => {
    switch (type) {
      case 's':
        return shared[Number(value)] ?? '';
      case 'b':
        return value === '1' ? 'true' : 'false';
      case 'e':
        return '';
      case 'd':
        return value;
      case 'str':
      case 'inlineStr':
        return withUnits(value);
      default:
        return numberText(value, formats[style] ?? null, parts.startsIn1904);
    }
  };
}

function numberText(value: string, format: DateFormat | null, startsIn1904: boolean): string {
  const number = value.trim() === '' ? Number.NaN : Number(value);
  if (!Number.isFinite(number)) return value;
  const date = format && serialDate(number, format, startsIn1904);
  return date ?? plainNumber(Number(number.toPrecision(MAX_DIGITS)));
}

/** The table of shared texts. */
function sharedTexts(xml: string): string[] {
  const texts: string[] = [];
  const written = writtenText();
  for (const piece of piecesOf(xml)) {
    written.read(piece);
    const tag = tagOf(piece);
    if (tag === 'si') written.begin();
    else if (tag === '/si') texts.push(withUnits(written.current()));
  }
  return texts;
}

/** How each style shows dates; null if it shows numbers. */
function dateFormats(xml: string): (DateFormat | null)[] {
  const codes = new Map<number, string>();
  const formats: (DateFormat | null)[] = [];
  let isOfCells = false;
  for (const piece of piecesOf(xml)) {
    if (piece.name === 'cellXfs') isOfCells = piece.kind === 'open';
    if (piece.kind !== 'open') continue;
    const id = Number(attributeOf(piece, 'numFmtId'));
    if (piece.name === 'numFmt') codes.set(id, attributeOf(piece, 'formatCode'));
    else if (piece.name === 'xf' && isOfCells) formats.push(dateFormatOf(id, codes.get(id)));
  }
  return formats;
}

function withUnits(text: string): string {
  return text.includes('_x')
    ? text.replace(WRITTEN_UNIT, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
    : text;
}
