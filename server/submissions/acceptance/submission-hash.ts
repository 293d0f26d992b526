import { timingSafeEqual } from 'node:crypto';
import { parseUuid } from '../../http/schemas/ids.ts';
import type { SecretBox } from '../../secret-box.ts';

/**
 * The `submission_hash` of a partial submission: 32 hex digits of its random public id, then 32 of a keyed checksum over form
 * and id. So nothing has to be stored for it, nobody else can make one, and it is worthless for another form.
 */
const HASH = /^([0-9a-f]{32})([0-9a-f]{32})$/;
/** A receipt is made the same way: it opens the thank-you page of one completed submission. */
type Purpose = 'partial' | 'receipt';

export function submissionHash(
  secrets: SecretBox,
  formId: number,
  publicId: string,
  purpose: Purpose = 'partial',
): string {
  return signedPublicId(secrets, publicId, { text: `${formId}:${publicId}`, purpose });
}

/** What such a hash is made of. @param signed what its checksum is over */
export function signedPublicId(
  secrets: SecretBox,
  publicId: string,
  signed: { text: string; purpose: string },
): string {
  return publicId.replaceAll('-', '') + secrets.sign(signed.text, signed.purpose).slice(0, 32);
}

/** The public id inside a hash that was made for this form and purpose, or null. */
export function openSubmissionHash(
  secrets: SecretBox,
  formId: number,
  hash: string,
  purpose: Purpose = 'partial',
): string | null {
  const publicId = publicIdIn(hash);
  if (publicId === null) return null;
  return isSameHash(hash, submissionHash(secrets, formId, publicId, purpose)) ? publicId : null;
}

/** The public id in a hash, unproven; null in what is none. */
export function publicIdIn(hash: string): string | null {
  const [, id] = HASH.exec(hash) ?? [];
  return parseUuid(id?.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'));
}

/** Compares in the same time wherever two hashes differ; the first may be any text. */
export function isSameHash(hash: string, expected: string): boolean {
  const [one, other] = [Buffer.from(hash), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
