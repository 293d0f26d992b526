import type pg from 'pg';

/** A file that a submission holds. */
interface ContainedFile {
  submissionId: string;
  /** Its name in the answer. */
  name: string;
  /** Its name in the file store. */
  storeName: string;
}

/** Files in answers to some fields of a form. */
export interface FileSelection {
  formId: number;
  /** null for all submissions of the form. */
  submissionIds: number[] | null;
  fieldIds: string[];
}

/** Files read from the database at a time. */
const PAGE = 500;
/** The operator `?` tells whether a list contains the name, or a text equals it. */
const HELD = `
  from uploads join submissions
    on submissions.form_id = uploads.form_id and submissions.public_id = uploads.submission_public_id
  where uploads.form_id = $1 and ($2::bigint[] is null or submissions.id = any($2))
    and uploads.received_at is not null and uploads.removed_at is null
    and exists (select from unnest($3::text[]) as field where submissions.data->field ? uploads.name)`;

/** Bytes of all selected files. @param pool connections without statement timeout */
export async function sumFileSizes(pool: pg.Pool, selection: FileSelection): Promise<number> {
  if (selection.fieldIds.length === 0) return 0;
  const { rows } = await pool.query<{ size: number }>(
    `select coalesce(sum(uploads.size), 0)::float8 as size ${HELD}`,
    valuesOf(selection),
  );
  return rows[0]?.size ?? 0;
}

/** All selected files, in no meaningful order. @param pool connections without statement timeout */
export async function* containedFiles(
  pool: pg.Pool,
  selection: FileSelection,
): AsyncGenerator<ContainedFile> {
  if (selection.fieldIds.length === 0) return;
  let after: (string | null)[] = [null, null];
  for (;;) {
    const { rows } = await pool.query<ContainedFile & { holder: string; id: string }>(
      `select uploads.submission_public_id as holder, uploads.id, submissions.id::text as "submissionId",
         uploads.name, uploads.store_name as "storeName" ${HELD}
         and ($4::uuid is null or (uploads.submission_public_id, uploads.id) > ($4, $5::uuid))
       order by uploads.submission_public_id, uploads.id limit ${PAGE}`,
      [...valuesOf(selection), ...after],
    );
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    after = [last.holder, last.id];
  }
}

function valuesOf({ formId, submissionIds, fieldIds }: FileSelection) {
  return [formId, submissionIds, fieldIds];
}
