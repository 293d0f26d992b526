import type { Context } from '../context.ts';
import type { MailKind } from './mail-kinds.ts';
import { takeMailPlace } from './queries.ts';

/** Mails per form and hour, including failed tries. */
export const MAILS_PER_HOUR: Record<MailKind, number> = { email: 500, email_confirmation: 200 };
/** Confirmations per form and address in a day (UTC), each counted at its first try. */
export const CONFIRMATIONS_PER_DAY = 10;

const HOUR_MS = 3_600_000;
const PURPOSE = 'mail-recipient';

type Parts = Pick<Context, 'db' | 'secrets'>;

/** When the limits per hour begin anew. */
export function secondsToNextHour(): number {
  return Math.ceil((HOUR_MS - (Date.now() % HOUR_MS)) / 1000) + 1;
}

/** Counts one try of a mail against the form's hourly limit. @returns false when the limit is reached */
export function takePlaceOfForm({ db }: Pick<Parts, 'db'>, formId: number, kind: MailKind): Promise<boolean> {
  return takeMailPlace(db, formId, { counted: kind, period: 'hour', limit: MAILS_PER_HOUR[kind] });
}

/**
 * Counts a confirmation against the daily limit of a form and address, once however often it is tried: an absent mail
 * server would otherwise use up the limit in some hours.
 * @returns false when the limit is reached
 */
export function takePlaceOfRecipient(
  { db, secrets }: Parts,
  formId: number,
  address: string,
): Promise<boolean> {
  const counted = secrets.sign(address.toLowerCase(), PURPOSE);
  return takeMailPlace(db, formId, { counted, period: 'day', limit: CONFIRMATIONS_PER_DAY });
}
