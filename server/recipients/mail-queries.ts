import { type RawBuilder, sql } from 'kysely';
import type { Db, Transaction } from '../db/database.ts';
import { CUSTOM_DOMAIN } from '../forms/address/address-queries.ts';
import type { AddressedForm } from '../forms/address/form-address.ts';
import { OPENS_AT } from '../forms/queries.ts';
import { IS_TRASHED } from '../forms/trash/queries.ts';
import type { MailServer } from '../mail/mail-servers.ts';
import { mailServerOf } from '../mail/queries.ts';
import type { RecipientMail } from './queries.ts';
import type { LinkSettings, MailText } from './settings-queries.ts';

/** Seconds that a mail belongs to one process: longer than the mail server may take. */
const LEASE_SECONDS = 300;

/** A mail claimed by one process. */
export interface DueMail {
  id: number;
  code: string;
  name: string | null;
  email: string;
  kind: RecipientMail;
  /** Number of earlier tries. */
  tries: number;
  /** Mails sent before. */
  sent: number;
}

/** The parts that all mails of a form share. */
export interface MailedForm extends AddressedForm {
  title: string;
  language: string;
  /** The form takes answers, or will by itself. */
  isOpen: boolean;
  /** Due mails wait until the form opens, or returns from the trash. */
  waits: boolean;
  settings: Pick<LinkSettings, 'invitation' | 'reminder'>;
  /** Its workspace's own; null where it uses the installation's. */
  mailServer: MailServer | null;
}

export async function saveMailText(
  trx: Transaction,
  formId: number,
  kind: RecipientMail,
  text: MailText,
): Promise<void> {
  await trx
    .updateTable('personal_links')
    .set({ [kind]: JSON.stringify(text) })
    .where('form_id', '=', formId)
    .execute();
}

const IS_WRITTEN_TO = sql`email is not null and answered_at is null and declined_at is null`;
const MEANT: Record<RecipientMail, RawBuilder<unknown>> = {
  invitation: sql`mails_sent = 0`,
  reminder: sql`mails_sent > 0`,
};

/** How many mails of each kind would be queued now if nobody is named. */
export async function countMeant(db: Db, formId: number): Promise<Record<RecipientMail, number>> {
  const { rows } = await sql<Record<RecipientMail, number>>`
    select count(*) filter (where ${MEANT.invitation})::int as invitation, count(*) filter (where ${MEANT.reminder})::int as reminder
    from recipients where form_id = ${formId} and ${IS_WRITTEN_TO}`.execute(db);
  return rows[0] ?? { invitation: 0, reminder: 0 };
}

/**
 * Queues mails, except for recipients who have answered or want no mails. Without `ids` an invitation goes to recipients
 * who have not been sent one, a reminder to those who have. A mail being sent stays with its process; one waiting for
 * another try waits no longer than a lease.
 * @returns how many were queued
 */
export async function queueMails(
  trx: Transaction,
  formId: number,
  kind: RecipientMail,
  ids: readonly number[] | null,
): Promise<number> {
  const chosen = ids ? sql`id = any(${ids}::bigint[])` : MEANT[kind];
  const { numAffectedRows } = await sql`
    update recipients set mail_due = ${kind}, mail_tries = 0, mail_problem = null,
      mail_lease_until = case when mail_lease_until > now()
        then least(mail_lease_until, now() + make_interval(secs => ${LEASE_SECONDS})) end
    where form_id = ${formId} and ${IS_WRITTEN_TO} and ${chosen}`.execute(trx);
  return Number(numAffectedRows ?? 0);
}

/** Removes all mails of a form from the queue. A mail being sent stays with its process. @returns how many waited */
export async function cancelMails(trx: Transaction, formId: number): Promise<number> {
  const { numAffectedRows } = await sql`
    update recipients set mail_due = null
    where form_id = ${formId} and mail_due is not null`.execute(trx);
  return Number(numAffectedRows ?? 0);
}

/** The workspace whose mail server it is; null = the installation's. */
export type ServerKey = number | null;

