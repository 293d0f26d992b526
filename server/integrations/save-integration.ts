import type { JsonValue } from '../../fields/property.ts';
import type { NamedForm } from '../access/queries.ts';
import type { Actor } from '../audit/actor.ts';
import { recordEvent } from '../audit/record-event.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../db/database.ts';
import { endpointChangesInForce } from '../deliveries/endpoints.ts';
import { bringForward } from '../deliveries/queries.ts';
import { lockFormIn } from '../forms/lock-form.ts';
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
import { openIntegrationSecrets } from './secrets.ts';

/** Integrations of one form. */
const MAX_INTEGRATIONS = 50;

type AddressData = { webhook_url?: JsonValue; recipients?: JsonValue };
type IntegrationStatus = IntegrationValues['status'];

/** The result of a checked request. */
export interface WantedIntegration {
  kind: string;
  /** undefined: active for a new one, unchanged for a stored one. */
  status: IntegrationStatus | undefined;
  changes: IntegrationChanges;
}

/** @throws HttpError 409 when the form was moved meanwhile, 422 when it has the maximum of integrations */
export function createIntegration(
  context: Context,
  form: NamedForm,
  { kind, status = 'active', changes }: WantedIntegration,
  actor: Actor,
): Promise<IntegrationRow> {
  const { id: formId } = form;
  return changeIntegrations(context, form, async (trx) => {
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

/** @throws HttpError 404 when the integration was deleted meanwhile, 409 when its form was moved, 422 as `mergeChanges` */
export async function changeIntegration(
  context: Context,
  form: NamedForm,
  { form_id: formId, id }: IntegrationRow,
  { kind, status, changes }: WantedIntegration,
  actor: Actor,
): Promise<IntegrationRow> {
  const changed = await changeIntegrations(context, form, async (trx) => {
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
    const after = await updateIntegration(trx, row, values, forgotten);
    const areReadable = ({ secrets_encrypted: sealed }: IntegrationRow) =>
      openIntegrationSecrets(context.secrets, sealed) !== null;
    // What has waited for the secrets need not wait for its next turn, up to a day.
    if (!areReadable(row) && areReadable(after)) await bringForward(trx, after);
    const details = changesOfIntegration(context.secrets, row, after);
    await recordEvent(trx, actor, { verb: 'integration.changed', formId, target: targetOf(after), details });
    return after;
  });
  await endpointChangesInForce();
  return changed;
}

/** @throws HttpError 404 when the form has no such integration, 409 when it was moved meanwhile */
export async function removeIntegration(
  context: Context,
  form: NamedForm,
  { form_id: formId, id }: IntegrationRow,
  actor: Actor,
): Promise<void> {
  await changeIntegrations(context, form, async (trx) => {
    const row = await lockIntegration(trx, formId, id);
    if (!row || !(await deleteIntegration(trx, formId, id))) throw notFound('Integration');
    await recordEvent(trx, actor, { verb: 'integration.deleted', formId, target: targetOf(row) });
  });
  await endpointChangesInForce();
}

/**
 * Runs a change of the form's integrations. It locks the form's row first: two changes never interleave, and submissions
 * checked against the former integrations are checked again.
 * @throws HttpError 404, or 409 when the form was moved meanwhile
 */
export async function changeIntegrations<T>(
  context: Context,
  form: NamedForm,
  change: (trx: Transaction) => Promise<T>,
): Promise<T> {
  const result = await context.db.transaction().execute(async (trx) => {
    await lockFormIn(trx, form);
    await bumpFormRevision(trx, form.id);
    return change(trx);
  });
  context.publishedForms.forget(form.id);
  return result;
}

/** @param key member that the error names @throws HttpError 422 when the form has the maximum of integrations */
export async function refuseTooMany(trx: Transaction, formId: number, key: string): Promise<void> {
  if ((await countIntegrations(trx, formId)) >= MAX_INTEGRATIONS)
    throw invalid({ [key]: [`A form may not have more than ${MAX_INTEGRATIONS} integrations.`] });
}

/** An integration in the audit log: its number, and the chat it writes to or its provider. */
export function targetOf({
  id,
  integration_id: provider,
  data,
}: Pick<IntegrationRow, 'id' | 'integration_id' | 'data'>) {
  const { format } = data as { format?: string };
  return { id, name: format ?? provider };
}

/** Whether deliveries go to another receiver, so that failures of the old one say nothing about it. */
function goesElsewhere(before: AddressData, after: AddressData): boolean {
  const addresses = ({ webhook_url, recipients }: AddressData) => JSON.stringify([webhook_url, recipients]);
  return addresses(before) !== addresses(after);
}
