import { randomBytes } from 'node:crypto';
import { hashToken } from '../access/token-format.ts';
import type { Context } from '../context.ts';
import { HttpError } from '../http/errors.ts';
import type { SecretBox } from '../secret-box.ts';

const TOKEN_BYTES = 32;
/** Purpose that invite tokens are sealed for. */
export const INVITE_PURPOSE = 'invite';

/** A new token as stored: hashed to be found, encrypted to be sent again. */
export function newInviteToken(secrets: SecretBox): { tokenHash: Buffer; tokenEncrypted: Buffer } {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return { tokenHash: hashToken(token), tokenEncrypted: secrets.encrypt(token, INVITE_PURPOSE) };
}

/**
 * Link where the invited person registers. Anybody with the link can use it.
 * @throws HttpError 400 when another key sealed the token: the invite has to be made again
 */
export function inviteLink(context: Context, email: string, tokenEncrypted: Buffer): string {
  const token = context.secrets.decrypt(tokenEncrypted, INVITE_PURPOSE);
  if (token === null)
    throw new HttpError(400, 'This invite cannot be read any more. Cancel it and invite again.');
  const query = new URLSearchParams({ email, invite_token: token });
  return `${context.baseUrl()}/register?${query}`;
}
