import type { Context } from '../context.ts';
import type { Transaction } from '../db/database.ts';
import { enqueue } from '../jobs/enqueue.ts';
import { inviteLink } from './invite-link.ts';
import { findInviteMail, mailJobKey } from './invite-queries.ts';

/** Sends the mail soon, once. The job carries the id alone, so that no link lies open in the job table. */
export function scheduleInviteMail(trx: Transaction, inviteId: number): Promise<void> {
  return enqueue(trx, 'send_invite', { inviteId }, { key: mailJobKey(inviteId) });
}

/** The job: mails the link of an invite that is still open. @throws Error when the mail server refuses */
export async function sendInvite(context: Context, inviteId: number): Promise<void> {
  const invite = await findInviteMail(context.db, inviteId);
  if (!invite) return;
  const link = inviteLink(context, invite.email, invite.token_encrypted);
  await context.mailer.send({
    to: invite.email,
    subject: `You are invited to ${invite.workspaceName}`,
    text: [
      `You are invited to the workspace "${invite.workspaceName}" on ${context.baseUrl()}.`,
      `Open this link to join; it works for 7 days:\n${link}`,
      'If you did not expect this, you need not do anything.',
    ].join('\n\n'),
  });
}
