import { type RawBuilder, sql } from 'kysely';
import type { Db, Transaction } from '../db/database.ts';

/** A mail to recipients. */
export const RECIPIENT_MAILS = ['invitation', 'reminder'] as const;
export type RecipientMail = (typeof RECIPIENT_MAILS)[number];

/** The latest known state of a recipient. */
export const RECIPIENT_STATUSES = [
  'new',
  'queued',
  'failed',
  'mailed',
  'opened',
  'started',
  'answered',
  'declined',
] as const;
export type RecipientStatus = (typeof RECIPIENT_STATUSES)[number];

/** Initial answers of a form by field id, one or several, as in its address. */
export type Prefill = Record<string, string | string[]>;

export interface Recipient {
  id: number;
  code: string;
  name: string | null;
  email: string | null;
  prefill: Prefill | null;
  status: RecipientStatus;
  opened_at: Date | null;
  answered_at: Date | null;
  declined_at: Date | null;
  mails_sent: number;
  mailed_at: Date | null;
  mail_problem: string | null;
  created_at: Date;
  /** Recipients who sent this complete submission. */
  submission_id: number | null;
}

interface RecipientFilter {
  /** Recipients after this number. */
  after?: number | undefined;
  status?: RecipientStatus | undefined;
  /** Part of the name or address, in any letter case. */
  search?: string | undefined;
  submissionId?: number | undefined;
}

const STATUS = sql<RecipientStatus>`case
  when answered_at is not null then 'answered'
  when declined_at is not null then 'declined'
  when submission_public_id is not null then 'started'
  when mail_due is not null then 'queued'
  when mail_problem is not null then 'failed'
  when opened_at is not null then 'opened'
  when mails_sent > 0 then 'mailed'
  else 'new' end`;

export async function countRecipients(db: Db, formId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from recipients where form_id = ${formId}`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Numbers of recipients of a form by state. */
export async function countByStatus(db: Db, formId: number): Promise<Record<RecipientStatus, number>> {
  const { rows } = await sql<{ status: RecipientStatus; count: number }>`
    select ${STATUS} as status, count(*)::int as count from recipients where form_id = ${formId} group by 1`.execute(
    db,
  );
  const found = new Map(rows.map(({ status, count }) => [status, count]));
  const counts = RECIPIENT_STATUSES.map((status) => [status, found.get(status) ?? 0]);
  return Object.fromEntries(counts) as Record<RecipientStatus, number>;
}

/** @returns up to `limit` + 1, ordered by number */
export async function findRecipients(
  db: Db,
  formId: number,
  { after, status, search, submissionId }: RecipientFilter,
  limit: number,
): Promise<Recipient[]> {
  const conditions: RawBuilder<unknown>[] = [sql`r.form_id = ${formId}`];
  if (after !== undefined) conditions.push(sql`r.id > ${after}`);
  if (status !== undefined) conditions.push(sql`${STATUS} = ${status}`);
  if (submissionId !== undefined) conditions.push(sql`r.id in (${sendersOf(formId, submissionId)})`);
  if (search !== undefined)
    conditions.push(sql`position(lower(${search}) in lower(concat_ws(' ', r.name, r.email))) > 0`);
  const { rows } = await sql<Recipient>`
    select r.id, r.code, r.name, r.email, r.prefill, ${STATUS} as status, r.opened_at, r.answered_at, r.declined_at,
      r.mails_sent, r.mailed_at, r.mail_problem, r.created_at, s.id as submission_id
    from recipients r
    left join submissions s
      on s.form_id = r.form_id and s.public_id = r.submission_public_id and s.status = 'completed'
    where ${sql.join(conditions, sql` and `)}
    order by r.id limit ${limit + 1}`.execute(db);
  return rows;
}

/** The sender of a complete submission, even if the link was reopened since. */
function sendersOf(formId: number, submissionId: number): RawBuilder<unknown> {
  const publicId = sql`(select public_id from submissions
    where form_id = ${formId} and id = ${submissionId} and status = 'completed')`;
  return sql`
    select id from recipients where form_id = ${formId} and submission_public_id = ${publicId}
    union all
    select id from recipients
    where form_id = ${formId} and earlier_submissions @> array[${publicId}] and earlier_submissions <> '{}'`;
}

export interface NewRecipient {
  code: string;
  name: string | null;
  email: string | null;
  emailKey: string | null;
  prefill: Prefill | null;
}

export interface AddedRecipient {
  id: number;
  code: string;
  emailKey: string | null;
  isNew: boolean;
}

/** An address on the list keeps its link; given names and prefills replace the stored ones. */
export async function addRecipients(
  trx: Transaction,
  formId: number,
  recipients: readonly NewRecipient[],
): Promise<AddedRecipient[]> {
  const { rows } = await sql<AddedRecipient>`
    insert into recipients as r (form_id, code, name, email, email_key, prefill)
    select ${formId}, code, name, email, "emailKey", prefill
    from jsonb_to_recordset(${JSON.stringify(recipients)}::jsonb)
      as t(code text, name text, email text, "emailKey" text, prefill jsonb)
    on conflict (form_id, email_key) where email_key is not null do update set
      name = coalesce(excluded.name, r.name), prefill = coalesce(excluded.prefill, r.prefill)
    returning id, code, email_key as "emailKey", xmax = 0 as "isNew"`.execute(trx);
  return rows;
}

/** @returns how many there were */
export async function deleteRecipients(
  trx: Transaction,
  formId: number,
  ids: readonly number[],
): Promise<number> {
  const { rows } = await sql`
    delete from recipients where form_id = ${formId} and id = any(${ids}::bigint[]) returning id`.execute(
    trx,
  );
  return rows.length;
}

/** Lets recipients answer once more. @returns how many had answered */
export async function reopenRecipients(
  trx: Transaction,
  formId: number,
  ids: readonly number[],
): Promise<number> {
  const { rows } = await sql`
    update recipients set answered_at = null, submission_public_id = null,
      earlier_submissions = earlier_submissions || array_remove(array[submission_public_id], null)
    where form_id = ${formId} and id = any(${ids}::bigint[]) and answered_at is not null returning id`.execute(
    trx,
  );
  return rows.length;
}
