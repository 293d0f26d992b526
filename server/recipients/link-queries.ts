import { sql } from 'kysely';
import type { Db, Transaction } from '../db/database.ts';
import { MAY_BE_PAID } from '../submissions/set-aside/queries.ts';
import type { Prefill } from './queries.ts';

/** The holder of a personal link, as needed by the form's page and the answer endpoint. */
export interface LinkHolder {
  id: number;
  code: string;
  prefill: Prefill | null;
  /** The link is spent: no other submission is taken by it. */
  hasAnswered: boolean;
  /** What was sent by the link, and may be being paid, or is paid and was not taken in; null for nothing. */
  mayBePaid: string | null;
  /** Address to which the link was mailed; null if it was not. */
  mailedTo: string | null;
  /** The submission they have begun or sent; null for an anonymous form. */
  submission: { publicId: string; isPartial: boolean } | null;
}

/** What was sent by the link of `r` and waits until its sender confirms an address or pays. */
export const WAITING = sql`
  from set_aside_submissions w
  where w.form_id = r.form_id and w.public_id = any(r.earlier_submissions || r.submission_public_id)`;
/** Nothing else is sent by such a link, or somebody could pay twice. */
const PAID_FOR = sql`select w.public_id ${WAITING} and w.amount_due is not null and ${MAY_BE_PAID} limit 1`;

/** @returns null for a code that no recipient of the form has */
export async function findLinkHolder(db: Db, formId: number, code: string): Promise<LinkHolder | null> {
  const { rows } = await sql<LinkHolder>`
    select r.id, code, prefill, answered_at is not null or paid.public_id is not null as "hasAnswered",
      paid.public_id as "mayBePaid",
      case when mails_sent > 0 then email end as "mailedTo",
      case when s.id is not null then
        json_build_object('publicId', s.public_id, 'isPartial', s.status = 'partial') end as submission
    from recipients r
    left join submissions s on s.form_id = r.form_id and s.public_id = r.submission_public_id
    left join lateral (${PAID_FOR}) paid on true
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

/** A submission that is stored by a personal link. */
export interface LinkUse {
  publicId: string;
  /** It is partial, or waits until its sender confirms an address or pays. */
  state: 'partial' | 'waiting' | 'complete';
}

/**
 * Spends the link for a complete submission, or attaches one to it that is partial or waits: the link is spent once that counts. For an
 * anonymous form it stores only the day, also for one that waits, and nothing for a partial one. A form does this one at a time, see
 * `lockFormGate`.
 * @returns false when it is spent or gone, or what was sent by it may be being paid
 */
export async function useLink(
  trx: Transaction,
  formId: number,
  { id, code }: Pick<LinkHolder, 'id' | 'code'>,
  { publicId, state }: LinkUse,
): Promise<boolean> {
  const { rows } = await sql`
    with unused as (
      select r.id, anonymous, anonymous and ${state === 'partial'} as "leavesNoTrace",
        ${state === 'partial'} or ${state === 'waiting'} and not anonymous as "staysOpen"
      from recipients r join personal_links l on l.form_id = r.form_id
      where r.form_id = ${formId} and r.id = ${id} and code = ${code} and answered_at is null and not exists (${PAID_FOR})
    ), written as (
      update recipients r set
        submission_public_id = case when anonymous then null else ${publicId}::uuid end,
        earlier_submissions = ${earlierOnes(publicId)},
        answered_at = case when "staysOpen" then null when anonymous then date_trunc('day', now(), 'UTC') else now() end,
        mail_due = case when "staysOpen" then mail_due end
      from unused
      where r.id = unused.id and code = ${code} and answered_at is null and not "leavesNoTrace"
      returning r.id
    )
    select id from written union all select id from unused where "leavesNoTrace"`.execute(trx);
  return rows.length > 0;
}

/** Once this is the submission of the link `r`. */
function earlierOnes(publicId: string) {
  return sql`case when r.submission_public_id <> ${publicId}::uuid
    then array_remove(array_remove(r.earlier_submissions, r.submission_public_id), ${publicId}::uuid) || r.submission_public_id
    else r.earlier_submissions end`;
}

/** What else was sent by a link, and waits: it gives way to what is sent now. @returns ids among what is set aside */
export async function findReplacedWaiting(
  trx: Transaction,
  formId: number,
  recipientId: number,
  publicId: string,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select waiting.id from recipients r cross join lateral (
      select w.id ${WAITING} and w.public_id <> ${publicId} and not ${MAY_BE_PAID}
    ) waiting
    where r.form_id = ${formId} and r.id = ${recipientId}`.execute(trx);
  return rows.map(({ id }) => id);
}

/** Spends the link of a submission that is now complete, whoever completed it: a link counts once. */
export async function spendLinkOf(trx: Transaction, formId: number, publicId: string): Promise<void> {
  await sql`update recipients set answered_at = now(), mail_due = null
    where form_id = ${formId} and submission_public_id = ${publicId} and answered_at is null`.execute(trx);
}

/** Spends the link of a submission that has waited and counts now, also if another one was begun by it meanwhile. */
export async function spendLinkOfWaiting(trx: Transaction, formId: number, publicId: string): Promise<void> {
  await sql`
    update recipients r set answered_at = now(), mail_due = null,
      submission_public_id = ${publicId}, earlier_submissions = ${earlierOnes(publicId)}
    where answered_at is null and id in (
      select id from recipients where form_id = ${formId} and submission_public_id = ${publicId}
      union all
      select id from recipients
      where form_id = ${formId} and earlier_submissions @> array[${publicId}::uuid] and earlier_submissions <> '{}'
    )`.execute(trx);
}

export async function declineMails(db: Db, formId: number, code: string): Promise<void> {
  await sql`
    update recipients set declined_at = coalesce(declined_at, now()), mail_due = null
    where form_id = ${formId} and code = ${code}`.execute(db);
}
