import Type from 'typebox';
import { FormParam } from '../access/path-params.ts';
import { Nullable } from '../http/schemas/nullable.ts';
import { SYSTEM_COLUMNS } from './columns/columns.ts';
import { EXPORT_FORMATS, FORMATS } from './formats.ts';

const MAX_COLUMNS = 1000;

export const JobParams = Type.Object({ form: FormParam, jobId: Type.String() });
export const TokenParams = Type.Object({ token: Type.String() });

export const ExportBody = Type.Object({
  columns: Type.Record(Type.String(), Type.Boolean(), {
    minProperties: 1,
    maxProperties: MAX_COLUMNS,
    description: `Keys: ids of current and removed fields, ${SYSTEM_COLUMNS.map(code).join(', ')}, or \`meta.attribution.<key>\`. The file has the columns set to true, in this order.`,
  }),
  format: Type.Optional(
    Type.Enum([...EXPORT_FORMATS], {
      description: EXPORT_FORMATS.map((format) => {
        const { purpose } = FORMATS[format];
        return purpose === null ? `Default: ${code(format)}.` : `${code(format)}: ${purpose}.`;
      }).join(' '),
    }),
  ),
  bom: Type.Optional(
    Type.Boolean({ description: 'Start the CSV file, also in an archive, with a byte order mark.' }),
  ),
  entries_of: Type.Optional(
    Type.Union([Type.String(), Type.Null()], {
      description: `Id of a \`repeat\` column. The file then has a line for each entry instead of each submission. That column is replaced by \`entry\`, the number of the entry, and a column for each of its questions; the other columns repeat on every line of a submission. Submissions without an entry have no line. Not for ${listed(EXPORT_FORMATS.filter((format) => FORMATS[format].noEntries))}.`,
    }),
  ),
  split_answers: Type.Optional(
    Type.Boolean({
      description: `Gives each option of a \`multi_select\` a column (1 or 0), each option of a \`ranking\` (its place) and each row of a \`matrix\` (its column): \`Question [Option]\`, and \`Question [Other]\` for whatever these do not hold. Not for ${listed(EXPORT_FORMATS.filter((format) => FORMATS[format].hasPartsApart))}, which have these apart anyway.`,
    }),
  ),
  submissionIds: Type.Optional(
    Type.Union([Type.Array(Type.Integer({ minimum: 1 })), Type.Null()], {
      description: 'Numeric ids of the submissions to export; all when absent or null.',
    }),
  ),
});

export const ExportStarted = Type.Object({
  type: Type.Literal('success'),
  message: Type.String(),
  job_id: Type.String(),
  is_async: Type.Literal(true),
});

export type ExportStatus = 'queued' | 'processing' | 'completed' | 'failed';

/** Has all ten members in every state; those that do not apply are null. */
export const ExportJob = Type.Object({
  job_id: Type.String(),
  status: Type.Enum(['queued', 'processing', 'completed', 'failed']),
  progress: Type.Number({ minimum: 0, maximum: 100 }),
  processed_submissions: Nullable(Type.Number()),
  total_submissions: Nullable(Type.Number()),
  file_url: Nullable(Type.String()),
  expires_at: Nullable(Type.String()),
  error_message: Nullable(Type.String()),
  created_at: Type.String(),
  updated_at: Type.String(),
});

function code(name: string): string {
  return `\`${name}\``;
}

function listed(names: readonly string[]): string {
  return new Intl.ListFormat('en-GB').format(names.map(code));
}
