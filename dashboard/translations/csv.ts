import { parse, unparse } from 'papaparse';
import { guardFormula, withoutGuard } from '../../fields/as-text/formula-guard.ts';
import { splitToldDelimiter } from '../lib/told-delimiter.ts';
import type { TextGroup } from './texts.ts';
import { type Translations, translationOf, withTranslation } from './translations.ts';

const COLUMNS = ['key', 'what', 'original', 'translation'];
/** Separators that spreadsheets write; the first one occurs in the row of names. */
const DELIMITER = /[,;\t]/;
/** Byte order mark, which tells spreadsheets the encoding. */
const MARK = '\ufeff';

/** Every text with its translation, as a table for a translator. */
export function toCsv(groups: readonly TextGroup[], translations: Translations, language: string): string {
  const rows = groups.flatMap(({ texts }) =>
    texts.map(({ key, label, original, place }) => [
      key,
      guardFormula(label),
      guardFormula(original),
      guardFormula(translationOf(translations, language, place)),
    ]),
  );
  return MARK + unparse([COLUMNS, ...rows], { quotes: true });
}

/**
 * Adds the translations of such a table. Empty cells and missing rows keep the former translation.
 * @returns null if it is no such table
 */
export function withCsv(
  csv: string,
  groups: readonly TextGroup[],
  translations: Translations,
  language: string,
): { translations: Translations; read: number; unknown: number } | null {
  const { told, body } = splitToldDelimiter(csv);
  const delimiter = told ?? DELIMITER.exec(body)?.[0] ?? ',';
  const { data, errors } = parse<string[]>(body, { delimiter });
  const [head = [], ...rows] = data;
  const [keyAt, textAt] = [head.indexOf('key'), head.indexOf('translation')];
  if (keyAt < 0 || textAt < 0 || errors.some(({ type }) => type === 'Quotes')) return null;
  const places = new Map(groups.flatMap(({ texts }) => texts.map(({ key, place }) => [key, place])));
  const outcome = { translations, read: 0, unknown: 0 };
  for (const row of rows) {
    const text = withoutGuard(row[textAt] ?? '');
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
