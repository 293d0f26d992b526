/** RFC 5321, 4.5.3.1.3: a path of 256 octets less its angle brackets. */
export const EMAIL_MAX_LENGTH = 254;
/** Neighbouring classes share no characters, so the time grows only linearly with the length. */
const EMAIL = /^[^\s\p{C}@"(),:;<>[\]\\]{1,64}@[\p{L}\p{M}\p{N}-]+(\.[\p{L}\p{M}\p{N}-]+)*$/u;

/** The trimmed address, or null when mail cannot be sent to it. */
export function parseEmail(text: string): string | null {
  const email = text.trim();
  return email.length <= EMAIL_MAX_LENGTH && EMAIL.test(email) ? email : null;
}
