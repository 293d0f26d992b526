import { timingSafeEqual } from 'node:crypto';
import type { Context } from '../../context.ts';
import { type AddressedForm, formAddress } from '../../forms/form-address.ts';
import { parseUuid } from '../../http/ids.ts';
import type { SecretBox } from '../../secret-box.ts';

/**
 * The token of a mailed link: 32 hex digits of the submission's random public id, then 32 of a keyed checksum over form, id and address. So
 * nothing has to be stored for it, every mail about a submission has the same link, and a link proves only the address it was sent to.
 */
const TOKEN = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})([0-9a-f]{32})$/;
const PURPOSE = 'confirmation';

/** Which submission a link is about. */
interface Confirmed {
  formId: number;
  publicId: string;
  address: string;
}

export function confirmationToken(secrets: SecretBox, confirmed: Confirmed): string {
  return confirmed.publicId.replaceAll('-', '') + checksum(secrets, confirmed);
}

/** The public id in a token, unproven; null in what is none. */
export function publicIdOfToken(token: string): string | null {
  const [, ...groups] = TOKEN.exec(token) ?? [];
  return parseUuid(groups.slice(0, 5).join('-'));
}

/** Whether this is the token of the link that was mailed to this address. */
export function isConfirmationToken(secrets: SecretBox, token: string, confirmed: Confirmed): boolean {
  const expected = confirmationToken(secrets, confirmed);
  return token.length === expected.length && timingSafeEqual(Buffer.from(token), Buffer.from(expected));
}

/** The link itself. @param language added where the page has several */
export function confirmationLink(
  context: Pick<Context, 'baseUrl' | 'config'>,
  form: AddressedForm,
  { token, language }: { token: string; language: string | null },
): string {
  return `${formAddress(context, form)}/confirm?token=${token}${language === null ? '' : `&lang=${language}`}`;
}

function checksum(secrets: SecretBox, { formId, publicId, address }: Confirmed): string {
  return secrets.sign(`${formId}:${publicId}:${address.toLowerCase()}`, PURPOSE).slice(0, 32);
}
