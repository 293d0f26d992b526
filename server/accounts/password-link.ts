import { timingSafeEqual } from 'node:crypto';
import type { Context } from '../context.ts';
import { enqueue } from '../jobs/enqueue.ts';
import { mailToPerson } from '../mail/mail-turns.ts';
import { findUserWithPassword, type UserWithPassword } from './queries.ts';

/** Lifetime of a link, from when it is mailed. */
const LINK_MINUTES = 60;
/** Takes less than an hour: whoever waited longer has asked again. */
const MAX_ATTEMPTS = 8;
const PURPOSE = 'password link';
/** Id of the account, end of the link in seconds since 1970, HMAC-SHA256. */
const TOKEN = /^(\d{1,16})\.(\d{1,12})\.([0-9a-f]{64})$/;

type Parts = Pick<Context, 'db' | 'secrets'>;

/**
 * The token of a link that sets a new password; null for an account without one. It is not stored: the signature covers
 * the present password and address, so it works once, and not after either has changed: the mailbox of a former address
 * may be somebody else's.
 */
export function passwordToken(
  { secrets }: Pick<Parts, 'secrets'>,
  { id, email, password_hash }: Pick<UserWithPassword, 'id' | 'email' | 'password_hash'>,
  now = Date.now(),
): string | null {
  if (password_hash === null) return null;
  const end = Math.floor(now / 1000) + LINK_MINUTES * 60;
  return `${id}.${end}.${signature(secrets, [id, end, email, password_hash])}`;
}

/** The account of a valid token; null for any other text. */
export async function userOfPasswordToken(
  { db, secrets }: Parts,
  token: string,
): Promise<UserWithPassword | null> {
  const [, id = '', end = '', signed = ''] = TOKEN.exec(token) ?? [];
  if (id === '' || Number(end) * 1000 < Date.now()) return null;
  const user = await findUserWithPassword(db, Number(id));
  if (!user || user.password_hash === null) return null;
  const expected = signature(secrets, [user.id, Number(end), user.email, user.password_hash]);
  return timingSafeEqual(Buffer.from(signed), Buffer.from(expected)) ? user : null;
}

/** None of the parts holds white space, so the joined text is unambiguous. */
function signature(secrets: Context['secrets'], parts: (string | number)[]): string {
  return secrets.sign(parts.join(' '), PURPOSE);
}

/**
 * Queues the mail with the link; asking again while it waits adds no second one.
 * @param userId null mails nobody, at the same cost
 */
export function schedulePasswordLink(db: Context['db'], userId: number | null): Promise<void> {
  return put(db, userId, 0);
}

function put(db: Context['db'], userId: number | null, delaySeconds: number): Promise<void> {
  const options = { key: `password_link:${userId ?? 'nobody'}`, maxAttempts: MAX_ATTEMPTS, delaySeconds };
  return enqueue(db, 'mail_password_link', { userId }, options);
}

/** The job. @throws Error when the mail server refuses */
export async function mailPasswordLink(context: Context, userId: number | null): Promise<void> {
  const user = userId === null ? null : await findUserWithPassword(context.db, userId);
  const token = user && passwordToken(context, user);
  if (!user || token === null) return;
  await mailToPerson(
    context,
    {
      to: user.email,
      subject: 'A new password for Formstead',
      text: [
        `Somebody, most likely you, asked for a new password for ${user.email} on ${context.baseUrl()}.`,
        // A fragment is sent to no server, and not to sites that the page links to.
        `Open this link to choose one; it works once, within an hour:\n${context.baseUrl()}/password#${token}`,
        'If it was not you, you need not do anything: your password stays what it is.',
      ].join('\n\n'),
      isAutomatic: 'generated',
    },
    (seconds) => put(context.db, user.id, seconds),
  );
}
