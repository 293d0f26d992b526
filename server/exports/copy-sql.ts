import pg from 'pg';
import type { FileLinks } from '../files/file-links.ts';
import type { ExportColumn, FieldColumn } from './columns.ts';
import type { ExportRequest } from './export-request.ts';

const literal = pg.escapeLiteral;
/** Around statements that are to read the same submissions. */
export const SNAPSHOT = { begin: 'begin isolation level repeatable read, read only', end: 'commit' };

/** How a statement writes its lines. */
interface Lines {
  /** Of a submission, an entry, or what was taken out of them: a text. */
  cellOf(column: ExportColumn, index: number, fileLinks: FileLinks | null): string;
  /** @param cell its name once it is a text */
  finish(column: ExportColumn, cell: string): string;
  /** What stands on the line; the finished cells beside each other when absent. */
  line?(cells: string[]): string;
  /** Options of COPY. */
  format: string;
  /** The newest submission is the first one when absent. */
  isOldestFirst?: boolean;
}

/**
 * The whole export as one statement, which is one consistent snapshot: PostgreSQL writes every cell. Each `offset 0` keeps the planner from merging the levels: the innermost unpacks a compressed row once
 * instead of once per column (`|| '{}'` does just that), the next takes each list and object out of it once, the one around it makes
 * a text of each answer, the outermost finishes it.
 */
export function copyStatement(
  { formId, columns, submissionIds, fileLinks, entriesOf }: ExportRequest,
  { cellOf, finish, line = (cells) => cells.join(', '), format, isOldestFirst = false }: Lines,
): string {
  const chosen = submissionIds ? ` and id = any (${literal(`{${submissionIds.join(',')}}`)}::bigint[])` : '';
  const order = isOldestFirst ? 'asc' : 'desc';
  const structured = columns.flatMap((column, index) =>
    isTakenOut(column) ? [`, data->${literal(column.id)} as ${takenOut(index)}`] : [],
  );
  const cells = columns.map((column, index) => `${cellOf(column, index, fileLinks)} as c${index}`);
  const finished = columns.map((column, index) => finish(column, `c${index}`));
  const [entry, entries] = entriesOf === null ? ['', ''] : [' entries.entry,', entriesJoin(entriesOf)];
  return `copy (
    select ${line(finished)} from (
      select submission.data,${entry} ${cells.join(', ')} from (
        select *${structured.join('')} from (
          select form_id, id, public_id, status, completion_time, created_at, updated_at, attribution,
            case jsonb_typeof(data) when 'object' then data || '{}' else '{}' end as data
          from submissions where form_id = ${Number(formId)}${chosen}
          order by form_id ${order}, id ${order} offset 0
        ) unpacked offset 0
      ) submission${entries} offset 0
    ) line
  ) to stdout with (format ${format}, encoding 'UTF8')`;
}

/** A line for every entry of the answer, in their order; whatever is no entry has none. */
function entriesJoin(fieldId: string): string {
  const answer = `submission.data->${literal(fieldId)}`;
  const list = `case jsonb_typeof(${answer}) when 'array' then ${answer} else '[]' end`;
  return ` cross join lateral jsonb_array_elements(${list}) with ordinality as entries (entry, number)
      where jsonb_typeof(entries.entry) = 'object'`;
}

/** Its answers are usually arrays or objects. */
export function isStructured({ csvKind }: FieldColumn): boolean {
  return csvKind === 'list' || csvKind === 'matrix' || csvKind === 'entries' || csvKind === 'files';
}

/** Looked at several times; one of an entry has no row of its own to be taken out into. */
export function isTakenOut(column: ExportColumn): column is FieldColumn {
  return column.source === 'field' && isStructured(column) && !column.isInEntry;
}

export function takenOut(index: number): string {
  return `answer${index}`;
}

/** Its answers are usually texts or numbers, and are no JSON. */
export function isPlainText(column: ExportColumn): column is FieldColumn {
  if (column.source !== 'field' || isStructured(column)) return false;
  return column.csvKind !== 'json';
}

/** All answers of what has the line. */
export function answersOf({ isInEntry }: FieldColumn): string {
  return isInEntry ? 'entries.entry' : 'submission.data';
}
