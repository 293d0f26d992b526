import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { hashToken } from '../access/token-format.ts';

/** The defaults of RFC 6238, which every authenticator app supports. */
const SETTINGS = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
/** RFC 4226, 4 recommends 160 bits. */
const SECRET_BYTES = 20;
/** Steps before and after the present one that are accepted: clocks differ, people type slowly (RFC 6238, 5.2). */
const WINDOW = 1;
const CODE = /^\d{6}$/;

const RECOVERY_CODES = 10;
const RECOVERY_BYTES = 10;
/** 80 bits in base32, as four groups of four. */
const RECOVERY_CODE = /^[a-z2-7]{16}$/;

/** A new secret in base32. */
export function newSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** The content of the QR code for authenticator apps. */
export function otpauthUri(secret: string, issuer: string, email: string): string {
  return new TOTP({ ...SETTINGS, issuer, label: email, secret }).toString();
}

/** The number of the 30-second step of this code, or null when it is not valid now. */
export function stepOfCode(secret: string, code: string, now = Date.now()): number | null {
  const token = code.replaceAll(' ', '');
  if (!CODE.test(token)) return null;
  const totp = new TOTP({ ...SETTINGS, secret });
  const delta = totp.validate({ token, timestamp: now, window: WINDOW });
  return delta === null ? null : totp.counter({ timestamp: now }) + delta;
}

/** Ten codes for when the device is lost, and the hashes that the database keeps. */
export function newRecoveryCodes(): { codes: string[]; hashes: Buffer[] } {
  const plain = Array.from({ length: RECOVERY_CODES }, () =>
    new Secret({ buffer: new Uint8Array(randomBytes(RECOVERY_BYTES)).buffer }).base32.toLowerCase(),
  );
  return { codes: plain.map((code) => code.replace(/(.{4})(?=.)/g, '$1-')), hashes: plain.map(hashToken) };
}

/** The hash that the database keeps of this code; null for a text that cannot be a recovery code. */
export function recoveryCodeHash(code: string): Buffer | null {
  const plain = code.toLowerCase().replace(/[\s-]/g, '');
  return RECOVERY_CODE.test(plain) ? hashToken(plain) : null;
}
