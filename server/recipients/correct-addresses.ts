import { addError, type ErrorBag, emptyErrorBag } from '../../fields/property.ts';
import { caselessAddress, parseEmail } from '../accounts/email.ts';
import { invalid } from '../http/errors.ts';
import type { RecipientChange } from './change-recipients.ts';
import { isOnList, lockRecipient, setAddress, setAddressAndLink } from './correct-queries.ts';
import { findMailedForm } from './mail-queries.ts';
import { newCode } from './personal-link.ts';
import type { RecipientMail } from './queries.ts';

interface Correction {
  id: number;
  email: string;
}

interface Corrected {
  /** Recipients that have another address now. */
  corrected: number;
  /** Recipients whose former link no longer works. */
  newLinks: number;
  /** Mails queued to the new addresses. */
  queued: number;
}

/**
 * Corrects the addresses of recipients. If the link was mailed to the former address, somebody else may have it: it stops working, and
 * the recipient gets another one, by mail if the form takes answers. Recipients who are gone are left out.
 * @throws HttpError 422 with all problems at once
 */
export async function correctAddresses(
  change: RecipientChange,
  corrections: readonly Correction[],
  canMail: boolean,
): Promise<Corrected> {
  const due = canMail ? await mailFor(change) : null;
  const errors = emptyErrorBag();
  const done: Corrected = { corrected: 0, newLinks: 0, queued: 0 };
  // In one order, so that two calls do not wait for each other.
  const inOrder = corrections
    .map((one, index) => ({ ...one, index }))
    .sort((one, other) => one.id - other.id);
  for (const { index, ...correction } of inOrder)
    await correctAddress(change, correction, { due, done, errors, key: `recipients.${index}.email` });
  if (Object.keys(errors).length > 0) throw invalid(errors);
  return done;
}

async function correctAddress(
  { trx, formId }: RecipientChange,
  { id, email: written }: Correction,
  { due, done, errors, key }: { due: RecipientMail | null; done: Corrected; errors: ErrorBag; key: string },
): Promise<void> {
  const email = parseEmail(written);
  if (email === null) return addError(errors, key, 'The email must be a valid email address.');
  const recipient = await lockRecipient(trx, formId, id);
  if (recipient === null || recipient.email === email) return;
  const emailKey = caselessAddress(email);
  if (emailKey === recipient.emailKey) await setAddress(trx, id, { email, emailKey });
  else if (recipient.hasAnswered)
    return addError(errors, key, 'The link was used to answer. Let the recipient answer once more first.');
  else if (await isOnList(trx, formId, emailKey))
    return addError(errors, key, 'This address is on the list already.');
  else if (recipient.wasMailed) {
    await setAddressAndLink(trx, id, { email, emailKey, code: newCode(), due });
    done.newLinks++;
    if (due !== null) done.queued++;
  } else await setAddress(trx, id, { email, emailKey });
  done.corrected++;
}

/** The mail that brings another link: the invitation, or what was sent instead of one. null while the form takes no answers */
async function mailFor({ trx, formId, settings }: RecipientChange): Promise<RecipientMail | null> {
  if (!(await findMailedForm(trx, formId))?.isOpen) return null;
  if (settings.invitation !== null) return 'invitation';
  return settings.reminder === null ? null : 'reminder';
}
