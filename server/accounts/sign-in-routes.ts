import { refuseForeignOrigin } from '../access/authenticate.ts';
import { hashToken } from '../access/token-format.ts';
import { personOf } from '../audit/actor.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../db/database.ts';
import type { App } from '../http/app-type.ts';
import { invalid } from '../http/errors.ts';
import { success } from '../http/schemas/success.ts';
import { guessPassword } from './guess-password.ts';
import { isKnownDevice } from './known-device.ts';
import { presentUser } from './present-user.ts';
import { findUser, findUserByEmail, findUserWithPassword } from './queries.ts';
import { LoginBody, OtherSite, SecondStepBody, SecondStepNeeded, UserChanged } from './schemas.ts';
import { requireCode } from './second-factor.ts';
import { deletePendingSignIn, findPendingSignIn, hasSecondFactor } from './second-factor-queries.ts';
import { clearSecondStepCookie, secondStepCookie } from './second-step-cookie.ts';
import { beginSecondStep, overtaken, signIn } from './sign-in.ts';

/** Sign-in by password, and by a code where a second factor is on. */
export function registerSignInRoutes(app: App, context: Context): void {
  const tags = ['Accounts'];
  const config = { access: { kind: 'public' } } as const;

  app.post(
    '/login',
    {
      config,
      schema: {
        tags,
        summary: 'Sign in with a session cookie',
        description:
          '202 when a second factor is on: there is no session yet; `POST /login/second-factor` comes next.',
        body: LoginBody,
        response: { 200: UserChanged, 202: SecondStepNeeded, 403: OtherSite },
      },
    },
    async (request, reply) => {
      refuseForeignOrigin(context, request);
      const { email, password } = request.body;
      const user = await findUserByEmail(context.db, email.trim());
      const hash = user?.password_hash ?? null;
      // Counted by the stored address, which can be written in several ways.
      const isKnown = user !== null && isKnownDevice(context, request, user.id);
      const asker = isKnown ? { userId: user.id } : { address: request.ip };
      const account = { email: user?.email ?? email, hash, asker };
      const isRight = await guessPassword(context, request, account, password);
      if (!user || !isRight) throw invalid({ email: ['The email address or the password is wrong.'] });
      const refuseFormerPassword = async (trx: Transaction) => {
        const now = await findUserWithPassword(trx, user.id);
        if (now?.password_hash !== hash) throw overtaken();
      };
      if (await hasSecondFactor(context.db, user.id)) {
        const token = await beginSecondStep(context, user.id, refuseFormerPassword);
        const members = { second_factor_required: true as const, pending_token: token };
        return reply.code(202).send(success('Enter the code of your authenticator.', members));
      }
      await signIn(context, reply, user.id, async (trx) => {
        await refuseFormerPassword(trx);
        // It was switched on a moment ago.
        if (await hasSecondFactor(trx, user.id)) throw overtaken();
      });
      return success('You are signed in.', { user: presentUser(user, context) });
    },
  );

  app.post(
    '/login/second-factor',
    {
      config,
      schema: {
        tags,
        summary: 'Finish signing in with a code',
        body: SecondStepBody,
        response: { 200: UserChanged, 403: OtherSite },
      },
    },
    async (request, reply) => {
      refuseForeignOrigin(context, request);
      const { pending_token = secondStepCookie(context, request) ?? '', code } = request.body;
      const hash = hashToken(pending_token);
      const userId = await findPendingSignIn(context.db, hash);
      const user = userId === null ? null : await findUser(context.db, userId);
      if (!user) throw invalid({ pending_token: ['This took too long. Please sign in again.'] });
      await requireCode(context, user.id, code, personOf(request, user.id));
      await signIn(context, reply, user.id, async (trx) => {
        // A change of password, factor or identity deletes pending sign-ins.
        if (!(await deletePendingSignIn(trx, hash))) throw overtaken();
      });
      clearSecondStepCookie(context, reply);
      return success('You are signed in.', { user: presentUser(user, context) });
    },
  );
}
