import type { TextGroup } from './texts.ts';
import { type Translations, translationOf, withTranslation } from './translations.ts';

const COLUMNS = ['key', 'what', 'original', 'translation'];
/** Spreadsheets take what begins so for a formula: such a text gets a `'` before it, which goes again when it is read. */
const FORMULA = /^[=+\-@\t\r]/;
const GUARDED = /^'(?=[=+\-@\t\r])/;
/** By it spreadsheets know the encoding. */
const MARK = '\ufeff';

/** Every text with what it is in this language, as a table for a translator. */
export function toCsv(groups: readonly TextGroup[], translations: Translations, language: string): string {
  const rows = groups.flatMap(({ texts }) =>
    texts.map(({ key, label, original, place }) => [
      key,
      label,
      original,
      translationOf(translations, language, place),
    ]),
  );
  const line = (cells: readonly string[]) => `${cells.map(quoted).join(',')}\r\n`;
  return MARK + [COLUMNS, ...rows].map(line).join('');
}

/**
 * The translations with those of such a table. What is empty there stays as it was, and so does what stands in no row.
 * @returns null when it is no such table
 */
export function withCsv(
  csv: string,
  groups: readonly TextGroup[],
  translations: Translations,
  language: string,
): { translations: Translations; read: number; unknown: number } | null {
  const [head = [], ...rows] = cellsOf(csv);
  const [keyAt, textAt] = [head.indexOf('key'), head.indexOf('translation')];
  if (keyAt < 0 || textAt < 0) return null;
  const places = new Map(groups.flatMap(({ texts }) => texts.map(({ key, place }) => [key, place])));
  const outcome = { translations, read: 0, unknown: 0 };
  for (const row of rows) {
    const text = (row[textAt] ?? '').replace(GUARDED, '');
    if (text.trim() === '') continue;
    const place = places.get(row[keyAt] ?? '');
    if (!place) {
      outcome.unknown += 1;
      continue;
    }
    outcome.translations = withTranslation(outcome.translations, language, place, text);
    outcome.read += 1;
  }
  return outcome;
}

function quoted(text: string): string {
  return `"${(FORMULA.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
}

/** Rows of cells. Spreadsheets write commas, semicolons or tabs between them; the first row tells which. */
function cellsOf(csv: string): string[][] {
  const text = csv.startsWith(MARK) ? csv.slice(1) : csv;
  const [separator = ','] = /[,;\t]/.exec(text.slice(0, text.search(/[\r\n]|$/))) ?? [];
  const plainCell = `[^"${separator}\\r\\n][^${separator}\\r\\n]*|`;
  const cell = new RegExp(`(?:"([^"]*(?:""[^"]*)*)"|(${plainCell}))(${separator}|\\r?\\n|\\r|$)`, 'y');
  const rows: string[][] = [[]];
  while (cell.lastIndex < text.length) {
    const found = cell.exec(text);
    if (!found) return [];
    const [, inQuotes, plain = '', end] = found;
    rows.at(-1)?.push(inQuotes?.replaceAll('""', '"') ?? plain);
    if (end !== separator) rows.push([]);
  }
  return rows;
}
