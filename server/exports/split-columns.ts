import { invalid } from '../http/errors.ts';
import { type AnswerPart, type ExportColumn, type FieldColumn, withDistinctHeaders } from './columns.ts';

/** A statement of PostgreSQL selects 1,664 columns at most, and has some of its own. */
const MAX_SPLIT_COLUMNS = 1_500;
/** Named as in exports of other products, so that imports know it. */
const REST = 'Other';
const TOO_MANY = `A file has ${MAX_SPLIT_COLUMNS.toLocaleString('en')} columns at most where each option has one.`;

/**
 * Gives each option of a question that takes several a column, and each row of a matrix. One more column has answers from before the
 * question was changed, and respondents' own options, so nothing is lost.
 * @throws HttpError 422 on `split_answers` when these are too many
 */
export function splitColumns(columns: readonly ExportColumn[]): ExportColumn[] {
  const split = columns.flatMap((column): ExportColumn[] =>
    column.source === 'field' ? partsOf(column) : [column],
  );
  if (split.length > MAX_SPLIT_COLUMNS) throw invalid({ split_answers: [TOO_MANY] });
  return withDistinctHeaders(split);
}

function partsOf(column: FieldColumn): FieldColumn[] {
  const parts = namedParts(column);
  const columnOf = (part: AnswerPart, name: string) => ({
    ...column,
    part,
    header: `${column.header} [${name}]`,
  });
  if (parts.length === 0) return [column];
  return [...parts.map((part) => columnOf(part, part.name)), columnOf({ is: 'rest' }, REST)];
}

function namedParts({ csvKind, type, choices, rows }: FieldColumn) {
  if (csvKind === 'matrix') return rows.map((name) => ({ is: 'row', name }) as const);
  if (type === 'multi_select') return choices.map((name) => ({ is: 'option', name }) as const);
  if (type === 'ranking') return choices.map((name) => ({ is: 'place', name }) as const);
  return [];
}
