import { choiceNames, optionNames } from './choices.ts';
import { fieldTypeOf } from './field-types.ts';
import { withoutGuard } from './formula-guard.ts';
import { compileItems, compileName } from './known-items.ts';
import { exactNumber } from './numbers.ts';
import { isOn, stringList } from './options.ts';
import type { JsonValue, Property } from './property.ts';
import { typedNumber } from './typed-number.ts';
import { isoDate } from './written-dates.ts';

/** Reads the cell of a table; undefined where it is empty. What it cannot read stays text, for the field to refuse. */
export type CellReader = (cell: string) => JsonValue | undefined;

/** What says yes and no in other products; LimeSurvey writes Y and N. */
const FLAGS = new Map<string, boolean>([
  ...['true', 'yes', 'y', '1', 'on'].map((word) => [word, true] as const),
  ...['false', 'no', 'n', '0', 'off'].map((word) => [word, false] as const),
]);
/** Between items: exports write `, `, Google Forms `;`, some products lines. */
const BETWEEN_ITEMS = /\s*[,;\n]\s*/y;
const BETWEEN_ROWS = /\s*\|\s*/y;
const BETWEEN_FREE_ITEMS = /,\s+|;\s*|\n/;
const BETWEEN_DATES = /,\s+|\s*;\s*|\s+[-–]\s+|\s+to\s+/;
/** `typedNumber` takes a number in it only when every other language reads the same. */
const CAUTIOUS_LANGUAGE = 'es';

/**
 * The way back from the text that an export writes of an answer, see `toText`, and from what other products write. It is read
 * by `csvKind`, as it is written.
 * @param dayFirst how dates such as `5/1/2024` are read
 */
export function compileFromText(property: Property, { dayFirst }: { dayFirst: boolean }): CellReader {
  const read = compileReader(property, dayFirst);
  return (cell) => {
    const text = withoutGuard(cell);
    return text.trim() === '' ? undefined : read(text);
  };
}

function compileReader(property: Property, dayFirst: boolean): (text: string) => JsonValue {
  const { csvKind, name } = fieldTypeOf(property.type);
  switch (csvKind) {
    case 'number':
      return (text) => numberText(text.trim());
    case 'boolean':
      return (text) => FLAGS.get(text.trim().toLowerCase()) ?? text;
    case 'date':
      return compileDates(property, dayFirst);
    case 'list':
      return compileList(property, name);
    case 'matrix':
      return compileRows(property);
    case 'json':
      return jsonOrText;
    case 'files':
    case 'location':
      return (text) => text;
    case 'text':
      return compileText(property, name);
  }
}

/** `1,234.5` and `1.234,5` are one number in every country, `1,234` is not. */
function numberText(text: string): string {
  return typeof exactNumber(text) === 'number' ? text : (typedNumber(text, CAUTIOUS_LANGUAGE) ?? text);
}

function compileText(property: Property, typeName: string): (text: string) => JsonValue {
  if (typeName === 'text' || typeName === 'rich_text' || typeName === 'barcode') return (text) => text;
  const names = typeName === 'select' ? choiceNames(property, 'select') : null;
  // Where people may add options of their own, another letter case is another option.
  if (typeName === 'select' && names === null) return (text) => text;
  const find = compileName([...(names ?? [])]);
  return (text) => find(text) ?? text.trim();
}

function compileDates(property: Property, dayFirst: boolean): (text: string) => JsonValue {
  const read = (text: string) => isoDate(text, dayFirst) ?? text;
  if (!isOn(property.date_range)) return read;
  return (text) => text.split(BETWEEN_DATES).map(read);
}

function compileList(property: Property, typeName: string): (text: string) => JsonValue {
  const names = optionNames(property, typeName);
  const items = compileItems(names, BETWEEN_ITEMS);
  const find = compileName(names);
  const isFree = typeName === 'multi_select' && choiceNames(property, typeName) === null;
  const separated = (text: string) => text.split(BETWEEN_FREE_ITEMS).filter((item) => item.trim() !== '');
  return (text) =>
    items(text.trim()) ?? separated(text).map((item) => (isFree ? item : (find(item) ?? item)));
}

/** `Row: Column | Row: Column`. */
function compileRows(property: Property): (text: string) => JsonValue {
  const answers = new Map<string, [row: string, column: string]>();
  for (const row of stringList(property.rows))
    for (const column of stringList(property.columns)) answers.set(`${row}: ${column}`, [row, column]);
  const read = compileItems([...answers.keys()], BETWEEN_ROWS);
  return (text) => {
    const items = read(text.trim());
    return items ? Object.fromEntries(items.map((item) => answers.get(item) ?? [])) : text;
  };
}

/** Of what takes any JSON a text is written as it is, all else as JSON. */
function jsonOrText(text: string): JsonValue {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
