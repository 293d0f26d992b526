import { createHash } from 'node:crypto';
import { hashPassword, verifyPassword } from '../accounts/passwords.ts';

/** Answered in place of a password; sent back it means: unchanged. */
export const PASSWORD_MASK = '********';

const SHA256_HEX = /^[0-9a-f]{64}$/;

/** Clients of this API family present the SHA-256 of the password, so that is what the slow hash is made from. */
export async function hashFormPassword(password: string): Promise<string> {
  return hashPassword(sha256Hex(password));
}

/** @param presented the password itself or its lower-case SHA-256 hex. */
export async function verifyFormPassword(presented: string, hash: string): Promise<boolean> {
  if (SHA256_HEX.test(presented) && (await verifyPassword(presented, hash))) return true;
  return verifyPassword(sha256Hex(presented), hash);
}

function sha256Hex(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}
