import { callerOf } from '../access/guard.ts';
import { guess } from '../access/guesses.ts';
import type { Context } from '../context.ts';
import type { App } from '../http/app-type.ts';
import { invalid, unauthenticated } from '../http/errors.ts';
import { requiredText } from '../http/required-text.ts';
import { Success, success } from '../http/success.ts';
import { requireEmail } from './email.ts';
import { hashPassword, verifyPassword } from './passwords.ts';
import {
  deleteOtherSessions,
  deleteSession,
  findUser,
  findUserByEmail,
  findUserWithPassword,
  renameUser,
  type User,
  updatePasswordHash,
} from './queries.ts';
import { registerAccount, registrationState } from './register-account.ts';
import {
  ChangePasswordBody,
  LoginBody,
  ProfileBody,
  RegisterBody,
  RegistrationAnswer,
  UserAnswer,
  UserChanged,
} from './schemas.ts';
import { clearSessionCookie, startSession } from './sessions.ts';

export function registerAccountRoutes(app: App, context: Context): void {
  const tags = ['Accounts'];

  app.get(
    '/registration',
    {
      config: { access: { kind: 'public' } },
      schema: { tags, summary: 'Who can register', response: { 200: RegistrationAnswer } },
    },
    async () => ({ registration: await registrationState(context.db, context.config.registration) }),
  );

  app.post(
    '/register',
    {
      config: { access: { kind: 'public' } },
      schema: { tags, summary: 'Register and sign in', body: RegisterBody, response: { 201: UserChanged } },
    },
    async (request, reply) => {
      const { name, email, password, invite_token = null } = request.body;
      const person = { name: requiredText('name', name), email: requireEmail(email), password };
      const user = await registerAccount(context, person, invite_token);
      await startSession(context, request, reply, user.id);
      return reply.code(201).send(success('Welcome.', { user: presentUser(user) }));
    },
  );

  app.post(
    '/login',
    {
      config: { access: { kind: 'public' } },
      schema: {
        tags,
        summary: 'Sign in with a session cookie',
        body: LoginBody,
        response: { 200: UserChanged },
      },
    },
    async (request, reply) => {
      const { email, password } = request.body;
      const user = await findUserByEmail(context.db, email.trim());
      const isRight = await guess(context.db, guessSubject(email), request.ip, () =>
        verifyPassword(password, user?.password_hash ?? null),
      );
      if (!user || !isRight) throw invalid({ email: ['The email address or the password is wrong.'] });
      await startSession(context, request, reply, user.id);
      return success('You are signed in.', { user: presentUser(user) });
    },
  );

  app.post(
    '/logout',
    {
      config: { access: { kind: 'session' } },
      schema: { tags, summary: 'End this session', response: { 200: Success } },
    },
    async (request, reply) => {
      const { sessionHash } = callerOf(request);
      if (sessionHash) await deleteSession(context.db, sessionHash);
      clearSessionCookie(context, reply);
      return success('You are signed out.');
    },
  );

  app.get(
    '/user',
    {
      config: { access: { kind: 'caller' } },
      schema: { tags, summary: 'The person behind the session or token', response: { 200: UserAnswer } },
    },
    async (request) => {
      const user = await findUser(context.db, callerOf(request).userId);
      if (!user) throw unauthenticated();
      return presentUser(user);
    },
  );

  app.put(
    '/user',
    {
      config: { access: { kind: 'session' } },
      schema: { tags, summary: 'Change one’s name', body: ProfileBody, response: { 200: UserChanged } },
    },
    async (request) => {
      const name = requiredText('name', request.body.name);
      const user = await renameUser(context.db, callerOf(request).userId, name);
      if (!user) throw unauthenticated();
      return success('Your profile has been saved.', { user: presentUser(user) });
    },
  );

  app.put(
    '/user/password',
    {
      config: { access: { kind: 'session' } },
      schema: {
        tags,
        summary: 'Change one’s password and end all other sessions',
        body: ChangePasswordBody,
        response: { 200: Success },
      },
    },
    async (request) => {
      const { userId, sessionHash } = callerOf(request);
      const { current_password, password } = request.body;
      const user = await findUserWithPassword(context.db, userId);
      if (!user) throw unauthenticated();
      const isRight = await guess(context.db, guessSubject(user.email), request.ip, () =>
        verifyPassword(current_password, user.password_hash),
      );
      if (!isRight) throw invalid({ current_password: ['The current password is wrong.'] });
      const passwordHash = await hashPassword(password);
      await context.db.transaction().execute(async (trx) => {
        await updatePasswordHash(trx, userId, passwordHash);
        await deleteOtherSessions(trx, userId, sessionHash);
      });
      return success('Your password has been changed.');
    },
  );
}

function guessSubject(email: string): string {
  return `account:${email.trim().toLowerCase()}`;
}

function presentUser({ id, name, email, created_at }: User) {
  return { id, name, email, created_at: created_at.toISOString() };
}
