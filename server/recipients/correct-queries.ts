import { sql } from 'kysely';
import type { Transaction } from '../db/database.ts';
import type { RecipientMail } from './queries.ts';

/** A recipient whose address is to be corrected. */
interface CorrectedRecipient {
  id: number;
  email: string | null;
  emailKey: string | null;
  hasAnswered: boolean;
  /** A mail with the link was sent, tried or waits: whoever has the former address may have it. */
  wasMailed: boolean;
}

/** Locks a recipient until the transaction ends. @returns null without one */
export async function lockRecipient(
  trx: Transaction,
  formId: number,
  id: number,
): Promise<CorrectedRecipient | null> {
  const { rows } = await sql<CorrectedRecipient>`
    select id, email, email_key as "emailKey", answered_at is not null as "hasAnswered",
      mails_sent > 0 or mail_due is not null or mail_problem is not null
        or coalesce(mail_lease_until > now(), false) as "wasMailed"
    from recipients where form_id = ${formId} and id = ${id} for no key update`.execute(trx);
  return rows[0] ?? null;
}

export async function isOnList(trx: Transaction, formId: number, emailKey: string): Promise<boolean> {
  const { rows } =
    await sql`select from recipients where form_id = ${formId} and email_key = ${emailKey}`.execute(trx);
  return rows.length > 0;
}

interface Address {
  email: string;
  emailKey: string;
}

/** The link stays. */
export async function setAddress(trx: Transaction, id: number, { email, emailKey }: Address): Promise<void> {
  await sql`update recipients set email = ${email}, email_key = ${emailKey} where id = ${id}`.execute(trx);
}

/**
 * Gives a recipient another address and another link, and forgets what was done by the former one. A partial submission that was begun
 * by it stays, but is no longer this recipient's.
 * @param due the mail to queue
 */
export async function setAddressAndLink(
  trx: Transaction,
  id: number,
  { email, emailKey, code, due }: Address & { code: string; due: RecipientMail | null },
): Promise<void> {
  await sql`
    update recipients set email = ${email}, email_key = ${emailKey}, code = ${code}, submission_public_id = null,
      opened_at = null, declined_at = null, mails_sent = 0, mailed_at = null, mail_due = ${due}, mail_tries = 0,
      mail_problem = null, mail_lease_until = null
    where id = ${id}`.execute(trx);
}
