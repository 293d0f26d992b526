import type { AmountDue } from '../../fields/payment.ts';
import type { Context } from '../context.ts';
import { type AddressedForm, formAddress } from '../forms/address/form-address.ts';
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
function paymentToken(secrets: SecretBox, charged: Charged): string {
  const { formId, publicId, due } = charged;
  const text = `${formId}:${publicId}:${due.minor}:${due.currency}`;
  return signedPublicId(secrets, publicId, { text, purpose: PURPOSE });
}

/** Whether this is the token of the page where this amount is paid. */
export function isPaymentToken(secrets: SecretBox, token: string, charged: Charged): boolean {
  return isSameHash(token, paymentToken(secrets, charged));
}

/** The page where a submission is paid. */
export interface PaymentPage {
  due: AmountDue;
  /** See `paymentToken`. */
  token: string;
  url: string;
}

type PaidForm = AddressedForm & {
  id: number;
  languages: readonly string[];
  presentation: { language: string };
};

/** The page where a submission is paid, in the language of the form at hand. */
export function paymentPage(
  context: Pick<Context, 'baseUrl' | 'config' | 'secrets'>,
  form: PaidForm,
  { publicId, due }: Omit<Charged, 'formId'>,
): PaymentPage {
  const token = paymentToken(context.secrets, { formId: form.id, publicId, due });
  const more = form.languages.length > 1 ? `&lang=${form.presentation.language}` : '';
  return { due, token, url: `${formAddress(context, form)}/pay?token=${token}${more}` };
}
