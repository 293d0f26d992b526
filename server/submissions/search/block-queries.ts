import { sql } from 'kysely';
import { bytesBefore, storedBytes } from '../../db/bytes-before.ts';
import type { Db, Transaction } from '../../db/database.ts';
import { type FoldedSubmission, fillBlocks, SEPARATOR, signatureOf } from './signature.ts';

/** Submissions from which on a form gets blocks: a smaller one is read as quickly as its blocks would be. */
const SMALLEST_FORM = 5_000;
/** The newest submissions, which stay out of blocks: they are changed most often. */
const WAITING = 1_000;
/** Submissions read per step, and bytes of their answers (see `bytesBefore`). Edits of a submission wait for the step. */
const STEP_ROWS = 1_000;
const STEP_BYTES = 1024 ** 2;
/** Voided blocks that are filled again per step. */
const STEP_BLOCKS = 10;

/** Forms with submissions that should be in blocks but are not. */
export async function findFormsToFill(db: Db): Promise<number[]> {
  const { rows } = await sql<{ form_id: number }>`
    select form_id from form_counters
    where completed_count + partial_count >= ${SMALLEST_FORM} and (
      select true from submissions
      where submissions.form_id = form_counters.form_id and id > coalesce(${lastIdOf(sql.ref('form_counters.form_id'))}, 0)
      order by id offset ${2 * WAITING} limit 1)
    union
    select form_id from search_blocks where signature is null
    order by form_id`.execute(db);
  return rows.map((row) => row.form_id);
}

/** The id up to which the submissions of a form are in blocks; null without blocks. */
export function lastIdOf(formId: ReturnType<typeof sql>) {
  return sql<number | null>`(
    select last_id from search_blocks where form_id = ${formId} order by first_id desc limit 1)`;
}

/**
 * Fills the next blocks of a form, voided ones first. Changes of its submissions and this wait for each other (see the triggers in
 * 0011_search_blocks.sql).
 * @returns whether there may be more
 */
export async function fillNextBlocks(db: Db, formId: number): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const form = await trx.selectFrom('forms').select('id').where('id', '=', formId).forKeyShare().execute();
    if (form.length === 0) return false;
    await sql`select lock_counted_answers(${formId})`.execute(trx);
    return (await refillVoided(trx, formId)) || (await fillNew(trx, formId));
  });
}

/** @returns whether there were voided blocks */
async function refillVoided(trx: Transaction, formId: number): Promise<boolean> {
  const { rows: blocks } = await sql<{ first_id: number; last_id: number }>`
    select first_id, last_id from search_blocks where form_id = ${formId} and signature is null
    order by first_id limit ${STEP_BLOCKS}`.execute(trx);
  for (const { first_id, last_id } of blocks) {
    const submissions = await readFolded(
      trx,
      sql`select id, data from submissions where form_id = ${formId} and id between ${first_id} and ${last_id}`,
    );
    const signature = signatureOf(submissions.map(({ text }) => text));
    const change =
      submissions.length === 0
        ? sql`delete from search_blocks`
        : sql`update search_blocks set signature = ${signature}`;
    await sql`${change} where form_id = ${formId} and first_id = ${first_id}`.execute(trx);
  }
  return blocks.length > 0;
}

/** @returns whether more submissions than `WAITING` are still in no block */
async function fillNew(trx: Transaction, formId: number): Promise<boolean> {
  const { rows } = await sql<{ after: number; until: number }>`
    select coalesce(${lastIdOf(sql`${formId}`)}, 0) as after, id as until
    from submissions where form_id = ${formId} order by form_id desc, id desc offset ${WAITING} limit 1`.execute(
    trx,
  );
  const { after = 0, until = 0 } = rows[0] ?? {};
  if (until <= after) return false;
  const submissions = await readFolded(
    trx,
    sql`
      select id, data from (
        select id, data, ${bytesBefore(storedBytes('data'), sql`id`)} as bytes_before
        from (
          select id, data from submissions
          where form_id = ${formId} and id > ${after} and id <= ${until} order by id limit ${STEP_ROWS}
        ) next
      ) measured
      where bytes_before < ${STEP_BYTES}`,
  );
  const lastId = submissions.at(-1)?.id ?? until;
  const isMore = lastId < until;
  const blocks = fillBlocks(submissions);
  // Long, repetitive texts may use up a step without filling a block: then what was read makes one, or there would be no progress.
  if (isMore && blocks.length === 0) blocks.push(...fillBlocks(submissions, submissions.length));
  await sql`
    insert into search_blocks (form_id, first_id, last_id, signature)
    select ${formId}, * from unnest(${blocks.map(({ firstId }) => firstId)}::bigint[],
      ${blocks.map((block) => block.lastId)}::bigint[], ${blocks.map(({ signature }) => signature)}::bytea[])`.execute(
    trx,
  );
  return isMore;
}

/** Sorted by id. The database folds the letters, so that they fold as in its `ilike`. */
async function readFolded(
  trx: Transaction,
  submissions: ReturnType<typeof sql>,
): Promise<FoldedSubmission[]> {
  const { rows } = await sql<FoldedSubmission>`
    with submission as materialized (${submissions})
    select id, coalesce((
      select string_agg(lower(value), ${SEPARATOR}::text) from jsonb_each_text(data)), '') as text
    from submission order by id`.execute(trx);
  return rows;
}
