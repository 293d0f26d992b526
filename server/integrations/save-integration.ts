import type { JsonValue } from '../../fields/property.ts';
import type { Actor } from '../audit/actor.ts';
import { recordEvent } from '../audit/record-event.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../db/database.ts';
import { endpointChangesInForce } from '../deliveries/endpoints.ts';
import { bumpFormRevision } from '../forms/queries.ts';
import { invalid, notFound } from '../http/errors.ts';
import { changesOfIntegration, describeIntegration } from './changes-of-integration.ts';
import type { IntegrationChanges } from './check-integration.ts';
import { deleteIntegration } from './delete-integration.ts';
import { mergeChanges } from './merge-changes.ts';
import {
  countIntegrations,
  type IntegrationRow,
  type IntegrationValues,
  insertIntegration,
  lockIntegration,
  updateIntegration,
} from './queries.ts';

/** Integrations of one form. */
const MAX_INTEGRATIONS = 50;

type AddressData = { webhook_url?: JsonValue; recipients?: JsonValue };
type IntegrationStatus = IntegrationValues['status'];

/** What a request that was checked asks for. */
export interface WantedIntegration {
  kind: string;
  /** undefined: a new one is active, and one that is there stays what it is. */
  status: IntegrationStatus | undefined;
  changes: IntegrationChanges;
}

/** @throws HttpError 422 when the form has all the integrations it may have. */
export function createIntegration(
  context: Context,
  formId: number,
  { kind, status = 'active', changes }: WantedIntegration,
  actor: Actor,
): Promise<IntegrationRow> {
  return changeIntegrations(context, formId, async (trx) => {
    await refuseTooMany(trx, formId, 'integration_id');
    const row = await insertIntegration(trx, formId, {
      kind,
      status,
      ...mergeChanges(context.secrets, null, changes),
      logic: changes.logic ?? null,
    });
    const details = describeIntegration(context.secrets, row);
    await recordEvent(trx, actor, { verb: 'integration.created', formId, target: targetOf(row), details });
    return row;
  });
}

/** @throws HttpError 404 when the integration has been deleted meanwhile, 422 when it has not what masks stand for. */
export async function changeIntegration(
  context: Context,
  { form_id: formId, id }: IntegrationRow,
  { kind, status, changes }: WantedIntegration,
  actor: Actor,
): Promise<IntegrationRow> {
  const changed = await changeIntegrations(context, formId, async (trx) => {
    const row = await lockIntegration(trx, formId, id);
    if (!row) throw notFound('Integration');
    const values = {
      kind,
      status: status ?? (row.status as IntegrationStatus),
      ...mergeChanges(context.secrets, row, changes),
      logic: changes.logic === undefined ? row.logic : changes.logic,
    };
    const isDecided = status !== undefined;
    const forgotten = {
      failures: isDecided || goesElsewhere(row.data as AddressData, values.data),
      reason: isDecided,
    };
    const after = await updateIntegration(trx, formId, id, values, forgotten);
    const details = changesOfIntegration(context.secrets, row, after);
    await recordEvent(trx, actor, { verb: 'integration.changed', formId, target: targetOf(after), details });
    return after;
  });
  await endpointChangesInForce();
  return changed;
}

/** @throws HttpError 404 when there is no such integration in the form. */
export async function removeIntegration(
  context: Context,
  { form_id: formId, id }: IntegrationRow,
  actor: Actor,
): Promise<void> {
  await changeIntegrations(context, formId, async (trx) => {
    const row = await lockIntegration(trx, formId, id);
    if (!row || !(await deleteIntegration(trx, formId, id))) throw notFound('Integration');
    await recordEvent(trx, actor, { verb: 'integration.deleted', formId, target: targetOf(row) });
  });
  await endpointChangesInForce();
}

/**
 * Runs a change of the form's integrations. The form's row is locked first, so that two changes never interleave, and
 * submissions that were checked against the former integrations are checked again.
 */
export async function changeIntegrations<T>(
  context: Context,
  formId: number,
  change: (trx: Transaction) => Promise<T>,
): Promise<T> {
  const result = await context.db.transaction().execute(async (trx) => {
    await bumpFormRevision(trx, formId);
    return change(trx);
  });
  context.publishedForms.forget(formId);
  return result;
}

/** @param key what the problem is told of. @throws HttpError 422 when the form has all the integrations it may have. */
export async function refuseTooMany(trx: Transaction, formId: number, key: string): Promise<void> {
  if ((await countIntegrations(trx, formId)) >= MAX_INTEGRATIONS)
    throw invalid({ [key]: [`A form may not have more than ${MAX_INTEGRATIONS} integrations.`] });
}

/** An integration in the audit log: its number, and the provider it is of. */
export function targetOf(row: { id: number; integration_id: string }) {
  return { id: row.id, name: row.integration_id };
}

/** Whether another receiver gets the deliveries, of which the failures of the old one say nothing. */
function goesElsewhere(before: AddressData, after: AddressData): boolean {
  const addresses = ({ webhook_url, recipients }: AddressData) => JSON.stringify([webhook_url, recipients]);
  return addresses(before) !== addresses(after);
}
