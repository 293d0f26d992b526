import { sql } from 'kysely';
import type { Db, Transaction } from '../db/database.ts';
import type { Prefill } from './queries.ts';

/** The holder of a personal link, as needed by the form's page and the answer endpoint. */
export interface LinkHolder {
  id: number;
  code: string;
  prefill: Prefill | null;
  hasAnswered: boolean;
  /** Address to which the link was mailed; null if it was not. */
  mailedTo: string | null;
  /** The submission they have begun or sent; null for an anonymous form. */
  submission: { publicId: string; isPartial: boolean } | null;
}

/** @returns null for a code that no recipient of the form has */
export async function findLinkHolder(db: Db, formId: number, code: string): Promise<LinkHolder | null> {
  const { rows } = await sql<LinkHolder>`
    select r.id, code, prefill, answered_at is not null as "hasAnswered",
      case when mails_sent > 0 then email end as "mailedTo",
      case when s.id is not null then
        json_build_object('publicId', s.public_id, 'isPartial', s.status = 'partial') end as submission
    from recipients r
    left join submissions s on s.form_id = r.form_id and s.public_id = r.submission_public_id
    where r.form_id = ${formId} and code = ${code}`.execute(db);
  return rows[0] ?? null;
}

/** Records the first opening of the link, unless the form is anonymous. */
export async function noteOpened(
  db: Db,
  formId: number,
  { id, code }: Pick<LinkHolder, 'id' | 'code'>,
): Promise<void> {
  // Whoever makes the form anonymous at this moment comes before, or forgets this.
  await sql`
    with known as materialized (
      select from personal_links where form_id = ${formId} and not anonymous for key share
    )
    update recipients set opened_at = now()
    where form_id = ${formId} and id = ${id} and code = ${code} and opened_at is null and exists (select from known)`.execute(
    db,
  );
}

/**
 * Spends the link for a complete submission, or attaches the partial one to it. For an anonymous form it stores only the
 * day, and nothing for a partial one. A form does this one at a time, see `lockFormGate`.
 * @returns false when it is spent or gone, or the recipient has another one now
 */
export async function useLink(
  trx: Transaction,
  formId: number,
  { id, code }: Pick<LinkHolder, 'id' | 'code'>,
  { publicId, isPartial }: { publicId: string; isPartial: boolean },
): Promise<boolean> {
  const { rows } = await sql`
    with unused as (
      select r.id, anonymous, anonymous and ${isPartial} as "leavesNoTrace"
      from recipients r join personal_links l on l.form_id = r.form_id
      where r.form_id = ${formId} and r.id = ${id} and code = ${code} and answered_at is null
    ), written as (
      update recipients r set
        submission_public_id = case when anonymous then null else ${publicId}::uuid end,
        earlier_submissions = case when submission_public_id <> ${publicId}::uuid
          then array_remove(array_remove(earlier_submissions, submission_public_id), ${publicId}::uuid) || submission_public_id
          else earlier_submissions end,
        answered_at = case when ${isPartial} then null when anonymous then date_trunc('day', now(), 'UTC') else now() end,
        mail_due = case when ${isPartial} then mail_due end
      from unused
      where r.id = unused.id and code = ${code} and answered_at is null and not "leavesNoTrace"
      returning r.id
    )
    select id from written union all select id from unused where "leavesNoTrace"`.execute(trx);
  return rows.length > 0;
}

/** Spends the link of a submission that is now complete, whoever completed it: a link counts once. */
export async function spendLinkOf(trx: Transaction, formId: number, publicId: string): Promise<void> {
  await sql`update recipients set answered_at = now(), mail_due = null
    where form_id = ${formId} and submission_public_id = ${publicId} and answered_at is null`.execute(trx);
}

export async function declineMails(db: Db, formId: number, code: string): Promise<void> {
  await sql`
    update recipients set declined_at = coalesce(declined_at, now()), mail_due = null
    where form_id = ${formId} and code = ${code}`.execute(db);
}
