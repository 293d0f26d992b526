import { domainToASCII, domainToUnicode } from 'node:url';
import { invalid } from '../http/errors.ts';

/** RFC 5321, 4.5.3.1.3: a path of 256 octets less its angle brackets. */
export const EMAIL_MAX_LENGTH = 254;
/** Neighbouring classes share no characters, so the time grows only linearly with the length. */
const EMAIL = /^[^\s\p{C}@"(),:;<>[\]\\]{1,64}@[\p{L}\p{M}\p{N}-]+(\.[\p{L}\p{M}\p{N}-]+)*$/u;

/** The trimmed address, or null when mail cannot be sent to it. */
export function parseEmail(text: string): string | null {
  const email = text.trim();
  return email.length <= EMAIL_MAX_LENGTH && EMAIL.test(email) ? email : null;
}

/**
 * The address as accounts and invites have it: its domain as mail is sent there, since one domain can be written in several ways and
 * others only look like it. null when mail cannot be sent to it.
 */
export function accountAddress(text: string): string | null {
  const email = parseEmail(text);
  if (email === null) return null;
  if (/@[\x21-\x7e]*$/.test(email)) return email;
  return parseEmail(withDomain(email, domainToASCII));
}

function withDomain(email: string, convert: (domain: string) => string): string {
  const domainAt = email.lastIndexOf('@') + 1;
  return email.slice(0, domainAt) + convert(email.slice(domainAt));
}

/** @throws HttpError 422 when mail cannot be sent to it */
export function requireAccountAddress(text: string): string {
  const email = accountAddress(text);
  if (email === null) throw invalid({ email: ['The email must be a valid email address.'] });
  return email;
}

/**
 * Of two addresses of one person it is the same. Only the case of A to Z makes no difference: the small letters of `İ` and of the Kelvin
 * sign would be `i` and `k`, those of somebody else. `ADDRESS_KEY` is this in SQL.
 */
export function addressKey(email: string): string {
  return email.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/**
 * Keys under which an address may be stored: earlier versions stored domains as they were written, such as with their own letters. The
 * first is that of the very text, which comes before all others.
 */
export function addressKeys(email: string): [string, ...string[]] {
  const address = accountAddress(email) ?? email;
  return [addressKey(email), addressKey(address), addressKey(withDomain(address, domainToUnicode))];
}

/** For looking up what people wrote of somebody, in any letter case of any script. The Kelvin sign stays: it is no `k`. */
export function caselessAddress(email: string): string {
  return email.replace(/[^\u212a]+/g, (letters) => letters.toLowerCase());
}
