import pg from 'pg';
import { FORMULA_PATTERN, guardFormula, NUMBER_PATTERN } from '../../fields/formula-guard.ts';
import { LOCATION_PATTERN } from '../../fields/locations.ts';
import type { FileLinks } from '../files/file-links.ts';
import type { EntryQuestion, ExportColumn, SystemColumn } from './columns.ts';
import type { ExportRequest } from './export-request.ts';

/** Folder of the files in an archive; below it one for each submission that has some, named by its number. */
export const ARCHIVE_FOLDER = 'files';
const literal = pg.escapeLiteral;
/** Around statements that are to read the same submissions. */
export const SNAPSHOT = { begin: 'begin isolation level repeatable read, read only', end: 'commit' };
const BOM = '\ufeff';
/** The same as `fileIdOf` and `extensionOf` find; names are stored in lower case. */
const FILE_ID = '(?:^|_)([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})(?:\\.[a-zA-Z0-9]{1,10})?$';
/** Which characters of ASCII are letters or digits, by their codes from 1 on. */
const PLAIN_STARTS = Array.from({ length: 127 }, (_, index) =>
  /[a-zA-Z0-9]/.test(String.fromCharCode(index + 1)) ? 't' : 'f',
);
/** What begins with a minus and is no formula, by the kind of column. */
const HARMLESS: Partial<Record<FieldColumn['csvKind'], string>> = {
  number: NUMBER_PATTERN,
  location: LOCATION_PATTERN,
};
const EXTENSION = '\\.[a-z0-9]{1,10}$';
/** So many items are taken out of a list one by one, in an eighth of the time that a query over its items takes. */
const SHORT_LIST = 4;

/** The lines of a CSV file (RFC 4180) behind the first one, newest submission first. */
export function csvStatement(request: ExportRequest): string {
  const isAlone = request.columns.length === 1;
  return copyStatement(request, {
    finish: (column, cell) => guardedCell(column, cell, isAlone),
    format: 'csv',
  });
}

/** The same lines in COPY's own text format, for files whose cells have types: no text is guarded, since none is taken for a formula. */
export function cellsStatement(request: ExportRequest): string {
  return copyStatement(request, { finish: bareCell, format: 'text' });
}

/** The same, with the answers of some columns as they are stored: what is no text as its JSON. */
export function codedStatement(request: ExportRequest, isCoded: (column: ExportColumn) => boolean): string {
  const coded = (column: ExportColumn) => (column.source === 'field' && isCoded(column) ? column : null);
  return copyStatement(request, {
    cellOf: (column, index, fileLinks) => {
      const field = coded(column);
      return field ? storedText(field) : cellText(column, index, fileLinks);
    },
    finish: (column, cell) => (coded(column) ? cell : bareCell(column, cell)),
    format: 'text',
  });
}

/** How the cells of a statement are written. */
interface Cells {
  cellOf?: typeof cellText;
  /** @param cell its name once it is a text */
  finish(column: ExportColumn, cell: string): string;
  format: 'csv' | 'text';
}

/**
 * The whole export as one statement, which is one consistent snapshot: PostgreSQL formats every cell as the field's
 * `toText` does. Each `offset 0` keeps the planner from merging the levels: the innermost unpacks a compressed row once
 * instead of once per column (`|| '{}'` does just that), the next takes each list and object out of it once, the one around it makes
 * a text of each answer, the outermost finishes it.
 */
