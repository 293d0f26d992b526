import type { AmountDue } from '../../fields/payment.ts';
import type { Context } from '../context.ts';
import { type AddressedForm, formAddress } from '../forms/form-address.ts';
import type { SecretBox } from '../secret-box.ts';
import { isSameHash, signedPublicId } from '../submissions/acceptance/submission-hash.ts';

const PURPOSE = 'payment';

/** What somebody pays for. */
interface Charged {
  formId: number;
  publicId: string;
  due: AmountDue;
}

/**
 * The token of the page where a submission is paid, made like a `submissionHash`, but with the amount in its checksum. So nothing has to be
 * stored for it, and what somebody was shown is what they pay.
 */
export function paymentToken(secrets: SecretBox, charged: Charged): string {
  const { formId, publicId, due } = charged;
  const text = `${formId}:${publicId}:${due.minor}:${due.currency}`;
  return signedPublicId(secrets, publicId, { text, purpose: PURPOSE });
}

/** Whether this is the token of the page where this amount is paid. */
export function isPaymentToken(secrets: SecretBox, token: string, charged: Charged): boolean {
  return isSameHash(token, paymentToken(secrets, charged));
}

/** The address of that page, in the language of the form at hand. */
export function paymentUrl(
  context: Pick<Context, 'baseUrl' | 'config'>,
  form: AddressedForm & { languages: readonly string[]; presentation: { language: string } },
  token: string,
): string {
  const { languages, presentation } = form;
  const more = languages.length > 1 ? `&lang=${presentation.language}` : '';
  return `${formAddress(context, form)}/pay?token=${token}${more}`;
}
