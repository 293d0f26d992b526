import type { FileLinks } from '../files/file-links.ts';
import type { ExportColumn } from './columns.ts';

export const EXPORT_FORMATS = ['csv', 'xlsx', 'zip', 'geojson', 'sav', 'jsonl', 'sqlite'] as const;
/** `zip` is a CSV file with the files that it names, `sav` one of SPSS, `jsonl` has an object on each line, `sqlite` is a database. */
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Which submissions of a form, written how. */
export interface ExportRequest {
  formId: number;
  columns: ExportColumn[];
  /** The repeated questions whose every entry has a line of its own; null = every submission has one. */
  entriesOf: string | null;
  /** null = all of the form. */
  submissionIds: number[] | null;
  format: ExportFormat;
  /** Whether a CSV file begins with a byte order mark. */
  bom: boolean;
  /** How the names of uploaded files become links; null = they become their places in the archive. */
  fileLinks: FileLinks | null;
}