function copyStatement(
  { formId, columns, submissionIds, fileLinks, entriesOf }: ExportRequest,
  { cellOf = cellText, finish, format }: Cells,
): string {
  const chosen = submissionIds ? ` and id = any (${literal(`{${submissionIds.join(',')}}`)}::bigint[])` : '';
  const structured = columns.flatMap((column, index) =>
    isTakenOut(column) ? [`, data->${literal(column.id)} as ${takenOut(index)}`] : [],
  );
  const cells = columns.map((column, index) => `${cellOf(column, index, fileLinks)} as c${index}`);
  const finished = columns.map((column, index) => finish(column, `c${index}`));
  const [entry, entries] = entriesOf === null ? ['', ''] : [' entries.entry,', entriesJoin(entriesOf)];
  return `copy (
    select ${finished.join(', ')} from (
      select submission.data,${entry} ${cells.join(', ')} from (
        select *${structured.join('')} from (
          select form_id, id, public_id, status, completion_time, created_at, updated_at, attribution,
            case jsonb_typeof(data) when 'object' then data || '{}' else '{}' end as data
          from submissions where form_id = ${Number(formId)}${chosen}
          order by form_id desc, id desc offset 0
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

type FieldColumn = Extract<ExportColumn, { source: 'field' }>;

/** Its answers are usually arrays or objects. */
function isStructured({ csvKind }: FieldColumn): boolean {
  return csvKind === 'list' || csvKind === 'matrix' || csvKind === 'entries' || csvKind === 'files';
}

/** Looked at several times; one of an entry has no row of its own to be taken out into. */
function isTakenOut(column: ExportColumn): column is FieldColumn {
  return column.source === 'field' && isStructured(column) && !column.isInEntry;
}

function takenOut(index: number): string {
  return `answer${index}`;
}

/** Its answers are usually texts or numbers, and are no JSON. */
function isPlainText(column: ExportColumn): column is FieldColumn {
  if (column.source !== 'field' || isStructured(column)) return false;
  return column.csvKind !== 'json';
}

/** The first line, with its line end. */
export function csvHeader({ columns, bom }: ExportRequest): string {
  const cells = columns.map(({ header }) => quoted(guardFormula(header)));
  return `${bom ? BOM : ''}${cells.join(',')}\n`;
}

function quoted(text: string): string {
  return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function bareCell(column: ExportColumn, cell: string): string {
  return isPlainText(column) ? listOrText(column, cell, (text) => text) : cell;
}

/** @param alone a lone absent cell would be an empty line, which readers skip: it is written as `""` */
function guardedCell(column: ExportColumn, cell: string, alone: boolean): string {
  const text = isOurs(column) ? cell : withGuard(column, cell);
  return alone ? `coalesce(${text}, '')` : text;
}

/** Written by the service itself: the names and addresses of recipients are not. */
function isOurs(column: ExportColumn): boolean {
  if (column.source === 'entry') return true;
  return column.source === 'system' && !column.name.startsWith('recipient_');
}

/**
 * Most cells begin with a letter or digit, which begins neither a formula nor the text of an array: that is asked first, of a
 * table, because a look into it costs much less than a pattern.
 */
function withGuard(column: ExportColumn, cell: string): string {
  const guard = (text: string) => withApostrophe(column, text);
  const rest = isPlainText(column) ? listOrText(column, cell, guard) : guard(cell);
  return `case when ('{${PLAIN_STARTS.join()}}'::bool[])[ascii(${cell})] then ${cell} else ${rest} end`;
}

/** An answer whose shape does not fit (the type was changed later): a list is written as one. */
function listOrText(column: FieldColumn, cell: string, finish: (text: string) => string): string {
  const json = answerOf(column);
  const list = finish(listText(json));
  return `case when ${cell} like '[%' and jsonb_typeof(${json}) = 'array' then ${list} else ${finish(cell)} end`;
}

/** In the finished line. */
function answerOf({ id, isInEntry }: FieldColumn): string {
  return `${isInEntry ? 'entry' : 'data'}->${literal(id)}`;
}

/** A number stays one, whatever the type of the field became; only of what looks like a formula it is asked. */
function withApostrophe(column: ExportColumn, text: string): string {
  const isField = column.source === 'field';
  const harmless = isField ? HARMLESS[column.csvKind] : undefined;
  const unlessHarmless = harmless ? ` and ${text} !~ ${literal(harmless)}` : '';
  const guarded = `'''' || ${text}`;
  const unlessNumber = isField
    ? `case jsonb_typeof(${answerOf(column)}) when 'number' then ${text} else ${guarded} end`
    : guarded;
  return `case when ${text} collate "C" ~ ${literal(FORMULA_PATTERN)}${unlessHarmless} then ${unlessNumber} else ${text} end`;
}

function cellText(column: ExportColumn, index: number, fileLinks: FileLinks | null): string {
  switch (column.source) {
    case 'system':
      return SYSTEM_CELLS[column.name];
    case 'attribution':
      return `submission.attribution->>${literal(column.key)}`;
    case 'entry':
      return 'entries.number::text';
    case 'field':
      return fieldText(column, index, fileLinks);
  }
}

const SYSTEM_CELLS: Record<SystemColumn, string> = {
  id: 'submission.id::text',
  submission_id: 'submission.public_id::text',
  created_at: isoTime('submission.created_at'),
  updated_at: isoTime('submission.updated_at'),
  status: 'submission.status',
  // by way of numeric: a double beyond 10^15 is written with an exponent
  completion_time: 'submission.completion_time::text::numeric::text',
  review_state: `coalesce((select state from submission_reviews review
    where review.form_id = submission.form_id and review.submission_id = submission.id), 'received')`,
  recipient_name: ofRecipient('name'),
  recipient_email: ofRecipient('email'),
};

/** Whose personal link it came by, also when they were let answer once more since; of an anonymous form nobody's. */
function ofRecipient(column: 'name' | 'email'): string {
  const whose = `select recipient.${column} from recipients recipient where recipient.form_id = submission.form_id`;
  return `(${whose} and recipient.submission_public_id = submission.public_id
    union all ${whose} and recipient.earlier_submissions @> array[submission.public_id]
      and recipient.earlier_submissions <> '{}' limit 1)`;
}

function isoTime(column: string): string {
  return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** An answer whose shape does not fit the kind (the type was changed later) is written as its text, never refused. */
function fieldText(column: FieldColumn, index: number, fileLinks: FileLinks | null): string {
  const { id, csvKind } = column;
  if (!isStructured(column)) return storedText(column);
  const value = isTakenOut(column)
    ? `submission.${takenOut(index)}`
    : `(${answersOf(column)}->${literal(id)})`;
  const isA = (type: string) => `jsonb_typeof(${value}) = '${type}'`;
  const text = `${value} #>> '{}'`;
  if (csvKind === 'files') return filesText(value, fileLinks);
  let lines = '';
  if (csvKind === 'matrix') lines = `when ${isA('object')} then ${rowsText(value, column.rows)} `;
  if (csvKind === 'entries')
    lines = `when ${isA('array')} and not ${value} @? '$[*] ? (@.type() != "object")' then ${entriesText(value, column.questions)} `;
  return `case ${lines}when ${isA('array')} then ${shortListText(value)} else ${text} end`;
}

function storedText(column: FieldColumn): string {
  return `${answersOf(column)}->>${literal(column.id)}`;
}

function answersOf({ isInEntry }: FieldColumn): string {
  return isInEntry ? 'entries.entry' : 'submission.data';
}

/** The same as `listText`, sooner for the lists that most are. */
function shortListText(value: string): string {
  const items = Array.from({ length: SHORT_LIST }, (_, index) => `coalesce(${value}->>${index}, '')`);
  const byLength = items.map(
    (_, index) => `when ${index + 1} then ${items.slice(0, index + 1).join(" || ', ' || ")}`,
  );
  return `case jsonb_array_length(${value}) ${byLength.join(' ')} else ${listText(value)} end`;
}

function listText(value: string): string {
  return `(select string_agg(coalesce(item, ''), ', ') from jsonb_array_elements_text(${value}) as item)`;
}

/** Where each file is to be found; a text that names no file stays itself. */
function filesText(value: string, fileLinks: FileLinks | null): string {
  const place = fileLinks ? linkText(fileLinks) : `'${ARCHIVE_FOLDER}/' || submission.id || '/' || item`;
  const items = `jsonb_array_elements_text(case jsonb_typeof(${value}) when 'array' then ${value} else jsonb_build_array(${value}) end)`;
  return `(select string_agg(case when file_id is null then coalesce(item, '') else ${place} end, ', ' order by n)
    from ${items} with ordinality as items (item, n), lateral (select lower(substring(item from ${literal(FILE_ID)})) as file_id) as named
    having ${value} is not null)`;
}

/** The signed address of a file, as `FileLinks.urlOf` writes it. */
function linkText({ parts: { start, end, innerKey, outerKey } }: FileLinks): string {
  const [inner, outer] = [innerKey, outerKey].map((key) => `'\\x${key.toString('hex')}'::bytea`);
  const signature = `encode(sha256(${outer} || sha256(${inner} || convert_to(file_id, 'UTF8'))), 'hex')`;
  return `${literal(start)} || file_id || coalesce(substring(item from ${literal(EXTENSION)}), '') || ${literal(end)} || ${signature}`;
}

/** Rows in the order of the form, then those it no longer has; jsonb itself keeps no order. */
function rowsText(value: string, rows: string[]): string {
  const order = `array_position(array[${rows.map((row) => literal(row)).join(', ')}]::text[], answer.key)`;
  return `(select string_agg(answer.key || ': ' || coalesce(answer.value, ''), ' | ' order by ${order})
    from jsonb_each_text(${value}) as answer)`;
}

/** `Question: answer; Question: answer | Question: …`, in the order of the form; what it asks no longer is left out. */
function entriesText(value: string, questions: readonly EntryQuestion[]): string {
  const answers = questions.map(({ id, name }) => {
    const answer = `(entry->${literal(id)})`;
    const text = `case jsonb_typeof(${answer}) when 'array' then ${listText(answer)} else ${answer} #>> '{}' end`;
    return `${literal(`${name}: `)} || nullif(${text}, '')`;
  });
  return `(select string_agg(nullif(concat_ws('; ', ${['null', ...answers].join(', ')}), ''), ' | ' order by n)
    from jsonb_array_elements(${value}) with ordinality as entries (entry, n))`;
}
