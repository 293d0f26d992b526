import { text } from 'node:stream/consumers';
import { parse } from 'csv-parse/sync';
import { expect } from 'vitest';
import type { JsonValue, Property } from '../../fields/property.ts';
import { openPool } from '../../server/db/database.ts';
import { resolveColumns } from '../../server/exports/columns/columns.ts';
import { openExport } from '../../server/exports/open-export.ts';
import { createFileLinks } from '../../server/files/file-links.ts';
import { createSecretBox } from '../../server/secret-box.ts';
import { createTestDatabase } from '../setup/test-database.ts';
import { parseRfc4180 } from './rfc4180.ts';

const FORM_ID = 1;

/** The links to files that an export of this form writes. */
export const FILE_LINKS = createFileLinks(
  { secrets: createSecretBox(Buffer.alloc(32, 1)), baseUrl: 'https://forms.example.org' },
  FORM_ID,
  60,
);

interface StoredRow {
  data: unknown;
  attribution?: Record<string, string>;
  completionTime?: number;
}

/** A database for writing submissions directly, and their export without HTTP. */
export async function openCsvDatabase() {
  const database = await createTestDatabase();
  const pool = openPool(database.connection, () => {}, { max: 3, statement_timeout: 0 });
  return {
    pool,
    close: async () => {
      await pool.end();
      await database.drop();
    },

    /** Replaces all submissions. */
    async store(rows: StoredRow[]): Promise<void> {
      await pool.query('truncate submissions');
      await pool.query(
        `insert into submissions (form_id, public_id, status, data, attribution, completion_time)
         select ${FORM_ID}, gen_random_uuid(), 'completed', row->'data', nullif(row->'attribution', 'null'),
           (row->>'completionTime')::float8
         from jsonb_array_elements($1::jsonb) with ordinality as rows (row, n) order by n`,
        [JSON.stringify(rows)],
      );
    },

    /** Exports these columns, oldest submission first. Two parsers read the file and must agree. The header comes first. */
    async export(properties: Property[], names: string[], givesWay?: () => boolean): Promise<string[][]> {
      const columns = resolveColumns(
        names,
        Object.fromEntries(names.map((name) => [name, true])),
        { properties, endings: [] },
        null,
      );
      const { file } = await openExport(
        pool,
        {
          formId: FORM_ID,
          columns,
          entriesOf: null,
          submissionIds: null,
          format: 'csv',
          bom: false,
          fileLinks: FILE_LINKS,
        },
        { ...(givesWay && { givesWay }) },
      );
      return parseTwice(await text(file));
    },
  };
}

export type CsvDatabase = Awaited<ReturnType<typeof openCsvDatabase>>;

/** The records of a file: the header, then the submissions, oldest first. */
export function parseTwice(csv: string): string[][] {
  const records = parseRfc4180(csv);
  expect(parse(csv, { relax_column_count: false })).toEqual(records);
  const [header = [], ...rows] = records;
  return [header, ...rows.reverse()];
}

export function aField(id: string, type: string, options: Record<string, JsonValue> = {}): Property {
  return { id, type, name: `Field ${id}`, ...options };
}
