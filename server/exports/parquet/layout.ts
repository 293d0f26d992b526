import { type EntryQuestion, type ExportColumn, type FieldColumn, kindOf } from '../columns/columns.ts';
import { type Leaf, type Leaves, leavesOf, plain } from './leaves.ts';
import type { Type } from './values.ts';

/** Columns of a file, also those that would be empty. Each takes memory, and room in every part of the file. */
export const MAX_LEAVES = 2_000;

/** The columns of the file that each column of an export becomes. */
export function layOut(columns: readonly ExportColumn[]): Leaves[] {
  return columns.map((column) =>
    column.source === 'field' ? leavesOf(column) : plain(nameOf(column), typeOf(column)),
  );
}

/** Columns of the file at most; some may be left out because they are empty. */
export function countLeaves(columns: readonly ExportColumn[]): number {
  return layOut(columns).reduce((count, { leaves }) => count + leaves.length, 0);
}

/** The name in the file, which no question has. */
function nameOf(column: Exclude<ExportColumn, FieldColumn>): string {
  if (column.source === 'attribution') return column.key;
  return column.source === 'system' ? column.name : column.header;
}

function typeOf(column: Exclude<ExportColumn, FieldColumn>): Type {
  const kind = kindOf(column);
  if (kind === 'moment') return 'moment';
  if (kind !== 'number') return 'text';
  const isWhole = column.source === 'entry' || (column.source === 'system' && column.name === 'id');
  return isWhole ? 'int64' : 'double';
}

interface Described {
  id: string;
  name: string;
  type: string;
  /** With `.` before questions of entries. */
  columns: string[];
}

/** Tells where the answers to each question are, and which options and rows it has. @param leaves those in the file */
export function describeFields(columns: readonly ExportColumn[], leaves: readonly Leaf[]) {
  return columns.flatMap((column) => {
    if (column.source !== 'field') return [];
    const { choices, rows, questions, inTables } = column;
    const own = leaves.filter(({ path }) => isOf(inTables.word, path[0]));
    return {
      ...described(column, own),
      ...(choices.length > 0 && { options: choices }),
      ...(rows.length > 0 && { rows }),
      ...(questions.length > 0 && {
        questions: questions.map((question) =>
          described(
            question,
            own.filter(({ path }) => isOf(question.inTables.word, path[3])),
          ),
        ),
      }),
    };
  });
}

function described({ id, type, inTables }: EntryQuestion | FieldColumn, leaves: readonly Leaf[]): Described {
  const columns = leaves.map(({ path }) => path.filter((_, index) => index % 3 === 0).join('.'));
  return { id, name: inTables.name, type, columns };
}

/** Words have no two `_` in them. */
function isOf(word: string, name = ''): boolean {
  return name === word || name.startsWith(`${word}__`);
}
