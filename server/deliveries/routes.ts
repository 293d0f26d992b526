import type { FastifyRequest, FastifySchemaValidationError } from 'fastify';
import Type from 'typebox';
import { type Access, formOf } from '../access/guard.ts';
import { actorOf } from '../audit/actor.ts';
import { type AuditDetails, recordEvent } from '../audit/record-event.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../db/database.ts';
import { holdFormIn } from '../forms/lock-form.ts';
import type { App } from '../http/app-type.ts';
import { invalid, notFound } from '../http/errors.ts';
import { requireObject } from '../http/request/check-body.ts';
import { requireId } from '../http/schemas/ids.ts';
import { readMoment } from '../http/schemas/moments.ts';
import { Success, success } from '../http/schemas/success.ts';
import { validationMessages } from '../http/schemas/validation-messages.ts';
import { integrationOf } from '../integrations/named-integration.ts';
import type { IntegrationRow } from '../integrations/queries.ts';
import { targetOf } from '../integrations/save-integration.ts';
import { IntegrationParams } from '../integrations/schemas.ts';
import { presentAttempt, presentEvent } from './present-attempt.ts';
import { presentDelivery } from './present-delivery.ts';
import {
  attemptsOf,
  countDeliveries,
  type DeliveryKey,
  findDelivery,
  listAttempts,
  listDeliveries,
  replayDeliveries,
  replayDelivery,
} from './queries.ts';
import {
  DeliveriesQuery,
  Delivery,
  DeliveryCounts,
  DeliveryCountsQuery,
  DeliveryParams,
  DeliveryWithAttempts,
  Event,
  EventsQuery,
  ReplayBody,
  TestResult,
} from './schemas.ts';
import { sendTestDelivery } from './test-delivery.ts';

const access: Access = { kind: 'form', ability: 'manage-integrations', role: 'user', in: 'path' };
const tags = ['Deliveries'];
const DEFAULT_LIMIT = 100;
const PATH = '/open/forms/:form/integrations/:integrationId';

