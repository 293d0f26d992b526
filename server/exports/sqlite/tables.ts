import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import type { JsonValue } from '../../../fields/property.ts';
import type { ExportColumn } from '../columns/columns.ts';
import { answerIn, linesOf } from '../copy-lines.ts';
import type { Value } from './cells.ts';
import { type Branch, layOut } from './layout.ts';
import { BEGIN, createTable, END, FIELDS, insertInto, SETTINGS } from './tables-sql.ts';

interface Tables {
  /** @param lines whole lines of `jsonCellsStatement`, the oldest submission first */
  add(lines: string): void;
  /** Completes the file; nothing can be added afterwards. */
  finish(): void;
}

/** @param path of an empty file; it may be unlinked as soon as this returns */
export function createTables(path: string, columns: readonly ExportColumn[]): Tables {
  // Defensive mode insists on a journal, which would be a file of its own.
  const database = new DatabaseSync(withoutLocks(path), {
    enableForeignKeyConstraints: false,
    defensive: false,
  });
  database.exec(SETTINGS);
  database.exec(BEGIN);
  const { submissions, branches, fields, rowOf } = layOut(columns);
  database.exec(createTable(submissions));
  const insertSubmission = database.prepare(insertInto(submissions));
  const inserts = branches.map(prepare);
  database.exec(createTable(FIELDS));
  const insertField = database.prepare(insertInto(FIELDS));
  fields.forEach(({ id, parentId, name, type, table, column }, index) => {
    insertField.run(index + 1, id, parentId, name, type, table, column);
  });

  /** @returns a function that inserts the rows of an answer */
  function prepare({ table, rowsOf, branches: below }: Branch): (key: Value[], answer: JsonValue) => void {
    database.exec(createTable(table));
    const insert = database.prepare(insertInto(table));
    const insertBelow = below.map(prepare);
    return (key, answer) => {
      if (answer === null) return;
      for (const { values, answers } of rowsOf(answer)) {
        insert.run(...key, ...values);
        const [position = null] = values;
        insertBelow.forEach((add, index) => {
          add([...key, position], answers[index] ?? null);
        });
      }
    };
  }

  return {
    add(lines) {
      for (const line of linesOf(lines)) {
        const answers = line.split('\t').map(answerIn);
        const key = Number(answers[0]);
        const row = rowOf(answers);
        insertSubmission.run(key, ...row.values);
        inserts.forEach((add, index) => {
          add([key], row.answers[index] ?? null);
        });
      }
    },
    finish() {
      database.exec(END);
      database.close();
    },
  };
}

/** No other process opens the file, and not every shared file system has locks. */
function withoutLocks(path: string): URL {
  const address = pathToFileURL(path);
  address.searchParams.set('nolock', '1');
  return address;
}
