import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { type ErrorBag, isJsonObject } from '../../fields/property.ts';
import { HttpError, invalid } from '../http/errors.ts';
import { isClearOf, validationMessages } from '../http/schemas/validation-messages.ts';
import { type ColumnsForm, type ExportColumn, placeIndex, resolveColumns } from './columns/columns.ts';
import { splitColumns } from './columns/split-columns.ts';
import { EXPORT_FORMATS, type ExportFormat, FORMATS } from './formats.ts';
import { countLeaves, MAX_LEAVES } from './parquet/layout.ts';
import type { ExportBody } from './schemas.ts';
import { KEY, layOut, MAX_TABLE_COLUMNS } from './sqlite/layout.ts';

type Body = Static<typeof ExportBody>;

const NO_PLACES = 'A GeoJSON file needs a column with locations.';
const PARTS_APART = 'This format has the parts of an answer apart anyway.';
const TOO_MANY_COLUMNS = `A table of an SQLite file has ${MAX_TABLE_COLUMNS.toLocaleString('en')} columns at most.`;
const TOO_MANY_LEAVES = `A Parquet file has ${MAX_LEAVES.toLocaleString('en')} columns at most.`;

/**
 * Checks the body of a request, beyond what its schema checks.
 * @param names the keys of `columns` in the order of the request
 * @returns `errors` has every problem, those of the schema too; `columns` is null when they are wrong
 * @throws HttpError 422 when the body is no object
 */
export function judgeBody(
  { body, validationError }: FastifyRequest,
  names: string[],
  form: ColumnsForm,
): { body: Body; columns: ExportColumn[] | null; errors: ErrorBag } {
  const errors = validationMessages(validationError?.validation ?? []);
  if (!isJsonObject(body)) throw invalid(errors);
  const order = body as unknown as Body;
  const { format = 'csv', entries_of: entriesOf = null, split_answers: isSplit = false } = order;
  const isSound = ['columns', 'entries_of', 'split_answers'].every((name) => isClearOf(errors, name));
  const columns = isSound ? wantedColumns() : null;
  const traits = EXPORT_FORMATS.includes(format) ? FORMATS[format] : null;
  const noEntries = columns && entriesOf !== null ? traits?.noEntries : null;
  const misfit = columns && !noEntries && misfitOf(format, columns);
  if (noEntries) errors.entries_of = [noEntries];
  if (misfit) errors.format = [misfit];
  if (isSplit && traits?.hasPartsApart) errors.split_answers = [PARTS_APART];
  return { body: order, columns, errors };

  function wantedColumns(): ExportColumn[] | null {
    try {
      const columns = resolveColumns(names, order.columns, form, entriesOf);
      return isSplit ? splitColumns(columns) : columns;
    } catch (error) {
      return collectInto(errors)(error);
    }
  }
}

/** Why the columns do not fit into a file of this format; null if they do. */
function misfitOf(format: ExportFormat, columns: ExportColumn[]): string | null {
  if (format === 'geojson' && placeIndex(columns) < 0) return NO_PLACES;
  if (format === 'parquet' && countLeaves(columns) > MAX_LEAVES) return TOO_MANY_LEAVES;
  if (format !== 'sqlite') return null;
  const count = layOut([KEY, ...columns]).submissions.columns.length;
  return count > MAX_TABLE_COLUMNS ? TOO_MANY_COLUMNS : null;
}

/** For `catch`: adds the problems of a 422 to `errors`, and throws any other error. */
export function collectInto(errors: ErrorBag) {
  return (error: unknown): null => {
    if (!(error instanceof HttpError) || error.statusCode !== 422) throw error;
    Object.assign(errors, error.members.errors);
    return null;
  };
}
