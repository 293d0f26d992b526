import { callerOf } from '../access/guard.ts';
import { requirePassword } from '../accounts/require-password.ts';
import { actorOf } from '../audit/actor.ts';
import type { Context } from '../context.ts';
import type { App } from '../http/app-type.ts';
import { HttpError, notFound } from '../http/errors.ts';
import { Problem } from '../http/schemas/problem.ts';
import { Success, success } from '../http/schemas/success.ts';
import { disconnect } from './connect.ts';
import { begin } from './flow.ts';
import { findConnection } from './queries.ts';
import { ConnectAnswer, ConnectionAnswer, PasswordBody } from './schemas.ts';

/** The screen of the dashboard where connections begin and end. */
const SECURITY_SCREEN = '/account/security';

/** Connects people's accounts with the provider of single sign-on. */
export function registerConnectionRoutes(app: App, context: Context): void {
  const tags = ['Accounts'];
  const config = { access: { kind: 'session' } } as const;
  const path = '/settings/single-sign-on';

  app.get(
    path,
    {
      config,
      schema: {
        tags,
        summary: 'Read whether you sign in by single sign-on',
        response: { 200: ConnectionAnswer },
      },
    },
    async (request) => {
      const connectedAt = await findConnection(context.db, callerOf(request).userId);
      return {
        provider: context.config.singleSignOn?.name ?? null,
        connected_at: connectedAt?.toISOString() ?? null,
      };
    },
  );

  app.post(
    path,
    {
      config,
      schema: {
        tags,
        summary: 'Begin to connect your account with the provider',
        description:
          'The connection is completed in the browser, within ten minutes. 409 when the account is connected already.',
        body: PasswordBody,
        response: { 200: ConnectAnswer, 404: Problem('No provider is set up.') },
      },
    },
    async (request, reply) => {
      const { singleSignOn } = context;
      if (!singleSignOn) throw notFound('Provider');
      const { id } = await requirePassword(context, request, request.body.current_password);
      if (await findConnection(context.db, id))
        throw new HttpError(409, 'Your account is connected already. Disconnect it first.');
      const way = { next: SECURITY_SCREEN, connects: id };
      return success('Go on at the provider.', {
        continue_at: await begin(context, singleSignOn, reply, way),
      });
    },
  );

  app.delete(
    path,
    {
      config,
      schema: {
        tags,
        summary: 'Disconnect your account from the provider',
        description:
          'Needs the password of the account, then its only way to sign in. All other sessions end.',
        body: PasswordBody,
        response: { 200: Success, 404: Problem('The account is not connected.') },
      },
    },
    async (request) => {
      const { id } = await requirePassword(context, request, request.body.current_password);
      const { sessionHash } = callerOf(request);
      await context.db.transaction().execute((trx) => disconnect(trx, id, sessionHash, actorOf(request)));
      return success('Your account is disconnected.');
    },
  );
}
