import { invalid } from '../../http/errors.ts';
import { type ExportColumn, type FieldColumn, withDistinctHeaders } from './columns.ts';

/** A statement of PostgreSQL selects 1,664 columns at most, and has some of its own. */
const MAX_SPLIT_COLUMNS = 1_500;
/** Characters of all headers together. Each of them has the name of its question, whose length has no limit. */
const MAX_HEADERS = 2_000_000;
/** Named as in exports of other products, so that imports know it. */
const REST = 'Other';
const TOO_MANY = `A file has ${MAX_SPLIT_COLUMNS.toLocaleString('en')} columns at most where each option has one.`;
const TOO_LONG = 'The names of these questions are too long for a column for each option.';

/**
 * Gives each option of a question that takes several a column, and each row of a matrix. One more column has answers from before the
 * question was changed, and respondents' own options, so nothing is lost.
 * @throws HttpError 422 on `split_answers` when these are too many, or their headers too long
 */
export function splitColumns(columns: readonly ExportColumn[]): ExportColumn[] {
  const split = columns.flatMap((column): ExportColumn[] =>
    column.source === 'field' ? partsOf(column) : [column],
  );
  if (split.length > MAX_SPLIT_COLUMNS) throw invalid({ split_answers: [TOO_MANY] });
  const headers = split.reduce((length, { header }) => length + header.length, 0);
  if (headers > MAX_HEADERS) throw invalid({ split_answers: [TOO_LONG] });
  return withDistinctHeaders(split);
}

function partsOf(column: FieldColumn): FieldColumn[] {
  const parts = namedParts(column);
  if (parts.length === 0) return [column];
  // The lists of the question are in the last column alone: with each part they would make a job of a few megabytes huge.
  const ofPart = { ...column, choices: [], rows: [] };
  return [
    ...parts.map((part) => ({ ...ofPart, part, header: headerOf(column, part.name) })),
    { ...column, part: { is: 'rest' }, header: headerOf(column, REST) },
  ];
}

function headerOf({ header }: FieldColumn, part: string): string {
  return `${header} [${part}]`;
}

function namedParts({ csvKind, type, choices, rows }: FieldColumn) {
  if (csvKind === 'matrix') return rows.map((name) => ({ is: 'row', name }) as const);
  if (type === 'multi_select') return choices.map((name) => ({ is: 'option', name }) as const);
  if (type === 'ranking') return choices.map((name) => ({ is: 'place', name }) as const);
  return [];
}
