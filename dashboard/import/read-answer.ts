import { flagOf } from '../../fields/as-text/flag-words.ts';
import { withoutGuard } from '../../fields/as-text/formula-guard.ts';
import { type CellWays, compileFromUnguarded } from '../../fields/as-text/from-text.ts';
import { isOn } from '../../fields/block-options/options.ts';
import { optionNames } from '../../fields/choices/choices.ts';
import type { JsonValue, Property } from '../../fields/property.ts';
import { canonicalTypeName } from '../../fields/type-names.ts';
import { isCalledOwn, OWN, ownPartOf } from './targets.ts';

export interface AnswerColumn {
  /** Index among the columns of the file. */
  index: number;
  /** The row or option it is about; null for the whole answer. */
  part: string | null;
}

type Cells = readonly string[];

/** Marks of a chosen option in its column, besides yes and no. */
const IS_CHOSEN = /^(?:x|checked|selected|[✓✔☑☒])$/i;
/** What LimeSurvey writes for questions with fixed options that were left open. */
const NO_ANSWER = /^\s*n\/a\s*$/i;
/** Between texts that respondents typed, in the column for them of our exports. */
const BETWEEN_OWN = '; ';
const IS_NOT_CHOSEN = /^(?:-|–|n\/a|unchecked|not selected|☐)$/i;

/**
 * Reads a question's columns as its answer; undefined if they have none. A column with the whole answer makes the parts
 * unnecessary.
 */
export function compileAnswer(
  property: Property,
  columns: readonly AnswerColumn[],
  ways: CellWays,
): (cells: Cells) => JsonValue | undefined {
  const typeName = canonicalTypeName(property.type);
  const wholes = columns.filter(({ part }) => part === null);
  const parts = columns.filter(({ part }) => part !== null);
  const options = new Set<JsonValue>(optionNames(property, typeName));
  const readText = compileFromUnguarded(property, ways);
  const isClosed = typeName === 'select' && !isOn(property.allow_creation);
  const read = (text: string) =>
    isClosed && NO_ANSWER.test(text) && !options.has(text.trim()) ? undefined : readText(text);
  const between = typeName === 'matrix' ? ' | ' : typeName === 'ranking' ? '\n' : ', ';
  const [whole, another] = wholes;
  const readWhole = (cells: Cells) => {
    if (whole && !another) return read(unguardedAt(cells, whole.index));
    return read(textsOf(cells, wholes).join(between));
  };
  if (parts.length === 0) return readWhole;
  const ownPart = ownPartOf(property);
  if (typeName === 'matrix' || typeName === 'ranking') {
    const rest = parts.filter(({ part }) => part === ownPart);
    const named = parts.filter(({ part }) => part !== ownPart);
    const rowOf = (cell: string, part: string) => `${part}: ${cell}`;
    const readNamed = (cells: Cells) =>
      typeName === 'ranking' ? placesIn(cells, named) : read(textsOf(cells, named, rowOf).join(between));
    return (cells) => readWhole(cells) ?? read(textsOf(cells, rest).join(between)) ?? readNamed(cells);
  }
  const own = parts.filter(({ part }) => part === OWN || part === ownPart);
  if (typeName === 'select') return (cells) => withOwn(readWhole(cells), textsOf(cells, own)[0], options);
  const readOptions = compileFromUnguarded(property, { ...ways, between: undefined });
  return (cells) => {
    const answer = readWhole(cells);
    if (ways.between === 'exported') return answer ?? exportedItems(cells, parts, property);
    if (answer !== undefined) return withOwn(answer, textsOf(cells, own, chosenBy)[0], options);
    // A cell with a typed option is a single option, whatever it contains.
    const texts = new Set(textsOf(cells, parts, chosenBy));
    return readOptions([...texts].map((text) => `${text}\n`).join(''));
  };
}

/** The texts of the cells that are not blank. */
function textsOf(
  cells: Cells,
  columns: readonly AnswerColumn[],
  textOf = (cell: string, _part: string) => cell,
): string[] {
  return columns
    .map(({ index, part }) => {
      const cell = cellAt(cells, index);
      return cell === '' ? '' : textOf(cell, part ?? '');
    })
    .filter((text) => text !== '');
}

/** The options that our exports mark as chosen, and the texts that respondents typed, as they are. */
function exportedItems(
  cells: Cells,
  parts: readonly AnswerColumn[],
  property: Property,
): JsonValue | undefined {
  const isOwn = ({ part }: AnswerColumn) => part === ownPartOf(property);
  const options = parts.filter((column) => !isOwn(column));
  const typed = parts
    .filter(isOwn)
    .map(({ index }) => unguardedAt(cells, index))
    .filter((text) => text.trim() !== '')
    .flatMap((text) => text.split(BETWEEN_OWN));
  const items = new Set([...textsOf(cells, options, chosenBy), ...typed]);
  return items.size === 0 ? undefined : [...items];
}

/** The option, nothing, or a text typed in its place, which the field will check. */
function chosenBy(cell: string, option: string): string {
  const flag = flagOf(cell);
  if (flag === false || IS_NOT_CHOSEN.test(cell)) return '';
  return flag === true || IS_CHOSEN.test(cell) || cell.toLowerCase() === option.trim().toLowerCase()
    ? option
    : cell;
}

/** The rank of each option by name, from which the field makes an order. */
function placesIn(cells: Cells, parts: readonly AnswerColumn[]): JsonValue | undefined {
  const places = parts.flatMap(({ index, part }) => {
    const cell = cellAt(cells, index);
    return cell === '' || IS_NOT_CHOSEN.test(cell) ? [] : [[part, cell] as const];
  });
  return places.length === 0 ? undefined : Object.fromEntries(places);
}

/** Adds texts typed beside the options; they replace an unknown option, which only says that there is such a text. */
function withOwn(
  answer: JsonValue | undefined,
  said: string | undefined,
  options: ReadonlySet<JsonValue>,
): JsonValue | undefined {
  if (said === undefined) return answer;
  if (Array.isArray(answer)) return [...new Set([...answer.filter((item) => options.has(item)), said])];
  return typeof answer === 'string' && options.has(answer) && !isCalledOwn(answer) ? answer : said;
}

/** The text of a cell, '' if there is none. */
export function cellAt(cells: Cells, index: number): string {
  return unguardedAt(cells, index).trim();
}

function unguardedAt(cells: Cells, index: number): string {
  return withoutGuard(cells[index] ?? '');
}
