import type { Context } from '../context.ts';
import type { MailKind } from './mail-kinds.ts';
import { takeMailPlace } from './queries.ts';

/** Mails of one form in an hour, tries that failed included. */
export const MAILS_PER_HOUR: Record<MailKind, number> = { email: 500, email_confirmation: 200 };
/** Confirmations of one form to one address in a day (UTC), each counted when it is first tried. */
export const CONFIRMATIONS_PER_DAY = 10;

const PURPOSE = 'mail-recipient';

type Parts = Pick<Context, 'db' | 'secrets'>;

/** Takes a place among the mails a form may send in this hour: one for every try. @returns false when none is left */
export function takePlaceOfForm({ db }: Pick<Parts, 'db'>, formId: number, kind: MailKind): Promise<boolean> {
  return takeMailPlace(db, formId, { counted: kind, period: 'hour', limit: MAILS_PER_HOUR[kind] });
}

/**
 * Takes a place among the confirmations of a form that this address may get today: one for a mail, however often it is
 * tried, or a mail server that is away for some hours would use them up.
 * @returns false when none is left
 */
export function takePlaceOfRecipient(
  { db, secrets }: Parts,
  formId: number,
  address: string,
): Promise<boolean> {
  const counted = secrets.sign(address.toLowerCase(), PURPOSE);
  return takeMailPlace(db, formId, { counted, period: 'day', limit: CONFIRMATIONS_PER_DAY });
}
