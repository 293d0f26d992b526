import { timingSafeEqual } from 'node:crypto';
import type { Context } from '../context.ts';
import { enqueue } from '../jobs/enqueue.ts';
import { mailToPerson } from '../mail/mail-turns.ts';
import type { Mail } from '../mail/mailer.ts';
import { findUser, type User } from './queries.ts';

/** Lifetime of a link, from when it is mailed. */
const LINK_MINUTES = 60;
/** Takes less than an hour: whoever waited longer has asked again. */
const MAX_ATTEMPTS = 8;
const PURPOSE = 'email link';
/** End of the link in seconds since 1970, the new address in base64url, HMAC-SHA256. */
const TOKEN = /^(\d{1,12})\.([\w-]{4,1024})\.([0-9a-f]{64})$/;

type Parts = Pick<Context, 'secrets'>;
type Account = Pick<User, 'id' | 'email'>;

/**
 * The token of a link that gives an account the address it is mailed to. It is not stored: the signature covers the
 * present address, so it works for one change.
 */
export function emailToken({ secrets }: Parts, account: Account, email: string, now = Date.now()): string {
  const end = Math.floor(now / 1000) + LINK_MINUTES * 60;
  const written = Buffer.from(email).toString('base64url');
  return `${end}.${written}.${signature(secrets, account, end, email)}`;
}

/** The address that a valid token gives this account; null for any other text. */
export function emailOfToken({ secrets }: Parts, account: Account, token: string): string | null {
  const [, end = '', written = '', signed = ''] = TOKEN.exec(token) ?? [];
  if (written === '' || Number(end) * 1000 < Date.now()) return null;
  const email = Buffer.from(written, 'base64url').toString();
  const expected = signature(secrets, account, Number(end), email);
  return timingSafeEqual(Buffer.from(signed), Buffer.from(expected)) ? email : null;
}

/** Addresses hold no white space, so different accounts and addresses never give the same text to sign. */
function signature(secrets: Context['secrets'], account: Account, end: number, email: string): string {
  return secrets.sign(`${account.id} ${end} ${account.email} ${email}`, PURPOSE);
}

/** Queues the mail with the link. It replaces a queued mail for another address. */
export function scheduleEmailLink(db: Context['db'], userId: number, email: string): Promise<void> {
  const options = { key: `email_link:${userId}`, maxAttempts: MAX_ATTEMPTS };
  return enqueue(db, 'mail_email_link', { userId, email }, options);
}

/** The job. @throws Error when the mail server refuses */
export async function mailEmailLink(context: Context, userId: number, email: string): Promise<void> {
  const user = await findUser(context.db, userId);
  if (!user) return;
  // A fragment is sent to no server, and not to sites that the page links to.
  const link = `${context.baseUrl()}/account/email#${emailToken(context, user, email)}`;
  const mail: Mail = {
    to: email,
    subject: 'A new e-mail address for Formstead',
    text: [
      `Somebody, most likely you, wants to use this e-mail address for their account on ${context.baseUrl()}.`,
      `To confirm, open this link where you are signed in; it works once, within an hour:\n${link}`,
      'If it was not you, you need not do anything: only the owner of that account can use the link.',
    ].join('\n\n'),
    isAutomatic: 'generated',
  };
  // Without a key: a mail that was asked for meanwhile stays.
  await mailToPerson(context, mail, (delaySeconds) =>
    enqueue(context.db, 'mail_email_link', { userId, email }, { maxAttempts: MAX_ATTEMPTS, delaySeconds }),
  );
}

/** The job: tells the former address that the account has another one now. @throws Error when the mail server refuses */
export async function mailEmailChanged(context: Context, userId: number, former: string): Promise<void> {
  const user = await findUser(context.db, userId);
  if (!user) return;
  const mail: Mail = {
    to: former,
    subject: 'Your account at Formstead has another e-mail address',
    text: [
      `The account with the address ${former} on ${context.baseUrl()} now has the address ${user.email}. Sign in with that one from now on.`,
      'If it was not you, tell whoever runs this server at once: they can restore your address and set another password.',
    ].join('\n\n'),
    isAutomatic: 'generated',
  };
  await mailToPerson(context, mail, (delaySeconds) =>
    enqueue(context.db, 'mail_email_changed', { userId, former }, { delaySeconds }),
  );
}
