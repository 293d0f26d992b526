import type { Body } from '../../api/client.ts';

export type ExportFormat = NonNullable<Body<'/open/forms/{form}/submissions/export', 'post'>['format']>;

interface Format {
  name: string;
  /** On the button that begins the export. */
  action: string;
  hint: string;
  /** Which forms it is offered for: those with files, or with locations. */
  isFor: 'all' | 'files' | 'places';
  /** Whether each entry of repeated questions may have a line. */
  hasLines: boolean;
  /** Whether each option may have a column; other formats have the parts of answers apart anyway. */
  mayBeSplit: boolean;
}

/** In the order of the choice. */
export const FORMATS: Record<ExportFormat, Format> = {
  xlsx: {
    name: 'Excel',
    action: 'Export Excel file',
    hint: 'Opens in Excel and other spreadsheets. Numbers, dates and checkboxes keep their types.',
    isFor: 'all',
    hasLines: true,
    mayBeSplit: true,
  },
  csv: {
    name: 'CSV',
    action: 'Export CSV',
    hint: 'Plain text, for other programs.',
    isFor: 'all',
    hasLines: true,
    mayBeSplit: true,
  },
  sav: {
    name: 'SPSS, R and Stata',
    action: 'Export SPSS file',
    hint: 'Options are numbers with labels; each option of a multiple choice is a variable.',
    isFor: 'all',
    hasLines: true,
    mayBeSplit: false,
  },
  parquet: {
    name: 'Parquet, for data analysis',
    action: 'Export Parquet file',
    hint: 'For pandas, R, DuckDB, Spark and Power BI. Numbers, dates and lists keep their types.',
    isFor: 'all',
    // Lists hold the entries.
    hasLines: false,
    mayBeSplit: false,
  },
  jsonl: {
    name: 'JSON Lines, for programs',
    action: 'Export JSON Lines',
    hint: 'One object on each line. Lists, numbers and checkboxes keep their types.',
    isFor: 'all',
    hasLines: true,
    mayBeSplit: false,
  },
  sqlite: {
    name: 'SQLite, for queries',
    action: 'Export SQLite file',
    hint: 'A database: a table of the responses, and one for each question that may have several answers.',
    isFor: 'all',
    // Entries have a table of their own.
    hasLines: false,
    mayBeSplit: false,
  },
  zip: {
    name: 'ZIP, with the files',
    action: 'Export ZIP',
    hint: 'A CSV file, and in folders beside it the files of these columns.',
    isFor: 'files',
    hasLines: true,
    mayBeSplit: true,
  },
  geojson: {
    name: 'GeoJSON, for maps',
    action: 'Export GeoJSON',
    hint: 'Each response is a point: the answer in the first column with locations.',
    isFor: 'places',
    // A point stands for a whole response.
    hasLines: false,
    mayBeSplit: true,
  },
};

export const EXPORT_FORMATS = Object.keys(FORMATS) as ExportFormat[];
