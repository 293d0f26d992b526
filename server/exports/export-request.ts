import type { FileLinks } from '../files/file-links.ts';
import type { ExportColumn } from './columns/columns.ts';
import type { ExportFormat } from './formats.ts';

/** Which submissions of a form to export, and how to write them. */
export interface ExportRequest {
  formId: number;
  columns: ExportColumn[];
  /** Id of a field that repeats questions: each of its entries has a line. null: each submission has a line. */
  entriesOf: string | null;
  /** null for all submissions of the form. */
  submissionIds: number[] | null;
  format: ExportFormat;
  /** Whether a CSV file begins with a byte order mark. */
  bom: boolean;
  /** Makes links of the names of uploaded files; null makes paths in the archive of them. */
  fileLinks: FileLinks | null;
}
