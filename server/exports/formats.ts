/** What is known of a format before a file of it is written. */
interface Format {
  contentType: string;
  /** For the API description; null for the default. */
  purpose: string | null;
  /** Its files are compressed already. */
  isPacked: boolean;
  /** It has the parts of an answer apart anyway, so answers cannot be split into columns. */
  hasPartsApart: boolean;
  /** Why its files have no line for each entry of repeated questions; null if they may have. */
  noEntries: string | null;
}

/** The formats of exports, by the endings of their files. How each is written, `open-export` knows. */
export const FORMATS = {
  csv: {
    contentType: 'text/csv; charset=utf-8',
    purpose: null,
    isPacked: false,
    hasPartsApart: false,
    noEntries: null,
  },
  xlsx: {
    contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    purpose: 'Excel and other spreadsheets',
    isPacked: true,
    hasPartsApart: false,
    noEntries: null,
  },
  zip: {
    contentType: 'application/zip',
    purpose: 'an archive of the CSV file and the files in its columns',
    isPacked: true,
    hasPartsApart: false,
    noEntries: null,
  },
  geojson: {
    contentType: 'application/geo+json',
    purpose: 'maps, with the points of the first column that holds locations',
    isPacked: false,
    hasPartsApart: false,
    noEntries: 'A GeoJSON file has one feature for each submission, none for each entry.',
  },
  sav: {
    contentType: 'application/x-spss-sav',
    purpose: 'SPSS, R and Stata, with numbers and labels of what they mean',
    isPacked: false,
    hasPartsApart: true,
    noEntries: null,
  },
  jsonl: {
    contentType: 'application/jsonl',
    purpose: 'programs, with one object a line and the answers as they are stored',
    isPacked: false,
    hasPartsApart: true,
    noEntries: null,
  },
  sqlite: {
    contentType: 'application/vnd.sqlite3',
    purpose: 'queries, with a table of submissions and one for each question that may have several answers',
    isPacked: false,
    hasPartsApart: true,
    noEntries: 'An SQLite file has the entries in a table of their own.',
  },
  parquet: {
    contentType: 'application/vnd.apache.parquet',
    purpose: 'pandas, R, DuckDB and Spark, with typed columns',
    isPacked: true,
    hasPartsApart: true,
    noEntries: 'A Parquet file has the entries as a list in their column.',
  },
} as const satisfies Record<string, Format>;

export type ExportFormat = keyof typeof FORMATS;

export const EXPORT_FORMATS = Object.keys(FORMATS) as ExportFormat[];
