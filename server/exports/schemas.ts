import Type from 'typebox';
import { FormParam } from '../access/path-params.ts';
import { Nullable } from '../http/nullable.ts';
import { EXPORT_FORMATS } from './export-request.ts';

const MAX_COLUMNS = 1000;

export const JobParams = Type.Object({ form: FormParam, jobId: Type.String() });
export const TokenParams = Type.Object({ token: Type.String() });

export const ExportBody = Type.Object({
  columns: Type.Record(Type.String(), Type.Boolean(), {
    minProperties: 1,
    maxProperties: MAX_COLUMNS,
    description:
      'Keys: ids of current and removed fields, `id`, `submission_id`, `created_at`, `updated_at`, `status`, `completion_time`, `ending`, `review_state`, `recipient_name`, `recipient_email`, `confirmed_email`, `confirmed_at`, `payment_amount`, `payment_currency`, `payment_mode`, `paid_at`, or `meta.attribution.<key>`. The file has the columns set to true, in this order.',
  }),
  format: Type.Optional(
    Type.Enum([...EXPORT_FORMATS], {
      description:
        'Default: `csv`. `xlsx`: Excel and other spreadsheets. `zip`: an archive of the CSV file and the files in its columns. `geojson`: maps, with the points of the first column that holds locations. `sav`: SPSS, R and Stata, with numbers and labels of what they mean. `jsonl`: programs, with one object a line and the answers as they are stored. `sqlite`: queries, with a table of submissions and one for each question that may have several answers. `parquet`: pandas, R, DuckDB and Spark, with typed columns.',
    }),
  ),
  bom: Type.Optional(
    Type.Boolean({ description: 'Start the CSV file, also in an archive, with a byte order mark.' }),
  ),
  entries_of: Type.Optional(
    Type.Union([Type.String(), Type.Null()], {
      description:
        'Id of a `repeat` column. The file then has a line for each entry instead of each submission. That column is replaced by `entry`, the number of the entry, and a column for each of its questions; the other columns repeat on every line of a submission. Submissions without an entry have no line. Not for `geojson`, `sqlite` and `parquet`.',
    }),
  ),
  split_answers: Type.Optional(
    Type.Boolean({
      description:
        'Gives each option of a `multi_select` a column (1 or 0), each option of a `ranking` (its place) and each row of a `matrix` (its column): `Question [Option]`, and `Question [Other]` for whatever these do not hold. Not for `sav`, `jsonl`, `sqlite` and `parquet`, which have these apart anyway.',
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
