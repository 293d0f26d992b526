import type { Context } from '../context.ts';
import type { MailKind } from './mail-kinds.ts';
import { takeMailPlace } from './queries.ts';

/** Mails per form and hour, including failed tries. */
export const MAILS_PER_HOUR: Record<MailKind, number> = { email: 500, email_confirmation: 200 };
/** Confirmations per form and address in a day (UTC), each counted at its first try. */
export const CONFIRMATIONS_PER_DAY = 10;
/** Mails per form that ask to confirm an address: to one address in an hour and in a day, and caused from one network in an hour. */
const LINKS_PER_HOUR = 3;
const LINKS_PER_DAY = 10;
const LINKS_OF_NETWORK_PER_HOUR = 200;

const HOUR_MS = 3_600_000;
const PURPOSE = 'mail-recipient';
const LINK_PURPOSE = 'confirmation-recipient';

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

/**
 * Counts a mail that asks to confirm an address when somebody causes it. Neither address nor network can be read from what is kept.
 * @param sender.network of `clientNetwork`
 * @returns false when one of the limits is reached
 */
export async function takePlaceOfConfirmation(
  { db, secrets }: Parts,
  formId: number,
  { address, network }: { address: string; network: string },
): Promise<boolean> {
  const from = secrets.sign(`from ${network}`, LINK_PURPOSE);
  const to = secrets.sign(`to ${address.toLowerCase()}`, LINK_PURPOSE);
  return (
    (await takeMailPlace(db, formId, { counted: from, period: 'hour', limit: LINKS_OF_NETWORK_PER_HOUR })) &&
    (await takeMailPlace(db, formId, { counted: to, period: 'hour', limit: LINKS_PER_HOUR })) &&
    takeMailPlace(db, formId, { counted: `${to} daily`, period: 'day', limit: LINKS_PER_DAY })
  );
}
