import { ownMember } from '../../../fields/property.ts';
import { isEmailAddress } from '../../../fields/types/email.ts';
import { addressKey } from '../../accounts/email.ts';
import type { Context } from '../../context.ts';
import { HttpError } from '../../http/errors.ts';
import { clientNetwork } from '../../http/network/client-network.ts';
import { secondsToNextHour, takePlaceOfConfirmation } from '../../mail/mail-limits.ts';
import type { LinkHolder } from '../../recipients/link-queries.ts';
import type { PublishedForm } from '../published-form/published-form.ts';
import type { Change } from '../store-change.ts';
import { countWaiting } from './queries.ts';

/** Most submissions of a form that wait until their senders confirm an address. */
const MAX_WAITING = 10_000;

/** What a sender is asked for: to open a link that is mailed to them. */
export interface Confirmation {
  address: string;
  /** Of the page that they filled in, and so of the mail. */
  language: string;
}

/**
 * The address that the sender of a complete submission has to confirm; null if there is none. Whoever came by a personal link that was
 * mailed to the same address has it.
 */
export function addressToConfirm(
  { confirmsEmail }: Pick<PublishedForm, 'confirmsEmail'>,
  { kind, answers }: Pick<Change, 'kind' | 'answers'>,
  holder: LinkHolder | null,
): string | null {
  if (confirmsEmail === null || (kind !== 'new' && kind !== 'complete')) return null;
  const answer = ownMember(answers, confirmsEmail);
  if (typeof answer !== 'string' || !isEmailAddress(answer)) return null;
  return holder?.mailedTo && addressKey(holder.mailedTo) === addressKey(answer) ? null : answer;
}

/**
 * Counts a mail that a sender causes, and refuses those who cause too many: mails to others must not be had for the asking.
 * @param sender.ip address of the sender
 * @throws HttpError 429
 */
export async function countConfirmation(
  context: Context,
  form: Pick<PublishedForm, 'id'>,
  { address, ip }: { address: string; ip: string },
): Promise<void> {
  const isAllowed = await takePlaceOfConfirmation(context, form.id, { address, network: clientNetwork(ip) });
  if (!isAllowed)
    throw tooMany(
      'Too many mails to confirm an address have been asked for, to this address or from your network. Please try again in an hour.',
      'too_many_confirmations',
      secondsToNextHour(),
    );
}

/** @throws HttpError 429 when as many submissions wait for confirmation as may */
export async function refuseIfTooManyWait({ db }: Context, { id }: Pick<PublishedForm, 'id'>): Promise<void> {
  if ((await countWaiting(db, id)) < MAX_WAITING) return;
  throw tooMany(
    'Too many people have not confirmed their address at this form yet. Please try again later.',
    'too_many_unconfirmed',
    3_600,
  );
}

function tooMany(message: string, error: string, seconds: number): HttpError {
  return new HttpError(429, message, { error }, { 'retry-after': String(seconds) });
}
