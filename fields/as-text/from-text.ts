import { isOn, stringList } from '../block-options/options.ts';
import { choiceNames, optionNames, optionNamesById } from '../choices/choices.ts';
import type { FieldType } from '../field-type.ts';
import { fieldTypeOf } from '../field-types.ts';
import { typedMarkup } from '../html/typed-markup.ts';
import type { JsonValue, Property } from '../property.ts';
import { questionsOf } from '../repeated-questions.ts';
import { flagOf } from './flag-words.ts';
import { withoutGuard } from './formula-guard.ts';
import { compileItems, compileItemsBetween, compileMixedItems, compileName } from './known-items.ts';
import { isoDate } from './written-dates.ts';
import { type DecimalSign, plainNumberText } from './written-numbers.ts';

/** Reads the cell of a table; undefined if it is empty. Unreadable text is kept, so that the field refuses it. */
type CellReader = (cell: string) => JsonValue | undefined;

/** Between items: exports write `, `, Google Forms `;`, some products line breaks. */
const BETWEEN_ITEMS = /\s*[,;\n]\s*/y;
/** Between items: blanks in ODK and Kobo, commas in Qualtrics, always a comma and a blank in our exports. */
const BETWEEN = { blanks: /\s+/g, commas: /,\s*/g, exported: /, /g };
const BETWEEN_ROWS = /\s*\|\s*/y;
const BETWEEN_TWO_ENTRIES = ' | ';
/** Between entries, and between the answers of one. */
const BETWEEN_ENTRIES = /( \| |; )/;
const BETWEEN_DATES = /,\s+|\s*;\s*|\s+[-–]\s+|\s+to\s+/;
/** An HTML entity. */
const ENTITY = /&(?:#\w+|[a-z]+\d*);/i;

/** Facts about the column that a single cell does not tell. */
export interface CellWays {
  /** Whether `5/1/2024` is January 5. */
  dayFirst: boolean;
  /** The decimal sign of the column's numbers, if known. */
  decimalSign?: DecimalSign | undefined;
  /**
   * The separator of all lists: of names or ids, in products that put options added by respondents into a column of their own; of
   * names and such options in our exports.
   */
  between?: keyof typeof BETWEEN | undefined;
  /** Called with every date of a cell, as written. */
  onDate?: (text: string) => void;
  /** Called with every number, as written. */
  onNumber?: (text: string) => void;
}

/**
 * Reads the text that an export writes for an answer (see `toText`), and what other products write. Goes by `csvKind`, as exports
 * do.
 */
export function compileFromText(property: Property, ways: CellWays): CellReader {
  const read = compileFromUnguarded(property, ways);
  return (cell) => read(withoutGuard(cell));
}

/** The same for texts without the guard of a cell, such as those joined from several cells. */
export function compileFromUnguarded(property: Property, ways: CellWays): CellReader {
  const read = compileReader(property, ways);
  return (text) => (text.trim() === '' ? undefined : read(text));
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
  // Where respondents may add options, a name in another letter case is another option.
  if (choiceNames(property, typeName) === null)
    return (text) => (mayBeIds(between) && !names.includes(text) ? (byId.get(text.trim()) ?? text) : text);
  const find = compileName(names);
  return (text) => find(text) ?? byId.get(text.trim()) ?? text.trim();
}

/** Whether a text may not be HTML: it has a bare `<`, or line breaks without entities. Our exports write `&lt;`. */
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
  if (between === 'exported' && isFree) return compileItemsBetween(names, BETWEEN.exported, isFree);
  const mixed = compileMixedItems(names, isFree);
  const known = new Set(names);
  const named = (list: string[]) => list.map((item) => (known.has(item) ? item : (byId.get(item) ?? item)));
  return (text) => {
    const trimmed = text.trim();
    if (mayBeIds(between)) return named(split(trimmed));
    const whole = items(trimmed);
    if (whole !== null || isFree) return whole ?? mixed(text);
    const found = named(ids(trimmed) ?? split(trimmed));
    return found.every((item) => known.has(item)) ? found : mixed(text);
  };
}

/** Whether lists are of the names or ids of options, and of nothing else. */
function mayBeIds(between: CellWays['between']): boolean {
  return between === 'blanks' || between === 'commas';
}

/** Reads `Row: Column | Row: Column`. */
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

/** Pairs from a text with unknown columns, so that the field can name the row; null if rows are unknown as well. */
function pairsIn(text: string, rows: readonly string[]): [row: string, column: string][] | null {
  const pairs = text.split('|').map((cell): [string, string] | null => {
    const piece = cell.trim();
    const row = rows.find((name) => piece.startsWith(`${name}: `));
    return row === undefined ? null : [row, piece.slice(row.length + 2)];
  });
  return pairs.every((pair) => pair !== null) ? pairs : null;
}

/**
 * Reads `Question: Answer; Question: Answer | Question: …`; a part that begins with no question continues the answer before it.
 */
function compileEntries(property: Property, ways: CellWays): (text: string) => JsonValue {
  const questions = questionsOf(property)
    .map((question) => ({
      ...question,
      start: `${question.name.trimStart()}: `,
      read: compileReader(question, ways),
    }))
    .toSorted((one, other) => other.start.length - one.start.length);
  return (text) => {
    if (/^\s*\[/.test(text)) return jsonOrText(text);
    const entries = entriesIn(text.trim(), questions);
    if (entries === null) return text;
    return entries.map((answers) =>
      Object.fromEntries(answers.map(({ question, text }) => [question.id, question.read(text)])),
    );
  };
}

interface WrittenQuestion {
  id: string;
  start: string;
  read(text: string): JsonValue;
}

/** The answers in each entry, as written; null if the text begins with no question. */
function entriesIn(
  text: string,
  questions: readonly WrittenQuestion[],
): { question: WrittenQuestion; text: string }[][] | null {
  const entries: { question: WrittenQuestion; text: string }[][] = [];
  const pieces = [BETWEEN_TWO_ENTRIES, ...text.split(BETWEEN_ENTRIES)];
  for (let index = 0; index < pieces.length; index += 2) {
    const [separator = '', piece = ''] = pieces.slice(index, index + 2);
    // A cell may be trimmed, and the name of a question may begin with a blank.
    const written = piece.trimStart();
    const question = questions.find(({ start }) => written.startsWith(start));
    const before = entries.at(-1)?.at(-1);
    if (question && separator === BETWEEN_TWO_ENTRIES) entries.push([]);
    if (question) entries.at(-1)?.push({ question, text: written.slice(question.start.length) });
    else if (before) before.text += separator + piece;
    else return null;
  }
  return entries;
}

/** For fields that take any JSON: a text is written as it is, everything else as JSON. */
function jsonOrText(text: string): JsonValue {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
