import type { FastifyRequest } from 'fastify';
import { refuseForeignOrigin } from '../access/authenticate.ts';
import {
  ANYWHERE,
  countAsGuess,
  recordFailedGuess,
  secondsToWait,
  WITH_ADDRESSES,
} from '../access/guesses.ts';
import { isOneClient } from '../access/one-client.ts';
import { personOf } from '../audit/actor.ts';
import type { Context } from '../context.ts';
import type { App } from '../http/app-type.ts';
import { invalid } from '../http/errors.ts';
import { Success, success } from '../http/schemas/success.ts';
import { schedulePasswordLink, userOfPasswordToken } from './password-link.ts';
import { hashPassword } from './passwords.ts';
import { findUserByEmail } from './queries.ts';
import { replaceLostPassword } from './replace-password.ts';
import { NewPasswordBody, OtherSite, PasswordLinkBody } from './schemas.ts';

/** Counts requests for links to any account, per address that asks. */
const ALL_LINKS = 'password links';
/** Mails per account: this many at once, then fewer and fewer. */
const PATIENCE = { free: 3, forgottenAfterSeconds: 24 * 60 * 60 };

const tags = ['Accounts'];
const access = { access: { kind: 'public' } } as const;

/** Sets a new password for people who forgot theirs and can read the mail of the account. */
export function registerForgottenPasswordRoutes(app: App, context: Context): void {
  const { db, mailer } = context;

  app.post(
    '/password/link',
    {
      config: access,
      schema: {
        tags,
        summary: 'Request a mail with a link that sets a new password',
        description:
          'The answer is the same whether or not the account exists. An account that signs in by single sign-on ' +
          'alone gets no link. Needs a mail server.',
        body: PasswordLinkBody,
        response: { 200: Success, 403: OtherSite },
      },
    },
    async (request) => {
      refuseForeignOrigin(context, request);
      if (!mailer.isConfigured) throw invalid({ email: ['This service sends no mail.'] });
      const email = request.body.email.trim();
      await countAsking(context, request);
      const user = await findUserByEmail(db, email);
      // The steps are the same with and without an account, so that their duration does not reveal it.
      const takesMail = await takesAnotherMail(context, user?.email ?? email);
      await schedulePasswordLink(db, takesMail && user?.has_password ? user.id : null);
      return success('If there is an account with this address, a link is on its way.');
    },
  );

  app.put(
    '/password',
    {
      config: access,
      schema: {
        tags,
        summary: 'Set a new password with the token of a link',
        description: 'Ends all sessions of the account. Its second factor and its access tokens stay.',
        body: NewPasswordBody,
        response: { 200: Success, 403: OtherSite },
      },
    },
    async (request) => {
      refuseForeignOrigin(context, request);
      const { token, password } = request.body;
      const user = await userOfPasswordToken(context, token);
      if (!user) throw invalid({ token: ['This link no longer works. Ask for another one.'] });
      const passwordHash = await hashPassword(password, { address: request.ip });
      await db
        .transaction()
        .execute((trx) => replaceLostPassword(trx, user, passwordHash, personOf(request, user.id)));
      return success('Your password has been changed. You can sign in with it.');
    },
  );
}

/** @throws HttpError 429 with Retry-After while the address has to wait */
async function countAsking({ config, db }: Context, request: FastifyRequest): Promise<void> {
  if (!isOneClient(config, request)) return;
  await countAsGuess(db, { subject: ALL_LINKS, address: request.ip, patience: WITH_ADDRESSES });
}

/** Limits the mails to one mailbox, so that nobody can flood it; the response does not reveal when the limit is reached. */
async function takesAnotherMail({ db }: Context, email: string): Promise<boolean> {
  const asked = { subject: `password link:${email.toLowerCase()}`, address: ANYWHERE, patience: PATIENCE };
  if ((await secondsToWait(db, asked)) > 0) return false;
  await recordFailedGuess(db, asked);
  return true;
}