const MAIL_DUE = sql`recipients join forms on forms.id = form_id
  left join workspace_mail_servers own on own.workspace_id = forms.workspace_id
  where mail_due is not null and (mail_lease_until is null or mail_lease_until < now())`;

/** Mail servers that have mails which can be claimed now. Without `canMail` only those of workspaces. */
export async function serversWithDueMails(db: Db, canMail: boolean): Promise<ServerKey[]> {
  const { rows } = await sql<{ server: ServerKey }>`
    select distinct own.workspace_id as server from ${MAIL_DUE}
    and (${canMail}::boolean or own.workspace_id is not null)`.execute(db);
  return rows.map(({ server }) => server);
}

/** Forms with mails for this server that can be claimed now. */
export async function formsWithDueMails(db: Db, server: ServerKey): Promise<number[]> {
  const { rows } = await sql<{ formId: number }>`
    select distinct form_id as "formId" from ${MAIL_DUE}
    and own.workspace_id is not distinct from ${server}`.execute(db);
  return rows.map(({ formId }) => formId);
}

/** @returns null for a form that is gone */
export async function findMailedForm(db: Db, formId: number): Promise<MailedForm | null> {
  const { rows } = await sql<MailedForm>`
    select slug, ${CUSTOM_DOMAIN} as "customDomain", title, coalesce(presentation ->> 'language', 'en') as language,
      visibility = 'public' and (closes_at is null or closes_at > now())
        and coalesce(completed_count < max_submissions_count, true) as "isOpen",
      ${IS_TRASHED} or coalesce(${OPENS_AT} > now(), false) as waits,
      json_build_object('invitation', invitation, 'reminder', reminder) as settings,
      ${mailServerOf('forms.workspace_id')} as "mailServer"
    from forms
    join personal_links on personal_links.form_id = forms.id
    join form_counters on form_counters.form_id = forms.id
    where forms.id = ${formId}`.execute(db);
  return rows[0] ?? null;
}

/** Claims mails of a form for `LEASE_SECONDS`. When a process dies, the next one takes its mails. */
export async function claimDueMails(db: Db, formId: number, limit: number): Promise<DueMail[]> {
  const { rows } = await sql<DueMail>`
    update recipients set mail_lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
    where id in (
      select id from recipients
      where form_id = ${formId} and mail_due is not null and (mail_lease_until is null or mail_lease_until < now())
      order by id limit ${limit} for update skip locked)
    returning id, code, name, email, mail_due as kind, mail_tries as tries, mails_sent as sent`.execute(db);
  return rows;
}

// A recipient whose address was corrected meanwhile has another code: what became of a mail to the former address says nothing then.

/** Keeps a mail of another kind that was queued meanwhile. */
export async function noteMailSent(db: Db, { id, code, kind }: DueMail): Promise<void> {
  await sql`update recipients set mail_due = nullif(mail_due, ${kind}), mail_lease_until = null, mail_problem = null,
    mails_sent = mails_sent + 1, mailed_at = now() where id = ${id} and code = ${code}`.execute(db);
}

/** Gives the mail up. Keeps a mail of another kind that was queued meanwhile. */
export async function noteMailFailed(db: Db, { id, code, kind }: DueMail, problem: string): Promise<void> {
  await sql`update recipients set mail_due = nullif(mail_due, ${kind}), mail_lease_until = null,
    mail_problem = ${problem} where id = ${id} and code = ${code}`.execute(db);
}

interface Postponement {
  seconds: number;
  /** Whether this was a try. */
  counts: boolean;
  /** Why it waits, where its members can mend that. */
  problem?: string | null;
}

/** Schedules another try of the mail. */
export async function postponeMail(
  db: Db,
  { id, code }: DueMail,
  { seconds, counts, problem = null }: Postponement,
): Promise<void> {
  await sql`update recipients set mail_tries = mail_tries + ${counts ? 1 : 0}, mail_problem = ${problem},
    mail_lease_until = now() + make_interval(secs => ${seconds})
    where id = ${id} and code = ${code} and mail_due is not null`.execute(db);
}
