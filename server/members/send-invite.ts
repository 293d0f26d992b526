import { ANYWHERE, countAsGuess } from '../access/guesses.ts';
import { addressKey } from '../accounts/email.ts';
import type { Context } from '../context.ts';
import type { Db, Transaction } from '../db/database.ts';
import { enqueue } from '../jobs/enqueue.ts';
import { mailToPerson } from '../mail/mail-turns.ts';
import { inviteLink } from './invite-link.ts';
import { findInviteMail, type Invite, mailJobKey } from './invite-queries.ts';

/** Mails per address, whoever invites it and where to: this many at once, then fewer and fewer. */
const PATIENCE = { free: 10, forgottenAfterSeconds: 24 * 60 * 60 };

/**
 * Queues the mail once. The job holds only the id, so that no link is readable in the job table.
 * @throws HttpError 429 with Retry-After, so that nobody can fill the mailbox of somebody else
 */
export async function scheduleInviteMail(
  trx: Transaction,
  { id: inviteId, email }: Pick<Invite, 'id' | 'email'>,
): Promise<void> {
  const subject = `invite mail:${addressKey(email)}`;
  await countAsGuess(trx, { subject, address: ANYWHERE, patience: PATIENCE });
  await put(trx, inviteId);
}

function put(db: Db, inviteId: number, delaySeconds = 0): Promise<void> {
  return enqueue(db, 'send_invite', { inviteId }, { key: mailJobKey(inviteId), delaySeconds });
}

/** The job: mails the link of an invite that is still open. @throws Error when the mail server refuses */
export async function sendInvite(context: Context, inviteId: number): Promise<void> {
  const invite = await findInviteMail(context.db, inviteId);
  if (!invite) return;
  const link = inviteLink(context, invite.email, invite.token_encrypted);
  await mailToPerson(
    context,
    {
      to: invite.email,
      subject: `You are invited to ${invite.workspaceName}`,
      text: [
        `You are invited to the workspace "${invite.workspaceName}" on ${context.baseUrl()}.`,
        `Open this link to join; it works for 7 days:\n${link}`,
        'If you did not expect this, you need not do anything.',
      ].join('\n\n'),
    },
    (seconds) => put(context.db, inviteId, seconds),
  );
}
