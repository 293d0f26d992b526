import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import { addError, type ErrorBag, isJsonObject } from '../../fields/property.ts';
import { serverEngines } from '../../fields/server-engines.ts';
import { type Access, formOf } from '../access/guard.ts';
import { FormParams } from '../access/path-params.ts';
import { actorOf } from '../audit/actor.ts';
import type { Context } from '../context.ts';
import { findProperties } from '../forms/queries.ts';
import type { App } from '../http/app-type.ts';
import { invalid } from '../http/errors.ts';
import { Success, success } from '../http/schemas/success.ts';
import { validationMessages } from '../http/schemas/validation-messages.ts';
import { isMailKind } from '../mail/mail-kinds.ts';
import type { Mailer } from '../mail/mailer.ts';
import { findMailServerOfForm } from '../mail/queries.ts';
import { checkIntegration, type IntegrationChanges } from './check-integration.ts';
import { presentIntegration } from './integration-data.ts';
import { integrationOf } from './named-integration.ts';
import { type IntegrationRow, listIntegrations } from './queries.ts';
import {
  changeIntegration,
  createIntegration,
  removeIntegration,
  type WantedIntegration,
} from './save-integration.ts';
import { Integration, IntegrationAnswer, IntegrationBody, IntegrationParams } from './schemas.ts';
import { NO_SECRETS, openIntegrationSecrets } from './secrets.ts';

const access: Access = { kind: 'form', ability: 'manage-integrations', role: 'user', in: 'path' };
const tags = ['Integrations'];

export function registerIntegrationRoutes(app: App, context: Context): void {
  app.get(
    '/open/forms/:form/integrations',
    {
      config: { access },
      schema: {
        tags,
        summary: 'List the integrations of a form',
        params: FormParams,
        response: { 200: Type.Array(Integration) },
      },
    },
    async (request) => {
      const rows = await listIntegrations(context.db, formOf(request).id);
      const mailer = await mailerOfForm(formOf(request));
      return rows.map((row) => presentIntegration(row, context, mailer));
    },
  );

  app.post(
    '/open/forms/:form/integrations',
    {
      config: { access },
      attachValidation: true,
      preValidation: normaliseData,
      schema: {
        tags,
        summary: 'Add an integration to a form',
        description:
          'New complete submissions are sent to `webhook_url`, or as mail. `status` is `active` when absent.',
        params: FormParams,
        body: IntegrationBody,
        response: { 200: IntegrationAnswer },
      },
    },
    async (request) => {
      const form = formOf(request);
      const wanted = await checkedBody(context, request, form.id, null);
      const row = await createIntegration(context, form, wanted, actorOf(request));
      return answer('Form Integration was created.', row, wanted.changes, await mailerOfForm(form));
    },
  );

  app.get(
    '/open/forms/:form/integrations/:integrationId',
    {
      config: { access },
      schema: {
        tags,
        summary: 'Read an integration',
        params: IntegrationParams,
        response: { 200: Integration },
      },
    },
    async (request) => {
      const row = await integrationOf(context, request);
      return presentIntegration(row, context, await mailerOfForm(formOf(request)));
    },
  );

  app.put(
    '/open/forms/:form/integrations/:integrationId',
    {
      config: { access },
      attachValidation: true,
      preValidation: normaliseData,
      schema: {
        tags,
        summary: 'Change an integration',
        description: 'Members of `data` that the body does not name stay as they are; null removes a member.',
        params: IntegrationParams,
        body: IntegrationBody,
        response: { 200: IntegrationAnswer },
      },
    },
    async (request) => {
      const stored = await integrationOf(context, request);
      const wanted = await checkedBody(context, request, stored.form_id, stored);
      const form = formOf(request);
      const row = await changeIntegration(context, form, stored, wanted, actorOf(request));
      return answer('Form Integration was updated.', row, wanted.changes, await mailerOfForm(form));
    },
  );

  app.delete(
    '/open/forms/:form/integrations/:integrationId',
    {
      config: { access },
      schema: {
        tags,
        summary: 'Delete an integration',
        description: 'Deliveries that still wait are cancelled.',
        params: IntegrationParams,
        response: { 200: Success },
      },
    },
    async (request) => {
      const stored = await integrationOf(context, request);
      await removeIntegration(context, formOf(request), stored, actorOf(request));
      return success('Form Integration was deleted.');
    },
  );

  async function mailerOfForm({ id }: { id: number }): Promise<Mailer> {
    return context.mailerOf(await findMailServerOfForm(context.db, id));
  }

  function answer(message: string, row: IntegrationRow, changes: IntegrationChanges, mailer: Mailer) {
    const form_integration = presentIntegration(row, context, mailer, changes);
    const { notice } = form_integration;
    return success(notice === null ? message : `${message} ${notice}`, { form_integration });
  }
}

/** PHP writes an empty object as an empty list. */
async function normaliseData({ body }: FastifyRequest): Promise<void> {
  if (isJsonObject(body) && Array.isArray(body.data) && body.data.length === 0) body.data = {};
}

/** @throws HttpError 422 with all problems of the body at once */
async function checkedBody(
  context: Context,
  request: FastifyRequest,
  formId: number,
  stored: IntegrationRow | null,
): Promise<WantedIntegration> {
  const body = isJsonObject(request.body) ? request.body : {};
  const { changes, errors } = checkIntegration(
    body,
    stored && (openIntegrationSecrets(context.secrets, stored.secrets_encrypted) ?? NO_SECRETS),
    {
      stored,
      allowedNetworks: context.config.webhookAllowedNetworks,
      properties: await findProperties(context.db, formId),
      engines: serverEngines,
    },
  );
  if (stored !== null && isOfAnotherKind(stored, body.integration_id))
    addError(errors, 'integration_id', 'What sends mail stays what it is. Add another integration instead.');
  const all = { ...envelopeErrors(request), ...errors };
  if (Object.keys(all).length > 0) throw invalid(all);
  return {
    changes,
    kind: body.integration_id as string,
    status: body.status as WantedIntegration['status'],
  };
}

/** Waiting deliveries are written for one kind, and make no sense to the other. */
function isOfAnotherKind({ integration_id: kind }: IntegrationRow, wanted: unknown): boolean {
  return kind !== wanted && (isMailKind(kind) || isMailKind(wanted));
}

/**
 * Problems that the schema finds in the body itself; the contents of `data` and `logic` are checked with the stored
 * values.
 */
function envelopeErrors({ validationError }: FastifyRequest): ErrorBag {
  const errors = validationMessages(validationError?.validation ?? []);
  return Object.fromEntries(Object.entries(errors).filter(([key]) => key !== 'logic' && !key.includes('.')));
}
