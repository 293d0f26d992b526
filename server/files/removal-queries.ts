import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import { CHUNK, inChunks } from '../db/in-chunks.ts';
import { isOfSubmission } from './queries.ts';
import { isPartlyAtRest } from './resumable/queries.ts';

/** Files are kept this long if they are unclaimed, or claimed for a submission that was never stored. */
const KEPT_HOURS = 24;
/** An unfinished file is not removed for this long, which is more than its request may take. */
const RECEIVING_HOURS = 1;

// Files that somebody else changes at that moment are left to the next turn: waiting for them could be a deadlock.

/** Marks claims that led to a submission as settled, and deletes who uploaded its files. */
export async function settleClaims(db: Db, stopping: AbortSignal): Promise<void> {
  await inChunks(
    db,
    sql`
    update uploads set is_settled = true, sender = null
    where id in (
      select id from uploads
      where not is_settled and removed_at is null and touched_at < ${keptSince()} and ${isOfSubmission}
      limit ${CHUNK} for no key update skip locked) and not is_settled`,
    stopping,
  );
}

/** Marks files for removal that are not settled a day after they were last touched; run `settleClaims` first. */
export async function markUnclaimed(db: Db, stopping: AbortSignal): Promise<void> {
  // Submissions may have been stored since the claims were settled.
  await inChunks(
    db,
    sql`
    update uploads set removed_at = now()
    where id in (
      select id from uploads
      where not is_settled and removed_at is null and touched_at < ${keptSince()} and not ${isOfSubmission}
      limit ${CHUNK} for no key update skip locked) and not is_settled and touched_at < ${keptSince()}`,
    stopping,
  );
}

/** Forms with files to remove: marked ones, and all files of deleted forms. */
export async function findFormsToClean(db: Db): Promise<number[]> {
  // Steps from form to form through the index instead of reading every row.
  const { rows } = await sql<{ form_id: number }>`
    with recursive forms_with_uploads as (
      (select form_id from uploads order by form_id limit 1)
      union all
      select (select form_id from uploads where form_id > last.form_id order by form_id limit 1)
      from forms_with_uploads last where last.form_id is not null
    )
    select form_id from forms_with_uploads
    where form_id is not null and (
      not exists (select from forms where id = form_id)
      or exists (select from uploads where uploads.form_id = forms_with_uploads.form_id and removed_at is not null))`.execute(
    db,
  );
  return rows.map((row) => row.form_id);
}

/** Files of a form to remove, in order of id. */
export async function findFilesToRemove(
  db: Db,
  formId: number,
  afterId: string,
  limit: number,
): Promise<{ id: string; storeNames: string[] }[]> {
  const { rows } = await sql<{ id: string; storeNames: string[] }>`
    select id, array[store_name] || array(select store_name from upload_parts where upload_id = uploads.id) as "storeNames"
    from uploads
    where form_id = ${formId} and id > ${afterId}
      and (removed_at is not null or not exists (select from forms where forms.id = uploads.form_id))
      and ${isAtRest()}
    order by id limit ${limit}`.execute(db);
  return rows;
}

/** Nothing of the upload is being received. */
function isAtRest() {
  const since = sql`now() - make_interval(hours => ${RECEIVING_HOURS})`;
  return sql`(case when exists (select from resumable_uploads where upload_id = uploads.id) then ${isPartlyAtRest}
    else received_at is not null or created_at < ${since} end)`;
}

function keptSince() {
  return sql`now() - make_interval(hours => ${KEPT_HOURS})`;
}
