import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { refuseForeignOrigin } from '../access/authenticate.ts';
import { hashToken } from '../access/token-format.ts';
import { personOf } from '../audit/actor.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../db/database.ts';
import type { App } from '../http/app-type.ts';
import { HttpError, invalid } from '../http/errors.ts';
import { Problem } from '../http/problem.ts';
import { success } from '../http/success.ts';
import { guessPassword } from './guess-password.ts';
import { presentUser } from './present-user.ts';
import { findUserByEmail, findUserWithPassword, lockUser } from './queries.ts';
import { LoginBody, SecondStepBody, SecondStepNeeded, UserChanged } from './schemas.ts';
import { requireCode } from './second-factor.ts';
import {
  deletePendingSignIn,
  findPendingSignIn,
  hasSecondFactor,
  insertPendingSignIn,
} from './second-factor-queries.ts';
import { startSession } from './sessions.ts';

/** How long somebody may look for the device. */
const PENDING_MINUTES = 5;
const PENDING_BYTES = 32;
const OtherSite = Problem('A page of another site asks.');

/** Signing in: with the password, and where a second factor is on with a code too. */
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
          '202 where a second factor is on: no session yet, `POST /login/second-factor` comes next.',
        body: LoginBody,
        response: { 200: UserChanged, 202: SecondStepNeeded, 403: OtherSite },
      },
    },
    async (request, reply) => {
      refuseForeignOrigin(context, request);
      const { email, password } = request.body;
      const user = await findUserByEmail(context.db, email.trim());
      const hash = user?.password_hash ?? null;
      const isRight = await guessPassword(context, request, email, password, hash);
      if (!user || !isRight) throw invalid({ email: ['The email address or the password is wrong.'] });
      if (await hasSecondFactor(context.db, user.id)) return reply.code(202).send(await firstStep(user.id));
      await signIn(request, reply, user, async (trx) => {
        // Switched on a moment ago.
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
      const { pending_token, code } = request.body;
      const hash = hashToken(pending_token);
      const userId = await findPendingSignIn(context.db, hash);
      const user = userId === null ? null : await findUserWithPassword(context.db, userId);
      if (!user) throw invalid({ pending_token: ['This took too long. Please sign in again.'] });
      await requireCode(context, user.id, code, personOf(request, user.id));
      await signIn(request, reply, user, async (trx) => {
        if (!(await deletePendingSignIn(trx, hash))) throw overtaken();
      });
      return success('You are signed in.', { user: presentUser(user, context) });
    },
  );

  async function firstStep(userId: number) {
    const token = randomBytes(PENDING_BYTES).toString('base64url');
    await insertPendingSignIn(context.db, userId, hashToken(token), PENDING_MINUTES);
    return success('Enter the code of your authenticator.', {
      second_factor_required: true as const,
      pending_token: token,
    });
  }

  /** Under the lock of the account, so that a password or factor that changes meanwhile counts. */
  async function signIn(
    request: FastifyRequest,
    reply: FastifyReply,
    user: { id: number; password_hash: string },
    check: (trx: Transaction) => Promise<void>,
  ): Promise<void> {
    const setCookie = await context.db.transaction().execute(async (trx) => {
      await lockUser(trx, user.id);
      const now = await findUserWithPassword(trx, user.id);
      if (now?.password_hash !== user.password_hash) throw overtaken();
      await check(trx);
      return startSession(context, trx, request, user.id);
    });
    setCookie(reply);
  }
}

function overtaken(): HttpError {
  return new HttpError(409, 'The account changed a moment ago. Please sign in again.');
}