export function registerDeliveryRoutes(app: App, context: Context): void {
  const { db, dispatcher } = context;

  app.get(
    `${PATH}/events`,
    {
      config: { access },
      schema: {
        tags,
        summary: 'List delivery attempts',
        description: 'Latest first, kept for 30 days.',
        params: IntegrationParams,
        querystring: EventsQuery,
        response: { 200: Type.Array(Event) },
      },
    },
    async (request) => {
      const integration = await integrationOf(context, request);
      const { limit = DEFAULT_LIMIT, before } = request.query;
      const attempts = await listAttempts(db, keyOf(integration), { limit, before: parseEventId(before) });
      return attempts.map(presentEvent);
    },
  );

  app.get(
    `${PATH}/deliveries`,
    {
      config: { access },
      schema: {
        tags,
        summary: 'List deliveries',
        description:
          'Latest first. `exhausted`: all 12 attempts failed. `cancelled`: the integration was deleted, or the delivery was waiting in a backup that was restored.',
        params: IntegrationParams,
        querystring: DeliveriesQuery,
        response: { 200: Type.Array(Delivery) },
      },
    },
    async (request) => {
      const integration = await integrationOf(context, request);
      const { limit = DEFAULT_LIMIT, before = null, state = null, ...range } = request.query;
      const page = { limit, before, state, ...rangeOf(range) };
      const deliveries = await listDeliveries(db, keyOf(integration), page);
      return deliveries.map(presentDelivery);
    },
  );

  app.get(
    `${PATH}/deliveries/count`,
    {
      config: { access },
      schema: {
        tags,
        summary: 'Count deliveries by state',
        description: 'Counts what a replay of the same time would send again.',
        params: IntegrationParams,
        querystring: DeliveryCountsQuery,
        response: { 200: DeliveryCounts },
      },
    },
    async (request) => {
      const integration = await integrationOf(context, request);
      const rows = await countDeliveries(db, keyOf(integration), rangeOf(request.query));
      const counts = Object.fromEntries(rows.map(({ state, count }) => [state, count]));
      return { pending: 0, delivered: 0, exhausted: 0, cancelled: 0, ...counts };
    },
  );

  app.get(
    `${PATH}/deliveries/:deliveryId`,
    {
      config: { access },
      schema: {
        tags,
        summary: 'Read a delivery with its attempts',
        params: DeliveryParams,
        response: { 200: DeliveryWithAttempts },
      },
    },
    async (request) => {
      const key = deliveryKeyOf(await integrationOf(context, request), request.params.deliveryId);
      const delivery = await findDelivery(db, key);
      if (!delivery) throw notFound('Delivery');
      const attempts = await attemptsOf(db, key);
      return { ...presentDelivery(delivery), body: delivery.body, attempt_log: attempts.map(presentAttempt) };
    },
  );

  app.post(
    `${PATH}/deliveries/:deliveryId/replay`,
    {
      config: { access },
      schema: {
        tags,
        summary: 'Send a delivery again',
        description:
          'Sends the same body with the same `webhook-id`, whatever its state. All 12 attempts start again.',
        params: DeliveryParams,
        response: { 200: Success },
      },
    },
    async (request) => {
      const integration = await integrationOf(context, request);
      const key = deliveryKeyOf(integration, request.params.deliveryId);
      await db.transaction().execute(async (trx) => {
        await holdFormIn(trx, formOf(request));
        if (!(await replayDelivery(trx, key))) throw notFound('Delivery');
        await note(trx, request, integration, {
          verb: 'delivery.replayed',
          details: { delivery_id: key.id },
        });
      });
      dispatcher.wake([integration.id]);
      return success(`The delivery is sent again${whenOf(integration)}.`);
    },
  );

  app.post(
    `${PATH}/deliveries/replay`,
    {
      config: { access },
      attachValidation: true,
      schema: {
        tags,
        summary: 'Send all deliveries since a time again',
        description: 'Deliveries in any state, unless one is named. Those that still wait are sent at once.',
        params: IntegrationParams,
        body: ReplayBody,
        response: { 200: Type.Object({ ...Success.properties, count: Type.Integer() }) },
      },
    },
    async (request) => {
      const integration = await integrationOf(context, request);
      requireObject(request.body);
      const { since, until, state = null } = request.body;
      const moments = rangeOf(request.body, request.validationError?.validation);
      // The schema requires `since`.
      const range = { ...moments, since: moments.since as Date, state };
      // Recorded first: a long replay takes many transactions, and must be on record even if it is interrupted.
      const details = { since, until: until ?? null, state };
      await db.transaction().execute(async (trx) => {
        await holdFormIn(trx, formOf(request));
        await note(trx, request, integration, { verb: 'delivery.replayed', details });
      });
      const count = await replayDeliveries(db, keyOf(integration), range);
      // If it was deleted meanwhile, nothing is sent: what was replayed before is cancelled with the rest.
      await integrationOf(context, request);
      dispatcher.wake([integration.id]);
      const noun = count === 1 ? '1 delivery is' : `${count} deliveries are`;
      return success(`${noun} sent again${whenOf(integration)}.`, { count });
    },
  );

  app.post(
    `${PATH}/test`,
    {
      config: { access },
      schema: {
        tags,
        summary: 'Send a test delivery',
        description:
          'Sends made-up answers once and returns what was sent and what was received. The delivery log does not ' +
          'list it. A confirmation goes to the caller.',
        params: IntegrationParams,
        response: { 200: TestResult },
      },
    },
    async (request) => {
      const integration = await integrationOf(context, request);
      await db.transaction().execute(async (trx) => {
        await holdFormIn(trx, formOf(request));
        await note(trx, request, integration, { verb: 'integration.tested' });
      });
      return sendTestDelivery(context, integration, actorOf(request).userId);
    },
  );
}

function note(
  trx: Transaction,
  request: FastifyRequest,
  integration: IntegrationRow,
  { verb, details }: { verb: 'delivery.replayed' | 'integration.tested'; details?: AuditDetails },
): Promise<void> {
  const target = targetOf(integration);
  const event = { verb, formId: integration.form_id, target, ...(details && { details }) };
  return recordEvent(trx, actorOf(request), event);
}

function keyOf({ form_id, id }: IntegrationRow) {
  return { formId: form_id, integrationId: id };
}

/**
 * @param problems found by the schema, to be reported together with those found here
 * @throws HttpError 422
 */
function rangeOf(
  texts: { since?: string; until?: string },
  problems: readonly FastifySchemaValidationError[] = [],
) {
  const errors = validationMessages(problems);
  const read = (key: 'since' | 'until') => {
    const text = texts[key];
    const moment = typeof text === 'string' ? readMoment(text) : null;
    if (text !== undefined && !moment) errors[key] ??= [`The ${key} is not a valid date.`];
    return moment;
  };
  const range = { since: read('since'), until: read('until') };
  if (Object.keys(errors).length > 0) throw invalid(errors);
  return range;
}

function deliveryKeyOf(integration: IntegrationRow, deliveryId: string): DeliveryKey {
  return { ...keyOf(integration), id: requireId(deliveryId, 'Delivery') };
}

function parseEventId(id: string | undefined): { deliveryId: number; attempt: number } | null {
  if (id === undefined) return null;
  const [deliveryId, attempt] = id.split('-').map(Number);
  return { deliveryId: deliveryId ?? 0, attempt: attempt ?? 0 };
}

function whenOf({ status }: IntegrationRow): string {
  return status === 'active' ? '' : ' as soon as the integration is active';
}
