import { timingSafeEqual } from 'node:crypto';
import type { SecretBox } from '../../secret-box.ts';

/**
 * A visitor who has given the password of a protected form carries this key instead of it: `<expiry>.<checksum>`, the checksum
 * over the form, its password's hash and the expiry. A new password makes the key worthless.
 */
const LIFETIME_SECONDS = 24 * 3600;
const KEY = /^([0-9a-z]{6,8})\.([0-9a-f]{64})$/;
const PURPOSE = 'unlock';

interface ProtectedForm {
  id: number;
  passwordHash: string | null;
}

export function makeUnlockKey(secrets: SecretBox, form: ProtectedForm, now: Date): string {
  const expiry = (Math.floor(now.getTime() / 1000) + LIFETIME_SECONDS).toString(36);
  return `${expiry}.${checksum(secrets, form, expiry)}`;
}

export function isUnlockKey(secrets: SecretBox, form: ProtectedForm, presented: unknown, now: Date): boolean {
  return expiryOf(secrets, form, presented) > now.getTime();
}

/** Whether the visitor has given the form's present password once, or it has none. The key may have expired. */
export function hasShownPassword(secrets: SecretBox, form: ProtectedForm, presented: unknown): boolean {
  return form.passwordHash === null || expiryOf(secrets, form, presented) > 0;
}

/** Milliseconds since 1970; 0 if `presented` is no key of the form. */
function expiryOf(secrets: SecretBox, form: ProtectedForm, presented: unknown): number {
  const [, expiry, sum] = KEY.exec(String(presented)) ?? [];
  if (expiry === undefined || sum === undefined) return 0;
  const isRight = timingSafeEqual(Buffer.from(sum), Buffer.from(checksum(secrets, form, expiry)));
  return isRight ? Number.parseInt(expiry, 36) * 1000 : 0;
}

function checksum(secrets: SecretBox, { id, passwordHash }: ProtectedForm, expiry: string): string {
  return secrets.sign(`${id}:${passwordHash}:${expiry}`, PURPOSE);
}
