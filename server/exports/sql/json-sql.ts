import pg from 'pg';
import type { FileLinks } from '../../files/file-links.ts';
import { type ExportColumn, kindOf } from '../columns/columns.ts';
import type { ExportRequest } from '../export-request.ts';
import { answerValue, filesOf, systemText } from './cell-sql.ts';
import { copyStatement } from './copy-sql.ts';

const literal = pg.escapeLiteral;
/** Makes COPY write lines as they are: as JSON escapes control characters (RFC 8259, 7), nothing has to be quoted. */
const AS_IT_IS = `csv, delimiter e'\\x01', quote e'\\x02'`;

/** An object per line, with answers as they are stored by the headers of the columns; the newest submission first. */
export function jsonLinesStatement(request: ExportRequest): string {
  return copyStatement(request, {
    cellOf: jsonCell,
    finish: ({ header }, cell) => `${literal(`${JSON.stringify(header)}: `)} || coalesce(${cell}, 'null')`,
    // An array, as functions take a hundred arguments at most.
    line: (members) => `'{' || array_to_string(array[${members.join(', ')}], ', ') || '}'`,
    format: AS_IT_IS,
  });
}

/** Answers as JSON, one per column; the oldest submission first. */
export function jsonCellsStatement(request: ExportRequest): string {
  return copyStatement(request, {
    cellOf: jsonCell,
    finish: (_, cell) => cell,
    format: 'text',
    isOldestFirst: true,
  });
}

function jsonCell(column: ExportColumn, index: number, fileLinks: FileLinks | null): string {
  switch (column.source) {
    case 'system': {
      const text = systemText(column);
      return kindOf(column) === 'number' ? text : `to_json(${text})::text`;
    }
    case 'attribution':
      return `(submission.attribution->${literal(column.key)})::text`;
    case 'entry':
      return 'entries.number::text';
    case 'field': {
      const value = answerValue(column, index);
      return `${column.csvKind === 'files' ? linksOf(value, fileLinks) : value}::text`;
    }
  }
}

/** A list of links where the answer is a list, else one link; an answer that cannot name files stays as it is. */
function linksOf(value: string, fileLinks: FileLinks | null): string {
  const list = filesOf(value, fileLinks, (place) => `jsonb_agg(${place} order by n)`);
  return `(case when jsonb_typeof(${value}) = 'string' then ${list}->0
    when jsonb_typeof(${value}) = 'array' and not ${value} @? 'strict $[*] ? (@.type() != "string")' then ${list}
    else ${value} end)`;
}
