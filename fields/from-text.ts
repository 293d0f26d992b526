import { choiceNames, optionNames, optionNamesById } from './choices.ts';
import type { FieldType } from './field-type.ts';
import { fieldTypeOf } from './field-types.ts';
import { flagOf } from './flag-words.ts';
import { withoutGuard } from './formula-guard.ts';
import { typedMarkup } from './html/typed-markup.ts';
import { compileItems, compileItemsBetween, compileMixedItems, compileName } from './known-items.ts';
import { isOn, stringList } from './options.ts';
import type { JsonValue, Property } from './property.ts';
import { questionsOf } from './repeated-questions.ts';
import { isoDate } from './written-dates.ts';
import { type DecimalSign, plainNumberText } from './written-numbers.ts';

/** Reads the cell of a table; undefined where it is empty. What it cannot read stays text, for the field to refuse. */
export type CellReader = (cell: string) => JsonValue | undefined;

/** Between items: exports write `, `, Google Forms `;`, some products lines. */
const BETWEEN_ITEMS = /\s*[,;\n]\s*/y;
/** ODK and Kobo write blanks, Qualtrics commas. */
const BETWEEN = { blanks: /\s+/g, commas: /,\s*/g };
const BETWEEN_ROWS = /\s*\|\s*/y;
const BETWEEN_ENTRIES = /( \| |; )/;
const BETWEEN_DATES = /,\s+|\s*;\s*|\s+[-–]\s+|\s+to\s+/;
/** A character as HTML writes it. */
const ENTITY = /&(?:#\w+|[a-z]+\d*);/i;

/** What a cell does not say itself. */
export interface CellWays {
  /** How dates such as `5/1/2024` are read. */
  dayFirst: boolean;
  /** What the numbers of the column have before a fraction, where that is known. */
  decimalSign?: DecimalSign | undefined;
  /** What programs wrote between the items of every list, by name or id, where what people added has a column of its own. */
  between?: keyof typeof BETWEEN | undefined;
  /** Told every date of a cell, as it is written. */
  onDate?: (text: string) => void;
  /** Told every number in the same way. */
  onNumber?: (text: string) => void;
}

/**
 * The way back from the text that an export writes of an answer, see `toText`, and from what other products write. It is read
 * by `csvKind`, as it is written.
 */
export function compileFromText(property: Property, ways: CellWays): CellReader {
  const read = compileReader(property, ways);
  return (cell) => {
    const text = withoutGuard(cell);
    return text.trim() === '' ? undefined : read(text);
  };
}

function compileReader(property: Property, ways: CellWays): (text: string) => JsonValue {
  const { csvKind, name } = fieldTypeOf(property.type);
  switch (csvKind) {
    case 'number':
      return compileNumber(ways);
    case 'boolean':
      return (text) => flagOf(text) ?? text;
    case 'date':
      return compileDates(property, ways);
    case 'list':
      return compileList(property, name, ways);
    case 'matrix':
      return compileRows(property);
    case 'entries':
      return compileEntries(property, ways);
    case 'json':
      return jsonOrText;
    case 'files':
    case 'location':
      return (text) => text;
    case 'text':
      return compileText(property, name, ways);
  }
}

function compileText(
  property: Property,
  typeName: string,
  { between }: CellWays,
): (text: string) => JsonValue {
  if (typeName === 'rich_text') return (text) => (seemsTyped(text) ? typedMarkup(text) : text);
  if (typeName === 'text' || typeName === 'barcode') return (text) => text;
  if (typeName !== 'select') return (text) => text.trim();
  const names = optionNames(property, typeName);
  const byId = optionNamesById(property, typeName);
  // Where people may add options of their own, another letter case is another option.
  if (choiceNames(property, typeName) === null)
    return (text) => (between && !names.includes(text) ? (byId.get(text.trim()) ?? text) : text);
  const find = compileName(names);
  return (text) => find(text) ?? byId.get(text.trim()) ?? text.trim();
}

/** Whether it may be no HTML: what is not written as it writes it, or has lines. What an export writes has `&lt;`. */
function seemsTyped(text: string): boolean {
  return text.includes('<') || (text.includes('\n') && !ENTITY.test(text));
}

function compileNumber({ decimalSign, onNumber }: CellWays): (text: string) => JsonValue {
  return (text) => {
    onNumber?.(text);
    return plainNumberText(text.trim(), decimalSign);
  };
}

function compileDates(property: Property, { dayFirst, onDate }: CellWays): (text: string) => JsonValue {
  const read = (text: string) => {
    onDate?.(text);
    return isoDate(text, dayFirst) ?? text;
  };
  if (!isOn(property.date_range)) return read;
  return (text) => text.split(BETWEEN_DATES).map(read);
}

function compileList(
  property: Property,
  typeName: FieldType['name'],
  { between }: CellWays,
): (text: string) => JsonValue {
  const names = optionNames(property, typeName);
  const byId = optionNamesById(property, typeName);
  const items = compileItems(names, BETWEEN_ITEMS);
  const ids = compileItems([...byId.keys()], BETWEEN_ITEMS);
  const split = compileItemsBetween([...names, ...byId.keys()], BETWEEN[between ?? 'blanks']);
  const isFree = typeName === 'multi_select' && choiceNames(property, typeName) === null;
  const mixed = compileMixedItems(names, isFree);
  const known = new Set(names);
  const named = (list: string[]) => list.map((item) => (known.has(item) ? item : (byId.get(item) ?? item)));
  return (text) => {
    const trimmed = text.trim();
    if (between) return named(split(trimmed));
    const whole = items(trimmed);
    if (whole !== null || isFree) return whole ?? mixed(text);
    const found = named(ids(trimmed) ?? split(trimmed));
    return found.every((item) => known.has(item)) ? found : mixed(text);
  };
}

/** `Row: Column | Row: Column`. */
function compileRows(property: Property): (text: string) => JsonValue {
  const answers = new Map<string, [row: string, column: string]>();
  const rows = stringList(property.rows);
  for (const row of rows)
    for (const column of stringList(property.columns)) answers.set(`${row}: ${column}`, [row, column]);
  const read = compileItems([...answers.keys()], BETWEEN_ROWS);
  const longestFirst = rows.toSorted((one, other) => other.length - one.length);
  return (text) => {
    const items = read(text.trim());
    const pairs = items ? items.map((item) => answers.get(item) ?? []) : pairsIn(text.trim(), longestFirst);
    return pairs ? Object.fromEntries(pairs) : text;
  };
}

/** Of a text with columns that the form does not have, so that the field can say in which row; null where rows are unknown, too. */
function pairsIn(text: string, rows: readonly string[]): [row: string, column: string][] | null {
  const pairs = text.split('|').map((cell): [string, string] | null => {
    const piece = cell.trim();
    const row = rows.find((name) => piece.startsWith(`${name}: `));
    return row === undefined ? null : [row, piece.slice(row.length + 2)];
  });
  return pairs.every((pair) => pair !== null) ? pairs : null;
}

/** `Question: Answer; Question: Answer | Question: …`; what begins with no question goes on with the answer before it. */
function compileEntries(property: Property, ways: CellWays): (text: string) => JsonValue {
  const questions = questionsOf(property)
    .map((question) => ({ ...question, start: `${question.name}: `, read: compileReader(question, ways) }))
    .toSorted((one, other) => other.start.length - one.start.length);
  return (text) => {
    if (/^\s*\[/.test(text)) return jsonOrText(text);
    const entries: { id: string; read: (text: string) => JsonValue; text: string }[][] = [];
    let separator = ' | ';
    for (const piece of text.trim().split(BETWEEN_ENTRIES)) {
      if (BETWEEN_ENTRIES.test(piece)) {
        separator = piece;
        continue;
      }
      const question = questions.find(({ start }) => piece.startsWith(start));
      const before = entries.at(-1)?.at(-1);
      if (question) {
        if (separator === ' | ') entries.push([]);
        entries.at(-1)?.push({ ...question, text: piece.slice(question.start.length) });
      } else if (before) before.text += separator + piece;
      else return text;
    }
    return entries.map((answers) =>
      Object.fromEntries(answers.map((answer) => [answer.id, answer.read(answer.text)])),
    );
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
