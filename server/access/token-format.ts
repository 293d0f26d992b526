import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * Access tokens: `fst_`, 43 base62 characters of 256 random bits, 6 characters of checksum. The prefix lets secret
 * scanners find leaked ones (`fst_[0-9A-Za-z]{49}`); the checksum refuses mistyped ones without asking the database.
 */
const PREFIX = 'fst_';
const RANDOM_BYTES = 32;
const SECRET_LENGTH = 43;
const CHECKSUM_LENGTH = 6;
const TOKEN = new RegExp(`^${PREFIX}[0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`);
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

export function newToken(): string {
  const secret = PREFIX + base62(BigInt(`0x${randomBytes(RANDOM_BYTES).toString('hex')}`), SECRET_LENGTH);
  return secret + checksum(secret);
}

/** Whether the text has the format of a token. */
export function isWellFormedToken(text: string): boolean {
  if (!TOKEN.test(text)) return false;
  return checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH);
}

/** The hash that the database keeps of a token, session or secret link: with 256 random bits it need not be slow. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** The first characters, to recognise a token in a list; 30 of its 256 bits. */
export function tokenStart(token: string): string {
  return token.slice(0, PREFIX.length + 5);
}

function checksum(text: string): string {
  return base62(BigInt(crc32(text)), CHECKSUM_LENGTH);
}

function base62(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest /= 62n) text = DIGITS[Number(rest % 62n)] + text;
  return text;
}
