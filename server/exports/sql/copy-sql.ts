import pg from 'pg';
import type { FileLinks } from '../../files/file-links.ts';
import type { ExportColumn, FieldColumn } from '../columns/columns.ts';
import type { ExportRequest } from '../export-request.ts';

const literal = pg.escapeLiteral;
/** Around statements that have to read the same submissions. */
export const SNAPSHOT = { begin: 'begin isolation level repeatable read, read only', end: 'commit' };

/** How a statement writes its lines. */
interface Lines {
  /** The cell as text, of a submission, an entry, or a part taken out of them. @param index of the first column with the answer */
  cellOf(column: ExportColumn, index: number, fileLinks: FileLinks | null): string;
  /** The cell as written. @param cell name of the text that `cellOf` made */
  finish(column: ExportColumn, cell: string): string;
  /** The line made of finished cells; by default they are its columns. */
  line?(cells: string[]): string;
  /** Options of COPY. */
  format: string;
  /** By default the newest submission comes first. */
  isOldestFirst?: boolean;
}

/**
 * The whole export as one statement, so that it is a consistent snapshot; PostgreSQL writes every cell. It has four levels: the
 * innermost unpacks a compressed row once instead of once per column (by `|| '{}'`), the next takes each list and object out of it
 * once, the next makes a text of each answer, the outermost finishes it. `offset 0` keeps the planner from merging the levels.
 */
export function copyStatement(
  { formId, columns, submissionIds, fileLinks, entriesOf }: ExportRequest,
  { cellOf, finish, line = (cells) => cells.join(', '), format, isOldestFirst = false }: Lines,
): string {
  const chosen = submissionIds ? ` and id = any (${literal(`{${submissionIds.join(',')}}`)}::bigint[])` : '';
  const order = isOldestFirst ? 'asc' : 'desc';
  const places = placesOfAnswers(columns);
  const structured = columns.flatMap((column, index) =>
    isTakenOut(column) && places[index] === index
      ? [`, data->${literal(column.id)} as ${takenOut(index)}`]
      : [],
  );
  const cells = columns.map(
    (column, index) => `${cellOf(column, places[index] ?? index, fileLinks)} as c${index}`,
  );
  const finished = columns.map((column, index) => finish(column, `c${index}`));
  const [entry, entries] = entriesOf === null ? ['', ''] : [' entries.entry,', entriesJoin(entriesOf)];
  return `copy (
    select ${line(finished)} from (
      select submission.data,${entry} ${cells.join(', ')} from (
        select *${structured.join('')} from (
          select form_id, id, public_id, status, completion_time, ending, created_at, updated_at, attribution,
            case jsonb_typeof(data) when 'object' then data || '{}' else '{}' end as data
          from submissions where form_id = ${Number(formId)}${chosen}
          order by form_id ${order}, id ${order} offset 0
        ) unpacked offset 0
      ) submission${entries} offset 0
    ) line
  ) to stdout with (format ${format}, encoding 'UTF8')`;
}

/** For each column the index of the first one of the same question, as all parts of an answer are read from what is taken out once. */
function placesOfAnswers(columns: readonly ExportColumn[]): number[] {
  const firsts = new Map<string, number>();
  return columns.map((column, index) => {
    if (!isTakenOut(column)) return index;
    const first = firsts.get(column.id) ?? index;
    firsts.set(column.id, first);
    return first;
  });
}

/** Makes a line for every entry of the answer, in their order; items that are no entries are left out. */
function entriesJoin(fieldId: string): string {
  const answer = `submission.data->${literal(fieldId)}`;
  const list = `case jsonb_typeof(${answer}) when 'array' then ${answer} else '[]' end`;
  return ` cross join lateral jsonb_array_elements(${list}) with ordinality as entries (entry, number)
      where jsonb_typeof(entries.entry) = 'object'`;
}

/** Whether answers are usually arrays or objects. */
export function isStructured({ csvKind }: FieldColumn): boolean {
  return csvKind === 'list' || csvKind === 'matrix' || csvKind === 'entries' || csvKind === 'files';
}

/** Whether answers are taken out of the row once, as they are looked at several times; questions of entries have no such row. */
export function isTakenOut(column: ExportColumn): column is FieldColumn {
  return column.source === 'field' && isStructured(column) && !column.isInEntry;
}

export function takenOut(index: number): string {
  return `answer${index}`;
}

/** Whether answers are usually texts or numbers, and not exported as JSON. */
export function isPlainText(column: ExportColumn): column is FieldColumn {
  if (column.source !== 'field' || isStructured(column)) return false;
  return column.csvKind !== 'json';
}

/** All answers of the submission or entry that the line is about. */
export function answersOf({ isInEntry }: FieldColumn): string {
  return isInEntry ? 'entries.entry' : 'submission.data';
}
