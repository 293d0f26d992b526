import { addressKey } from '../../accounts/email.ts';
import type { Context } from '../../context.ts';
import { type AddressedForm, formAddress } from '../../forms/address/form-address.ts';
import type { SecretBox } from '../../secret-box.ts';
import { isSameHash, signedPublicId } from '../acceptance/submission-hash.ts';

const PURPOSE = 'confirmation';

/** Which submission a link is about. */
interface Confirmed {
  formId: number;
  publicId: string;
  address: string;
}

/**
 * The token of a mailed link, made like a `submissionHash`, but with the address in its checksum. So nothing has to be stored for it,
 * every mail about a submission has the same link, and a link proves only the address it was sent to.
 */
export function confirmationToken(secrets: SecretBox, confirmed: Confirmed): string {
  const { formId, publicId, address } = confirmed;
  const text = `${formId}:${publicId}:${addressKey(address)}`;
  return signedPublicId(secrets, publicId, { text, purpose: PURPOSE });
}

/** Whether this is the token of the link that was mailed to this address. */
export function isConfirmationToken(secrets: SecretBox, token: string, confirmed: Confirmed): boolean {
  return isSameHash(token, confirmationToken(secrets, confirmed));
}

/** The link itself. @param language added where the page has several */
export function confirmationLink(
  context: Pick<Context, 'baseUrl' | 'config'>,
  form: AddressedForm,
  { token, language }: { token: string; language: string | null },
): string {
  return `${formAddress(context, form)}/confirm?token=${token}${language === null ? '' : `&lang=${language}`}`;
}
