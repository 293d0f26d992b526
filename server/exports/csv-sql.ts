import pg from 'pg';
import type { FileLinks } from '../files/file-links.ts';
import type { ExportColumn, SystemColumn } from './columns.ts';
import { FORMULA_PATTERN, guardFormula, NUMBER_PATTERN } from './formula-guard.ts';

/** Which submissions of a form, written how. */
export interface CsvRequest {
  formId: number;
  columns: ExportColumn[];
  /** null = all of the form. */
  submissionIds: number[] | null;
  /** Whether the file begins with a byte order mark. */
  bom: boolean;
  /** How the names of uploaded files become links. */
  fileLinks: FileLinks;
}

const literal = pg.escapeLiteral;
const BOM = '\ufeff';
/** The same as `fileIdOf` and `extensionOf` find; names are stored in lower case. */
const FILE_ID = '(?:^|_)([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})(?:\\.[a-zA-Z0-9]{1,10})?$';
const EXTENSION = '\\.[a-z0-9]{1,10}$';

/**
 * The whole export as one statement, which is one consistent snapshot: PostgreSQL formats every cell as the field's
 * `toText` does and streams RFC 4180 lines, newest submission first. Each `offset 0` keeps the planner from merging
 * the levels: the innermost unpacks a compressed row once instead of once per column (`|| '{}'` does just that), the
 * middle one writes each cell once, the outermost guards it.
 */
export function csvStatement({ formId, columns, submissionIds, fileLinks }: CsvRequest): string {
  const chosen = submissionIds ? ` and id = any (${literal(`{${submissionIds.join(',')}}`)}::bigint[])` : '';
  const cells = columns.map((column, index) => `${cellText(column, fileLinks)} as c${index}`);
  const guarded = columns.map((column, index) => guardedCell(column, `c${index}`, columns.length === 1));
  return `copy (
    select ${guarded.join(', ')} from (
      select ${cells.join(', ')} from (
        select id, public_id, status, completion_time, created_at, updated_at, attribution, data || '{}' as data
        from submissions where form_id = ${Number(formId)}${chosen}
        order by form_id desc, id desc offset 0
      ) submission offset 0
    ) line
  ) to stdout with (format csv, encoding 'UTF8')`;
}

/** The first line, with its line end. */
export function csvHeader({ columns, bom }: CsvRequest): string {
  const cells = columns.map(({ header }) => quoted(guardFormula(header)));
  return `${bom ? BOM : ''}${cells.join(',')}\n`;
}

function quoted(text: string): string {
  return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** @param alone a lone absent cell would be an empty line, which readers skip: it is written as `""` */
function guardedCell(column: ExportColumn, cell: string, alone: boolean): string {
  const text = column.source === 'system' ? cell : withGuard(column, cell);
  return alone ? `coalesce(${text}, '')` : text;
}

function withGuard(column: ExportColumn, cell: string): string {
  const isNumber = column.source === 'field' && column.csvKind === 'number';
  const unlessNumber = isNumber ? ` and ${cell} !~ ${literal(NUMBER_PATTERN)}` : '';
  return `case when ${cell} ~ ${literal(FORMULA_PATTERN)}${unlessNumber} then '''' || ${cell} else ${cell} end`;
}

function cellText(column: ExportColumn, fileLinks: FileLinks): string {
  switch (column.source) {
    case 'system':
      return SYSTEM_CELLS[column.name];
    case 'attribution':
      return `attribution->>${literal(column.key)}`;
    case 'field':
      return fieldText(column, fileLinks);
  }
}

const SYSTEM_CELLS: Record<SystemColumn, string> = {
  id: 'id::text',
  submission_id: 'public_id::text',
  created_at: isoTime('created_at'),
  updated_at: isoTime('updated_at'),
  status: 'status',
  // by way of numeric: a double beyond 10^15 is written with an exponent
  completion_time: 'completion_time::text::numeric::text',
};

function isoTime(column: string): string {
  return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** An answer whose shape does not fit the kind (the type was changed later) is written as its text, never refused. */
function fieldText(
  { id, csvKind, rows }: Extract<ExportColumn, { source: 'field' }>,
  fileLinks: FileLinks,
): string {
  const text = `data->>${literal(id)}`;
  const value = `data->${literal(id)}`;
  const isA = (type: string) => `jsonb_typeof(${value}) = '${type}'`;
  switch (csvKind) {
    case 'json':
    case 'boolean':
      return text;
    case 'matrix':
      return `case when ${isA('object')} then ${rowsText(value, rows)} else ${text} end`;
    case 'files':
      return filesText(value, fileLinks);
    case 'text':
    case 'number':
    case 'list':
      return `case when ${isA('array')} then ${listText(value)} else ${text} end`;
  }
}

function listText(value: string): string {
  return `(select string_agg(coalesce(item, ''), ', ') from jsonb_array_elements_text(${value}) as item)`;
}

/** The signed address of each file, as `FileLinks.urlOf` writes it; a text that names no file stays itself. */
function filesText(value: string, { parts: { start, end, innerKey, outerKey } }: FileLinks): string {
  const [inner, outer] = [innerKey, outerKey].map((key) => `'\\x${key.toString('hex')}'::bytea`);
  const fileId = `substring(item from ${literal(FILE_ID)})`;
  const signature = `encode(sha256(${outer} || sha256(${inner} || convert_to(file_id, 'UTF8'))), 'hex')`;
  const url = `${literal(start)} || file_id || coalesce(substring(item from ${literal(EXTENSION)}), '') || ${literal(end)} || ${signature}`;
  const items = `jsonb_array_elements_text(case jsonb_typeof(${value}) when 'array' then ${value} else jsonb_build_array(${value}) end)`;
  return `(select string_agg(case when file_id is null then coalesce(item, '') else ${url} end, ', ' order by n)
    from ${items} with ordinality as items (item, n), lateral (select lower(${fileId}) as file_id) as named
    having ${value} is not null)`;
}

/** Rows in the order of the form, then those it no longer has; jsonb itself keeps no order. */
function rowsText(value: string, rows: string[]): string {
  const order = `array_position(array[${rows.map((row) => literal(row)).join(', ')}]::text[], answer.key)`;
  return `(select string_agg(answer.key || ': ' || coalesce(answer.value, ''), ' | ' order by ${order})
    from jsonb_each_text(${value}) as answer)`;
}
