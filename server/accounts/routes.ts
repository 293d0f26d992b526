import { refuseForeignOrigin } from '../access/authenticate.ts';
import { callerOf } from '../access/guard.ts';
import { actorOf } from '../audit/actor.ts';
import { recordEvent } from '../audit/record-event.ts';
import type { Context } from '../context.ts';
import type { App } from '../http/app-type.ts';
import { unauthenticated } from '../http/errors.ts';
import { Problem } from '../http/schemas/problem.ts';
import { Success, success } from '../http/schemas/success.ts';
import { UnusableInvite } from '../members/schemas.ts';
import { deleteOwnAccount } from './delete-account.ts';
import { requireAccountAddress } from './email.ts';
import { registerEmailRoutes } from './email-routes.ts';
import { registerForgottenPasswordRoutes } from './forgotten-password-routes.ts';
import { hashPassword } from './passwords.ts';
import { presentUser } from './present-user.ts';
import { findUser, renameUser } from './queries.ts';
import { registerAccount, registrationState } from './register-account.ts';
import { replacePassword } from './replace-password.ts';
import { requirePassword, requirePasswordOrNewSession } from './require-password.ts';
import {
  ChangePasswordBody,
  DeleteAccountBody,
  ProfileBody,
  RegisterBody,
  RegistrationAnswer,
  UserAnswer,
  UserChanged,
} from './schemas.ts';
import { registerSecondFactorRoutes } from './second-factor-routes.ts';
import { registerSessionRoutes } from './session-routes.ts';
import { clearSessionCookie } from './sessions.ts';
import { registerSignInRoutes } from './sign-in-routes.ts';

export function registerAccountRoutes(app: App, context: Context): void {
  const tags = ['Accounts'];

  app.get(
    '/registration',
    {
      config: { access: { kind: 'public' } },
      schema: { tags, summary: 'Who can register, and how', response: { 200: RegistrationAnswer } },
    },
    async () => {
      const { registration, singleSignOn } = context.config;
      return {
        registration: await registrationState(context.db, registration),
        single_sign_on: singleSignOn && { name: singleSignOn.name },
        password_by_mail: context.mailer.isConfigured,
      };
    },
  );

  app.post(
    '/register',
    {
      config: { access: { kind: 'public' } },
      schema: {
        tags,
        summary: 'Register and sign in',
        body: RegisterBody,
        response: {
          201: UserChanged,
          400: UnusableInvite,
          403: Problem('Registration is not open to the caller.'),
        },
      },
    },
    async (request, reply) => {
      refuseForeignOrigin(context, request);
      const { name, email, password, invite_token = null } = request.body;
      const person = { name: name.trim(), email: requireAccountAddress(email), password };
      const { user, setCookie } = await registerAccount(context, request, person, invite_token);
      setCookie(reply);
      return reply.code(201).send(success('Welcome.', { user: presentUser(user, context) }));
    },
  );

  app.get(
    '/user',
    {
      config: { access: { kind: 'caller' } },
      schema: {
        tags,
        summary: 'Read the account behind the session or token',
        response: { 200: UserAnswer },
      },
    },
    async (request) => {
      const user = await findUser(context.db, callerOf(request).userId);
      if (!user) throw unauthenticated();
      return presentUser(user, context);
    },
  );

  app.put(
    '/user',
    {
      config: { access: { kind: 'session' } },
      schema: { tags, summary: 'Change your name', body: ProfileBody, response: { 200: UserChanged } },
    },
    async (request) => {
      const name = request.body.name.trim();
      const user = await context.db.transaction().execute(async (trx) => {
        const renamed = await renameUser(trx, callerOf(request).userId, name);
        if (!renamed) throw unauthenticated();
        await recordEvent(trx, actorOf(request), { verb: 'account.renamed' });
        return renamed;
      });
      return success('Your profile has been saved.', { user: presentUser(user, context) });
    },
  );

  app.put(
    '/user/password',
    {
      config: { access: { kind: 'session' } },
      schema: {
        tags,
        summary: 'Change or set your password and end all other sessions',
        body: ChangePasswordBody,
        response: { 200: Success },
      },
    },
    async (request) => {
      const { current_password = '', password } = request.body;
      const user = await requirePasswordOrNewSession(context, request, current_password);
      const passwordHash = await hashPassword(password);
      const { sessionHash } = callerOf(request);
      await context.db
        .transaction()
        .execute((trx) =>
          replacePassword(trx, user, { passwordHash, keptSession: sessionHash }, actorOf(request)),
        );
      return success('Your password has been changed.');
    },
  );

  app.delete(
    '/user',
    {
      config: { access: { kind: 'session' } },
      schema: {
        tags,
        summary: 'Delete your account',
        description:
          'Deletes the account, its sessions and tokens. Forms made in workspaces of others stay. 409 for the last ' +
          'admin or last member of a workspace, and for the only account of the installation.',
        body: DeleteAccountBody,
        response: { 200: Success },
      },
    },
    async (request, reply) => {
      const user = await requirePassword(context, request, request.body.current_password);
      await deleteOwnAccount(context.db, user.id, actorOf(request));
      clearSessionCookie(context, reply);
      return success('Your account has been deleted.');
    },
  );

  registerSignInRoutes(app, context);
  registerForgottenPasswordRoutes(app, context);
  registerEmailRoutes(app, context);
  registerSessionRoutes(app, context);
  registerSecondFactorRoutes(app, context);
}
