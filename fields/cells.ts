import { stringList } from './block-options/options.ts';
import { labelOf, optionNames } from './choices/choices.ts';
import { rankedNames } from './choices/ranking-places.ts';
import { isJsonObject, type Property } from './property.ts';
import { entryLimits } from './repeated-questions.ts';
import { canonicalTypeName } from './type-names.ts';

/** Cells of a form, each of which is an input of the page, or an option in a list. */
const MAX_CELLS = 10_000;
/** Options of repeated questions that count as one cell, as an option is drawn faster than an input. */
const OPTIONS_PER_CELL = 10;
/** Characters of the texts in all cells: the page has them two or three times. */
const MAX_CHARACTERS = 5_000_000;
/** Characters of an id that do not count among the texts. */
const MAX_ID = 64;

/** What the cells of a block, or of a form, add up to. */
interface Cells {
  count: number;
  characters: number;
}

/**
 * Why a page would be too large for its matrices, rankings and repeated questions, or null. Blocks may be any JSON.
 * @param properties in one language
 */
export function cellsProblem(properties: readonly unknown[]): string | null {
  const cells = properties.filter(isJsonObject).map(cellsOf);
  if (sum(cells.map(({ count }) => count)) > MAX_CELLS)
    return `The matrices, rankings and repeated questions of a form may not have more than ${MAX_CELLS} cells.`;
  if (sum(cells.map(({ characters }) => characters)) > MAX_CHARACTERS)
    return `The matrices and repeated questions of a form may not have more than ${MAX_CHARACTERS} characters in all cells together.`;
  return null;
}

function cellsOf(block: { type?: unknown }): Cells {
  if (typeof block.type !== 'string') return { count: 0, characters: 0 };
  const property = block as Property;
  switch (canonicalTypeName(block.type)) {
    case 'matrix':
      return cellsOfMatrix(property);
    case 'ranking':
      return { count: rankedNames(property).length ** 2, characters: 0 };
    case 'repeat':
      return cellsOfEntries(property);
    default:
      return { count: 0, characters: 0 };
  }
}

/** Rows times columns; every cell names both. */
function cellsOfMatrix(property: Property): Cells {
  const [rows, columns] = [property.rows, property.columns].map((names) =>
    stringList(names).map((name) => Math.max(name.length, labelOf(property, name).length)),
  ) as [number[], number[]];
  return {
    count: rows.length * columns.length,
    characters: rows.length * sum(columns) + columns.length * sum(rows),
  };
}

/** The questions of all possible entries, with a tenth of their options. */
function cellsOfEntries(property: Property): Cells {
  // Not `questionsOf`, as new questions may have no id yet.
  const questions = Array.isArray(property.questions)
    ? (property.questions as unknown[]).filter(isJsonObject)
    : [];
  const options = questions.flatMap((question) =>
    typeof question.type === 'string'
      ? optionNames(question as Property, canonicalTypeName(question.type))
      : [],
  );
  const { max } = entryLimits(property);
  return {
    count: (questions.length + options.length / OPTIONS_PER_CELL) * max,
    characters: charactersIn([questions, property.name, property.entry_name]) * max,
  };
}

/** Characters of all texts in a value. Ids of options are not on the page; a label for an option named `id` may be. */
function charactersIn(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  const members = Object.entries(value).filter(([key, inner]) => key !== 'id' || !isShortId(inner));
  return sum(members.map(([, inner]) => charactersIn(inner)));
}

function isShortId(value: unknown): boolean {
  return typeof value === 'string' && value.length <= MAX_ID;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
