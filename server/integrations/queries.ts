import { type Selectable, sql } from 'kysely';
import type { Db, Transaction } from '../db/database.ts';
import type { Integrations } from '../db/schema.ts';

export type IntegrationRow = Selectable<Integrations>;

/** Values stored for an integration; `logic` is a group of conditions or null. */
export interface IntegrationValues {
  /** `integration_id` of the API: `webhook`, or the word of a provider. */
  kind: string;
  status: 'active' | 'inactive';
  data: object;
  secretsEncrypted: Buffer | null;
  logic: unknown;
}

export function listIntegrations(db: Db, formId: number): Promise<IntegrationRow[]> {
  return db.selectFrom('integrations').selectAll().where('form_id', '=', formId).orderBy('id').execute();
}

/** null, too, for an integration of another form. */
export async function findIntegration(db: Db, formId: number, id: number): Promise<IntegrationRow | null> {
  const query = db.selectFrom('integrations').selectAll().where('form_id', '=', formId).where('id', '=', id);
  return (await query.executeTakeFirst()) ?? null;
}

/** Finds an integration like `findIntegration`, and locks it until the transaction ends. */
export async function lockIntegration(
  trx: Transaction,
  formId: number,
  id: number,
): Promise<IntegrationRow | null> {
  const query = trx.selectFrom('integrations').selectAll().where('form_id', '=', formId).where('id', '=', id);
  return (await query.forUpdate().executeTakeFirst()) ?? null;
}

export async function countIntegrations(db: Db, formId: number): Promise<number> {
  const { count } = await db
    .selectFrom('integrations')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('form_id', '=', formId)
    .executeTakeFirstOrThrow();
  return count;
}

export function insertIntegration(
  trx: Transaction,
  formId: number,
  values: IntegrationValues,
): Promise<IntegrationRow> {
  return trx
    .insertInto('integrations')
    .values({ form_id: formId, ...columns(values) })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Notes of the service about an integration, which a change by the owner clears. */
interface Forgotten {
  /** Since when it fails: deliveries now go elsewhere, or are to be sent again. */
  failures: boolean;
  /** Why the service made it inactive: the owner has decided on the status again. */
  reason: boolean;
}

export function updateIntegration(
  trx: Transaction,
  { form_id: formId, id }: Pick<IntegrationRow, 'form_id' | 'id'>,
  values: IntegrationValues,
  forgotten: Forgotten,
): Promise<IntegrationRow> {
  return trx
    .updateTable('integrations')
    .set({ ...columns(values), updated_at: sql`now()` })
    .$if(forgotten.failures, (query) => query.set({ failing_since: null }))
    .$if(forgotten.reason, (query) => query.set({ inactive_reason: null }))
    .where('form_id', '=', formId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Changes the conditions of an integration, and nothing else. */
export async function setLogic(
  trx: Transaction,
  { form_id: formId, id }: Pick<IntegrationRow, 'form_id' | 'id'>,
  logic: unknown,
): Promise<void> {
  await trx
    .updateTable('integrations')
    .set({ logic: JSON.stringify(logic), updated_at: sql`now()` })
    .where('form_id', '=', formId)
    .where('id', '=', id)
    .execute();
}

/** @returns false when there was none */
export async function deleteIntegrationRow(trx: Transaction, formId: number, id: number): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('integrations')
    .where('form_id', '=', formId)
    .where('id', '=', id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

function columns({ kind, status, data, secretsEncrypted, logic }: IntegrationValues) {
  return {
    integration_id: kind,
    status,
    data: JSON.stringify(data),
    secrets_encrypted: secretsEncrypted,
    logic: logic === null ? null : JSON.stringify(logic),
  };
}
