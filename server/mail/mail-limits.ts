import type { Context } from '../context.ts';
import type { MailKind } from './mail-kinds.ts';
import { type MailCount, takeMailPlace } from './queries.ts';

/** Mails of one form in an hour, tries that failed included. */
export const MAILS_PER_HOUR: Record<MailKind, number> = { email: 500, email_confirmation: 200 };
/** Confirmations of one form to one address in a day (UTC). */
export const CONFIRMATIONS_PER_DAY = 10;

const PURPOSE = 'mail-recipient';

/**
 * Takes the place of one mail among those its form may send.
 * @returns null when it may be sent, else whether the form or the recipient has had enough
 */
export async function takePlace(
  { db, secrets }: Pick<Context, 'db' | 'secrets'>,
  formId: number,
  kind: MailKind,
  confirmedAddress: string | null,
): Promise<'form' | 'recipient' | null> {
  const ofForm: MailCount = { counted: kind, period: 'hour', limit: MAILS_PER_HOUR[kind] };
  if (confirmedAddress === null) return (await takeMailPlace(db, formId, [ofForm])) === null ? null : 'form';
  const ofRecipient: MailCount = {
    counted: secrets.sign(confirmedAddress.toLowerCase(), PURPOSE),
    period: 'day',
    limit: CONFIRMATIONS_PER_DAY,
  };
  const full = await takeMailPlace(db, formId, [ofRecipient, ofForm]);
  if (full === null) return null;
  return full === kind ? 'form' : 'recipient';
}
