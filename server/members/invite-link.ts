import { randomBytes } from 'node:crypto';
import { hashToken } from '../access/token-format.ts';
import type { Context } from '../context.ts';
import type { SecretBox } from '../secret-box.ts';

const TOKEN_BYTES = 32;
const PURPOSE = 'invite';

/** A new token as the database keeps it: hashed to be found, encrypted to be sent again. */
export function newInviteToken(secrets: SecretBox): { tokenHash: Buffer; tokenEncrypted: Buffer } {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return { tokenHash: hashToken(token), tokenEncrypted: secrets.encrypt(token, PURPOSE) };
}

/** Where the invited person registers. Whoever holds the link can use it. */
export function inviteLink(context: Context, email: string, tokenEncrypted: Buffer): string {
  const query = new URLSearchParams({
    email,
    invite_token: context.secrets.decrypt(tokenEncrypted, PURPOSE),
  });
  return `${context.baseUrl()}/register?${query}`;
}
