import { sql } from 'kysely';
import type { Db, Transaction } from '../db/database.ts';

/** How a form treats personal links. */
export interface LinkSettings {
  /** Only people with a link can answer. */
  required: boolean;
  /** The service stores who has answered, but not which answers are whose. */
  anonymous: boolean;
  invitation: MailText | null;
  reminder: MailText | null;
}

export interface MailText {
  subject: string;
  text: string;
  /** Address for replies. */
  reply_to?: string | null;
}

const NO_SETTINGS: LinkSettings = { required: false, anonymous: false, invitation: null, reminder: null };

/** Whether the form has ever had settings or recipients. */
export async function knowsLinks(db: Db, formId: number): Promise<boolean> {
  const { rows } = await sql`select from personal_links where form_id = ${formId}`.execute(db);
  return rows.length > 0;
}

/** Settings of a form; defaults when there are none. */
export async function findLinkSettings(db: Db, formId: number): Promise<LinkSettings> {
  const row = await db
    .selectFrom('personal_links')
    .select(['required', 'anonymous', 'invitation', 'reminder'])
    .where('form_id', '=', formId)
    .executeTakeFirst();
  return row
    ? {
        ...row,
        invitation: row.invitation as MailText | null,
        reminder: row.reminder as MailText | null,
      }
    : NO_SETTINGS;
}

/**
 * The settings, locked until the transaction ends, so that changes of recipients or settings follow each other.
 * @param against whether those who open the form wait, too: they go by the settings
 */
export async function lockLinkSettings(
  trx: Transaction,
  formId: number,
  against: 'changes' | 'changes and openings',
): Promise<LinkSettings> {
  await trx
    .insertInto('personal_links')
    .values({ form_id: formId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const strength = against === 'changes' ? sql`no key update` : sql`update`;
  await sql`select from personal_links where form_id = ${formId} for ${strength}`.execute(trx);
  return findLinkSettings(trx, formId);
}

export async function updateLinkSettings(
  trx: Transaction,
  formId: number,
  { required, anonymous }: Pick<LinkSettings, 'required' | 'anonymous'>,
): Promise<void> {
  await trx
    .updateTable('personal_links')
    .set({ required, anonymous })
    .where('form_id', '=', formId)
    .execute();
}
