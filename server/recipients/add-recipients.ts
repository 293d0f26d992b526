import { addError, type ErrorBag, emptyErrorBag } from '../../fields/property.ts';
import { caselessAddress, parseEmail } from '../accounts/email.ts';
import { invalid } from '../http/errors.ts';
import type { RecipientChange } from './change-recipients.ts';
import { newCode } from './personal-link.ts';
import {
  type AddedRecipient,
  addRecipients,
  countRecipients,
  type NewRecipient,
  type Prefill,
} from './queries.ts';
import { MAX_PREFILL, MAX_RECIPIENTS } from './schemas.ts';

/** A recipient as a call describes it. */
interface DescribedRecipient {
  name?: string | null;
  email?: string | null;
  prefill?: Prefill | null;
}

/** Adds recipients to the list. @returns the outcome for each, in the order of the call */
export async function addToList(
  { trx, formId }: RecipientChange,
  recipients: readonly NewRecipient[],
): Promise<AddedRecipient[]> {
  const byKey = new Map<string, NewRecipient>();
  // When an address occurs twice, its last values count.
  for (const recipient of recipients) {
    const { name, prefill } = byKey.get(keyOf(recipient)) ?? recipient;
    const said = { name: recipient.name ?? name, prefill: recipient.prefill ?? prefill };
    byKey.set(keyOf(recipient), { ...recipient, ...said });
  }
  const rows = await addRecipients(trx, formId, [...byKey.values()]);
  if ((await countRecipients(trx, formId)) > MAX_RECIPIENTS) {
    const limit = MAX_RECIPIENTS.toLocaleString('en');
    throw invalid({ recipients: [`A form may not have more than ${limit} recipients.`] });
  }
  const rowOf = new Map(rows.map((row) => [keyOf(row), row]));
  return recipients.map((recipient) => rowOf.get(keyOf(recipient)) as AddedRecipient);
}

/** An address is on a list once; recipients without one are told apart by their codes. */
function keyOf({ emailKey, code }: Pick<NewRecipient, 'emailKey' | 'code'>): string {
  return emailKey ?? code;
}

/** @throws HttpError 422 with all problems at once */
export function readRecipients(described: readonly DescribedRecipient[]): NewRecipient[] {
  const errors = emptyErrorBag();
  const recipients = described.map((recipient, index) =>
    readRecipient(recipient, `recipients.${index}`, errors),
  );
  if (Object.keys(errors).length > 0) throw invalid(errors);
  return recipients;
}

function readRecipient(
  { name, email, prefill = null }: DescribedRecipient,
  key: string,
  errors: ErrorBag,
): NewRecipient {
  const written = email?.trim() ? email : null;
  const address = written && parseEmail(written);
  if (written !== null && address === null)
    addError(errors, `${key}.email`, 'The email must be a valid email address.');
  if (prefill !== null && JSON.stringify(prefill).length > MAX_PREFILL)
    addError(
      errors,
      `${key}.prefill`,
      `The prefill must hold texts of at most ${MAX_PREFILL} characters in all.`,
    );
  return {
    code: newCode(),
    name: name?.trim() || null,
    email: address,
    emailKey: address && caselessAddress(address),
    prefill,
  };
}
