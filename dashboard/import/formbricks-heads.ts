import { folded } from './targets.ts';

/** Columns of every file from Formbricks. */
const OF_FORMBRICKS = ['survey id', 'formbricks id (internal)'];
/** Before the name of a question: `2. Which plan?`. */
const NUMBER = /^\d+\. /;
/** Columns about a response that are known by these names. */
const ABOUT = new Set(['response id', 'timestamp', 'finished']);

/**
 * The names of columns, without the numbers of Formbricks. There, the columns before the first question are about the response, even if
 * one is called as a question is, such as `country`: those have no name.
 */
export function withoutNumbers(columns: readonly string[]): string[] {
  const names = columns.map(folded);
  if (!OF_FORMBRICKS.every((name) => names.includes(name))) return [...columns];
  const first = columns.findIndex((column) => NUMBER.test(column));
  return columns.map((column, at) =>
    at < first && !ABOUT.has(names[at] ?? '') ? '' : column.replace(NUMBER, ''),
  );
}
