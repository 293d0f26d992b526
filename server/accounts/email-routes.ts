import { callerOf } from '../access/guard.ts';
import { ANYWHERE, countAsGuess } from '../access/guesses.ts';
import { actorOf } from '../audit/actor.ts';
import type { Context } from '../context.ts';
import type { App } from '../http/app-type.ts';
import { invalid, unauthenticated } from '../http/errors.ts';
import { Success, success } from '../http/schemas/success.ts';
import { enqueue } from '../jobs/enqueue.ts';
import { changeEmail } from './change-email.ts';
import { addressKey, requireAccountAddress } from './email.ts';
import { emailOfToken, scheduleEmailLink } from './email-link.ts';
import { presentUser } from './present-user.ts';
import { findUser } from './queries.ts';
import { requirePassword } from './require-password.ts';
import { EmailLinkBody, NewEmailBody, UserChanged } from './schemas.ts';

/** Mails per account that asks, and per address that receives: this many at once, then fewer and fewer. */
const PATIENCE = { free: 5, forgottenAfterSeconds: 24 * 60 * 60 };

const tags = ['Accounts'];
const config = { access: { kind: 'session' } } as const;

/** Changes the address of an account, after a check of the password and of who owns the new address. */
export function registerEmailRoutes(app: App, context: Context): void {
  const { db, mailer } = context;

  app.post(
    '/user/email',
    {
      config,
      schema: {
        tags,
        summary: 'Request a mail that confirms a new address of your account',
        description:
          'The address changes only when the link is opened. The answer does not tell whether another account has ' +
          'the new one. Needs a mail server.',
        body: EmailLinkBody,
        response: { 200: Success },
      },
    },
    async (request) => {
      if (!mailer.isConfigured)
        throw invalid({
          email: ['This service sends no mail. Whoever runs it can change your address for you.'],
        });
      const email = requireAccountAddress(request.body.email);
      const user = await requirePassword(context, request, request.body.current_password);
      if (email === user.email) throw invalid({ email: ['This is your address already.'] });
      for (const subject of [`email link of:${user.id}`, `email link to:${addressKey(email)}`])
        await countAsGuess(db, { subject, address: ANYWHERE, patience: PATIENCE });
      await scheduleEmailLink(db, user.id, email);
      return success('A link is on its way to the new address.');
    },
  );

  app.put(
    '/user/email',
    {
      config,
      schema: {
        tags,
        summary: 'Change the address of your account with the token of a link',
        description:
          'Needs a session of the account that asked for the link: a mail that went to the wrong person is useless ' +
          'to them. The former address is notified.',
        body: NewEmailBody,
        response: { 200: UserChanged },
      },
    },
    async (request) => {
      const user = await findUser(db, callerOf(request).userId);
      if (!user) throw unauthenticated();
      const email = emailOfToken(context, user, request.body.token);
      if (email === null)
        throw invalid({
          token: ['This link no longer works, or is for another account. Ask for a new one.'],
        });
      const changed = await db.transaction().execute(async (trx) => {
        if (mailer.isConfigured)
          await enqueue(trx, 'mail_email_changed', { userId: user.id, former: user.email });
        return changeEmail(trx, user, email, actorOf(request));
      });
      return success('Your e-mail address has been changed.', { user: presentUser(changed, context) });
    },
  );
}
