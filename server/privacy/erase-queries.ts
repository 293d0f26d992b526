import { sql } from 'kysely';
import type { Transaction } from '../db/database.ts';
import { noteRemovedDeliveries } from '../submissions/queries.ts';
import { type PersonValue, richTextIds } from './person-value.ts';
import { mayHold, type PersonDraft, type PersonForm } from './search-queries.ts';

/** Numbers of erased items by kind. */
export interface ErasedCounts {
  submissions: number;
  /** Submissions that stay, without their former answers. */
  changes: number;
  files: number;
  deliveries: number;
  exports: number;
  drafts: number;
  invites: number;
  recipients: number;
}

interface NewErasure {
  workspaceId: number;
  valueHash: string;
  valueKind: string;
  /** null for the operator's command. */
  userId: number | null;
  tokenId: number | null;
}

/** @returns its id */
export async function insertErasure(trx: Transaction, erasure: NewErasure): Promise<number> {
  const { workspaceId, valueHash, valueKind, userId, tokenId } = erasure;
  const row = await trx
    .insertInto('erasures')
    .values({
      workspace_id: workspaceId,
      value_hash: valueHash,
      value_kind: valueKind,
      user_id: userId,
      token_id: tokenId,
      counts: '{}',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

export async function saveErasedCounts(trx: Transaction, id: number, counts: ErasedCounts): Promise<void> {
  await trx
    .updateTable('erasures')
    .set({ counts: JSON.stringify(counts) })
    .where('id', '=', id)
    .execute();
}

/** The number of files in these submissions. */
export async function countFiles(trx: Transaction, formId: number, ids: number[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from uploads where form_id = ${formId} and removed_at is null and submission_public_id in (
      select public_id from kept_submissions where form_id = ${formId} and id = any(${ids}::bigint[]))`.execute(
    trx,
  );
  return rows[0]?.count ?? 0;
}

/**
 * Deletes deliveries of these submissions from before the value was changed, sent or not. It does not search their
 * bodies: each chat has its own format.
 * @returns how many there were
 */
export async function deleteDeliveriesBefore(
  trx: Transaction,
  { id: formId, properties }: Pick<PersonForm, 'id' | 'properties'>,
  ids: number[],
  value: PersonValue,
): Promise<number> {
  const rich = richTextIds(properties);
  const { rows } = await sql<{ deliveries: number; unsent: number }>`
    with held as (
      select submission_id, max(changed_at) as held_until from submission_changes
      where form_id = ${formId} and submission_id = any(${ids}::bigint[]) and ${mayHold('answers', value, rich)}
      group by submission_id
    ),
    -- in the order of whoever records attempts, so that neither stops the other
    locked as materialized (
      select deliveries.id from deliveries join held using (submission_id)
      where form_id = ${formId} and created_at < held_until order by deliveries.id for update of deliveries
    ),
    gone as (
      delete from deliveries where form_id = ${formId} and id in (select id from locked) returning id, state
    ),
    forgotten as (
      delete from delivery_attempts where form_id = ${formId} and delivery_id in (select id from gone)
    )
    select count(*) as deliveries, count(*) filter (where state = 'pending') as unsent from gone`.execute(
    trx,
  );
  const { deliveries = 0, unsent = 0 } = rows[0] ?? {};
  if (unsent > 0) await noteRemovedDeliveries(trx, formId);
  return deliveries;
}

/** @returns how many were still there */
export async function deleteDrafts(trx: Transaction, drafts: PersonDraft[]): Promise<number> {
  let count = 0;
  for (const { form_id, id_hash } of drafts) {
    const { numDeletedRows } = await trx
      .deleteFrom('form_drafts')
      .where('form_id', '=', form_id)
      .where('id_hash', '=', id_hash)
      .executeTakeFirst();
    count += Number(numDeletedRows);
  }
  return count;
}

/** @returns how many were still there */
export async function deleteInvites(trx: Transaction, ids: number[]): Promise<number> {
  if (ids.length === 0) return 0;
  const { numDeletedRows } = await trx
    .deleteFrom('workspace_invites')
    .where('id', 'in', ids)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** @returns how many were still there */
export async function deleteRecipients(trx: Transaction, ids: number[]): Promise<number> {
  if (ids.length === 0) return 0;
  const { numDeletedRows } = await trx.deleteFrom('recipients').where('id', 'in', ids).executeTakeFirst();
  return Number(numDeletedRows);
}
