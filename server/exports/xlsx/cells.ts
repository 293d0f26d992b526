import { type ParsedDate, parseDate } from '../../../fields/as-text/dates.ts';
import { isPlainNumber } from '../../../fields/as-text/numbers.ts';
import { ELLIPSIS } from '../../../fields/texts/cut.ts';
import { type ExportColumn, kindOf } from '../columns/columns.ts';

/** Writes the cell of a worksheet (ECMA-376, 18.3.1.4). @param place such as `B7` @param text its value as text */
type WriteCell = (place: string, text: string) => string;

/** Indexes into `cellXfs` of the styles. */
export const STYLES = { plain: 0, heading: 1, date: 2, moment: 3, minute: 4, lines: 5 } as const;

/** UTF-16 units that a cell can hold; a longer text is cut. */
export const MAX_TEXT = 32_767;
/** Spreadsheets round numbers to this many digits. */
const MAX_DIGITS = 15;
const DAY_MS = 86_400_000;
/** Day 0 of spreadsheets, for days since 1 March 1900; for earlier ones spreadsheets count a 29 February that never was. */
const DAY_ZERO_MS = Date.UTC(1899, 11, 30);
const FIRST_MS = Date.UTC(1900, 2, 1);

/**
 * Returns the writer of a column's cells. Values that do not fit the kind of the column, from before its type was changed, are written
 * as text, and so are values that a spreadsheet would change. No text is taken for a formula.
 */
export function cellWriter(column: ExportColumn): WriteCell {
  switch (kindOf(column)) {
    case 'number':
      return numberCell;
    case 'boolean':
      return booleanCell;
    case 'date':
      return dateCell;
    case 'moment':
      return momentCell;
    case 'text':
      return textCell;
  }
}

function numberCell(place: string, text: string): string {
  if (!isPlainNumber(text)) return textCell(place, text);
  const digits = text.replace(/^-?0*\.?0*/, '').replace('.', '');
  return digits.length > MAX_DIGITS ? textCell(place, text) : `<c r="${place}"><v>${text}</v></c>`;
}

function booleanCell(place: string, text: string): string {
  if (text !== 'true' && text !== 'false') return textCell(place, text);
  return `<c r="${place}" t="b"><v>${text === 'true' ? 1 : 0}</v></c>`;
}

function dateCell(place: string, text: string): string {
  const date = parseDate(text);
  const style = date && (date.hasTime ? timeStyle(text) : STYLES.date);
  return style === null ? textCell(place, text) : serialCell(place, text, date, style);
}

/** null where the cell could not show all of it: an offset, or parts of a second. */
function timeStyle(text: string): number | null {
  if (TO_THE_MINUTE.test(text)) return STYLES.minute;
  return TO_THE_SECOND.test(text) ? STYLES.moment : null;
}

const TO_THE_MINUTE = /[T ]\d\d:\d\d$/;
const TO_THE_SECOND = /[T ]\d\d:\d\d:\d\d$/;

function momentCell(place: string, text: string): string {
  return serialCell(place, text, parseDate(text), STYLES.moment);
}

/** Days since day 0; the time, in UTC, is the fraction. */
function serialCell(place: string, text: string, date: ParsedDate | null, style: number): string {
  if (date === null || date.time < FIRST_MS) return textCell(place, text);
  return `<c r="${place}" s="${style}"><v>${(date.time - DAY_ZERO_MS) / DAY_MS}</v></c>`;
}

export function textCell(place: string, text: string, style: number = STYLES.plain): string {
  if (text === '') return '';
  const styled = style === STYLES.plain ? '' : ` s="${style}"`;
  const space = KEPT_SPACE.test(text) ? ' xml:space="preserve"' : '';
  return `<c r="${place}"${styled} t="inlineStr"><is><t${space}>${escapeText(cut(text))}</t></is></c>`;
}

const KEPT_SPACE = /^\s|\s$|\n/;

function cut(text: string): string {
  if (text.length <= MAX_TEXT) return text;
  return `${text.slice(0, MAX_TEXT - 1).replace(/[\ud800-\udbff]$/, '')}${ELLIPSIS}`;
}

/** Characters that XML cannot hold or would change, and texts that look like the escape for them: `_xHHHH_` (ECMA-376, 22.9.2.19). */
const SPECIAL = /[&<>]|[^\t\n\x20-\ufffd]|_(?=x[0-9a-fA-F]{4}_)/;
const EACH_SPECIAL = new RegExp(SPECIAL, 'g');
const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

function escapeText(text: string): string {
  if (!SPECIAL.test(text)) return text;
  return text.replace(EACH_SPECIAL, (character) => ENTITIES[character] ?? escapeUnit(character));
}

function escapeUnit(character: string): string {
  return `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;
}
