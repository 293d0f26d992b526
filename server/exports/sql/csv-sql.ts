import pg from 'pg';
import { FORMULA_PATTERN, guardFormula, NUMBER_PATTERN } from '../../../fields/as-text/formula-guard.ts';
import { LOCATION_PATTERN } from '../../../fields/as-text/locations.ts';
import type { ExportColumn, FieldColumn, SystemColumn } from '../columns/columns.ts';
import type { ExportRequest } from '../export-request.ts';
import { answerValue, cellText } from './cell-sql.ts';
import { copyStatement, isPlainText } from './copy-sql.ts';
import { listText } from './list-sql.ts';

const literal = pg.escapeLiteral;
const BOM = '\ufeff';
/** For each ASCII code from 1 on, whether it is a letter or digit. */
const PLAIN_STARTS = Array.from({ length: 127 }, (_, index) =>
  /[a-zA-Z0-9]/.test(String.fromCharCode(index + 1)) ? 't' : 'f',
);
/** Texts that begin with a minus but are no formulas, by the kind of column. */
const HARMLESS: Partial<Record<FieldColumn['csvKind'], string>> = {
  number: NUMBER_PATTERN,
  location: LOCATION_PATTERN,
};

/** Columns about a submission whose texts people wrote. */
const WRITTEN_BY_PEOPLE: readonly SystemColumn[] = [
  'ending',
  'recipient_name',
  'recipient_email',
  'confirmed_email',
];

/** The lines of a CSV file (RFC 4180) after its header, the newest submission first. */
export function csvStatement(request: ExportRequest): string {
  const isAlone = request.columns.length === 1;
  return copyStatement(request, {
    cellOf: cellText,
    finish: (column, cell) => guardedCell(column, cell, isAlone),
    format: 'csv',
  });
}

/** Cells in COPY's text format, for files whose cells have types. These take no text for a formula, so nothing is guarded. */
export function cellsStatement(request: ExportRequest): string {
  return copyStatement(request, { cellOf: cellText, finish: bareCell, format: 'text' });
}

/** Like `cellsStatement`, but with answers of coded columns as they are stored, as JSON. */
export function codedStatement(request: ExportRequest, isCoded: (column: ExportColumn) => boolean): string {
  const coded = (column: ExportColumn) => (column.source === 'field' && isCoded(column) ? column : null);
  return copyStatement(request, {
    cellOf: (column, index, fileLinks) => {
      const field = coded(column);
      return field ? `${answerValue(field, index)}::text` : cellText(column, index, fileLinks);
    },
    finish: (column, cell) => (coded(column) ? cell : bareCell(column, cell)),
    format: 'text',
  });
}

/** The header line, with its line end. */
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

/** @param alone writes an absent cell as `""`: where it is the only one, the line would be empty, and readers would skip it */
function guardedCell(column: ExportColumn, cell: string, alone: boolean): string {
  const text = isOurs(column) ? cell : withGuard(column, cell);
  return alone ? `coalesce(${text}, '')` : text;
}

/** Whether the service itself writes the cells. */
function isOurs(column: ExportColumn): boolean {
  if (column.source === 'entry') return true;
  if (column.source === 'field') return column.part?.is === 'option' || column.part?.is === 'place';
  return column.source === 'system' && !WRITTEN_BY_PEOPLE.includes(column.name);
}

/**
 * Most cells begin with a letter or digit, which begins neither a formula nor the JSON of an array. So that is checked first, in a
 * table, which costs much less than a pattern.
 */
function withGuard(column: ExportColumn, cell: string): string {
  const guard = (text: string) => withApostrophe(column, text);
  const rest = isPlainText(column) ? listOrText(column, cell, guard) : guard(cell);
  return `case when ('{${PLAIN_STARTS.join()}}'::bool[])[ascii(${cell})] then ${cell} else ${rest} end`;
}

/** Writes a list as a list even where the field takes plain texts: it is from before the type was changed. */
function listOrText(column: FieldColumn, cell: string, finish: (text: string) => string): string {
  const json = answerOf(column);
  const list = finish(listText(json));
  return `case when ${cell} like '[%' and jsonb_typeof(${json}) = 'array' then ${list} else ${finish(cell)} end`;
}

/** The answer, as the outermost level of the statement names it. */
function answerOf({ id, isInEntry }: FieldColumn): string {
  return `${isInEntry ? 'entry' : 'data'}->${literal(id)}`;
}

/** Guards a text that looks like a formula, unless the stored answer is a number, whatever the type of the field is now. */
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
