import type { FastifyRequest } from 'fastify';
import { callerOf } from '../access/guard.ts';
import { actorOf } from '../audit/actor.ts';
import type { Context } from '../context.ts';
import type { App } from '../http/app-type.ts';
import { notFound } from '../http/errors.ts';
import { Problem } from '../http/schemas/problem.ts';
import { Success, success } from '../http/schemas/success.ts';
import { requirePassword } from './require-password.ts';
import {
  ConfirmBody,
  EnrolBody,
  Enrolled,
  PasswordAndCodeBody,
  RecoveryCodes,
  SecondFactorState,
} from './schemas.ts';
import { confirm, disable, enrol, renewRecoveryCodes, requireCode } from './second-factor.ts';
import { findSecondFactor, hasSecondFactor } from './second-factor-queries.ts';

const NoFactor = Problem('The account has no second factor.');

/** Time-based codes (RFC 6238) beside the password. */
export function registerSecondFactorRoutes(app: App, context: Context): void {
  const tags = ['Accounts'];
  const config = { access: { kind: 'session' } } as const;

  app.get(
    '/settings/second-factor',
    {
      config,
      schema: {
        tags,
        summary: 'Read whether you sign in with a second factor',
        response: { 200: SecondFactorState },
      },
    },
    async (request) => {
      const factor = await findSecondFactor(context.db, callerOf(request).userId);
      return {
        enabled: factor?.confirmed_at != null,
        confirmed_at: factor?.confirmed_at?.toISOString() ?? null,
        recovery_codes_left: factor?.codesLeft ?? 0,
      };
    },
  );

  app.post(
    '/settings/second-factor',
    {
      config,
      schema: {
        tags,
        summary: 'Begin to use a second factor',
        description: 'It takes effect once a code has confirmed it.',
        body: EnrolBody,
        response: { 200: Enrolled },
      },
    },
    async (request) => {
      const user = await requirePassword(context, request, request.body.current_password);
      return success(
        'Add the secret to your authenticator and confirm it with a code.',
        await enrol(context, user),
      );
    },
  );

  app.post(
    '/settings/second-factor/confirm',
    {
      config,
      schema: {
        tags,
        summary: 'Confirm the second factor with a code',
        description: 'From then on, signing in needs a code. All other sessions end.',
        body: ConfirmBody,
        response: { 200: RecoveryCodes, 404: NoFactor },
      },
    },
    async (request) => {
      const codes = await confirm(context, callerOf(request), request.body.code, actorOf(request));
      return success('The second factor is on. Keep the recovery codes in a safe place.', {
        recovery_codes: codes,
      });
    },
  );

  app.post(
    '/settings/second-factor/recovery-codes',
    {
      config,
      schema: {
        tags,
        summary: 'Make ten new recovery codes and void the former ones',
        body: PasswordAndCodeBody,
        response: { 200: RecoveryCodes, 404: NoFactor },
      },
    },
    async (request) => {
      await requireBoth(request, request.body);
      const codes = await renewRecoveryCodes(context.db, callerOf(request).userId, actorOf(request));
      return success('Keep the recovery codes in a safe place.', { recovery_codes: codes });
    },
  );

  app.delete(
    '/settings/second-factor',
    {
      config,
      schema: {
        tags,
        summary: 'Stop using the second factor',
        body: PasswordAndCodeBody,
        response: { 200: Success, 404: NoFactor },
      },
    },
    async (request) => {
      await requireBoth(request, request.body);
      await disable(context.db, callerOf(request).userId, actorOf(request));
      return success('The second factor is off.');
    },
  );

  async function requireBoth(request: FastifyRequest, body: { current_password: string; code: string }) {
    const user = await requirePassword(context, request, body.current_password);
    if (!(await hasSecondFactor(context.db, user.id))) throw notFound('Second factor');
    await requireCode(context, user.id, body.code, actorOf(request));
  }
}
