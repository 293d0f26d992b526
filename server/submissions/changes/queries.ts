import { sql } from 'kysely';
import type { Answers } from '../../../fields/property.ts';
import { bytesBefore } from '../../db/bytes-before.ts';
import type { Db, Transaction } from '../../db/database.ts';

/** Changes kept per submission; beyond that the oldest are deleted. */
const MAX_CHANGES = 100;
/** Bytes of their text kept per submission; the latest two changes stay however large they are. */
const MAX_BYTES = 1024 ** 2;

export interface NewChange {
  /** Former values of the answers that were changed; null where there was none. */
  answers: Answers;
  /** Who changed it; null for the respondent. */
  member: { userId: number | null } | null;
  changedAt: Date;
}

export interface SubmissionChange {
  submission_id: number;
  id: number;
  is_by_member: boolean;
  user_id: number | null;
  /** null when the account is gone. */
  user_name: string | null;
  answers: Answers;
  changed_at: Date;
}

/** Keeps what the answers said before. The caller holds the form's lock, so changes get ids in their order. */
export async function insertChange(
  trx: Transaction,
  formId: number,
  submissionId: number,
  { answers, member, changedAt }: NewChange,
): Promise<void> {
  await sql`
    with kept as (
      insert into submission_changes (form_id, submission_id, user_id, is_by_member, answers, changed_at)
      values (${formId}, ${submissionId}, ${member?.userId ?? null}, ${member !== null},
        ${JSON.stringify(answers)}, ${changedAt})
    ),
    former as materialized (
      select id, row_number() over (order by id desc) as place,
        ${bytesBefore(sql`octet_length(answers::text)`, sql`id desc`)} as bytes_before
      from submission_changes where form_id = ${formId} and submission_id = ${submissionId}
    )
    delete from submission_changes
    where form_id = ${formId} and submission_id = ${submissionId} and id in (
      select id from former where place >= ${MAX_CHANGES} or bytes_before >= ${MAX_BYTES}
    )`.execute(trx);
}

/** The changes of these submissions, the latest first. */
export async function findChanges(db: Db, formId: number, ids: number[]): Promise<SubmissionChange[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('submission_changes')
    .leftJoin('users', 'users.id', 'user_id')
    .select(['submission_id', 'submission_changes.id', 'is_by_member', 'user_id', 'users.name as user_name'])
    .select(['answers', 'changed_at'])
    .where('form_id', '=', formId)
    .where(sql<boolean>`submission_id = any(${ids}::bigint[])`)
    .orderBy('submission_changes.id', 'desc')
    .execute();
  return rows.map((row) => ({ ...row, answers: row.answers as Answers }));
}

/** @returns how many of the submissions had changes */
export async function deleteChanges(trx: Transaction, formId: number, ids: number[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with gone as (
      delete from submission_changes where form_id = ${formId} and submission_id = any(${ids}::bigint[])
      returning submission_id
    )
    select count(distinct submission_id) from gone`.execute(trx);
  return rows[0]?.count ?? 0;
}
