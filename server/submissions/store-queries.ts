import { sql } from 'kysely';
import type { Answers } from '../../fields/property.ts';
import type { Db, Transaction } from '../db/database.ts';
import { type NewDelivery, wholeBody } from '../deliveries/payload.ts';

interface UsedKey {
  bodyHash: Buffer;
  submissionPublicId: string;
  wasPartial: boolean;
  wasFirst: boolean;
}

/** The use of an Idempotency-Key, or null while it is unused. */
export async function findUsedKey(db: Db, formId: number, key: string): Promise<UsedKey | null> {
  const row = await db
    .selectFrom('idempotency_keys')
    .select(['body_hash', 'submission_public_id', 'was_partial', 'was_first'])
    .where('form_id', '=', formId)
    .where('key', '=', key)
    .executeTakeFirst();
  if (!row) return null;
  return {
    bodyHash: row.body_hash,
    submissionPublicId: row.submission_public_id,
    wasPartial: row.was_partial,
    wasFirst: row.was_first,
  };
}

/** @returns false when the key was used meanwhile. */
export async function insertUsedKey(
  trx: Transaction,
  formId: number,
  key: string,
  use: UsedKey,
): Promise<boolean> {
  const inserted = await trx
    .insertInto('idempotency_keys')
    .values({
      form_id: formId,
      key,
      body_hash: use.bodyHash,
      submission_public_id: use.submissionPublicId,
      was_partial: use.wasPartial,
      was_first: use.wasFirst,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('key')
    .executeTakeFirst();
  return inserted !== undefined;
}

export interface FormGate {
  workspaceId: number;
  revision: number;
  completedCount: number;
  maxSubmissionsCount: number | null;
}

/** Locks the counters of a form as the intake does: until the transaction ends, nobody else stores or deletes submissions there. */
export async function lockFormGate(trx: Transaction, formId: number): Promise<FormGate | null> {
  const row = await trx
    .selectFrom('form_counters')
    .innerJoin('forms', 'forms.id', 'form_counters.form_id')
    .select([
      'forms.workspace_id',
      'forms.revision',
      'form_counters.completed_count',
      'forms.max_submissions_count',
    ])
    .where('form_counters.form_id', '=', formId)
    .forNoKeyUpdate('form_counters')
    .forShare('forms')
    .executeTakeFirst();
  if (!row) return null;
  return {
    workspaceId: row.workspace_id,
    revision: row.revision,
    completedCount: row.completed_count,
    maxSubmissionsCount: row.max_submissions_count,
  };
}

export async function addToCounters(
  trx: Transaction,
  formId: number,
  completed: number,
  partial: number,
): Promise<void> {
  await trx
    .updateTable('form_counters')
    .set({
      completed_count: sql`completed_count + ${completed}`,
      partial_count: sql`partial_count + ${partial}`,
    })
    .where('form_id', '=', formId)
    .execute();
}

export interface StoredAnswers {
  publicId: string;
  status: 'completed' | 'partial';
  answers: Answers;
  completionTime: number | null;
  /** Id of the ending that it reaches; null for none. */
  ending: string | null;
}

interface Origin {
  attribution: object | null;
  /** When it came, if that was earlier; it changes now then. */
  createdAt?: Date | undefined;
}

/** @returns the numeric id */
export async function insertSubmission(
  trx: Transaction,
  formId: number,
  { publicId, status, answers, completionTime, ending }: StoredAnswers,
  { attribution, createdAt }: Origin,
): Promise<number> {
  const row = await trx
    .insertInto('submissions')
    .values({
      form_id: formId,
      public_id: publicId,
      status,
      data: JSON.stringify(answers),
      attribution: attribution && JSON.stringify(attribution),
      completion_time: completionTime,
      ending,
      ...(createdAt && { created_at: createdAt, updated_at: sql<Date>`clock_timestamp()` }),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

/**
 * Replaces the answers to `fieldIds` in a submission that has status `from`. Answers to fields that the form no longer has stay, as
 * nobody can send them; so do the nulls of removed answers, and the completion time when none is given. `updated_at` is the moment of the change, not of the
 * transaction's beginning, so that under the form's lock later changes have later moments.
 * @returns the submission with all its answers as they are now; null when there is no such submission
 */
export async function overwriteSubmission(
  trx: Transaction,
  formId: number,
  { publicId, status, answers, completionTime, ending }: StoredAnswers,
  { from, fieldIds }: { from: 'completed' | 'partial'; fieldIds: string[] },
) {
  const row = await trx
    .updateTable('submissions')
    .set({
      status,
      data: sql`(data - array(select id from unnest(${fieldIds}::text[]) as id where data -> id <> 'null'))
        || ${JSON.stringify(answers)}::jsonb`,
      completion_time: sql`coalesce(${completionTime}::float8, completion_time)`,
      ending,
      updated_at: sql`clock_timestamp()`,
    })
    .where('form_id', '=', formId)
    .where('public_id', '=', publicId)
    .where('status', '=', from)
    .returning(['id', 'attribution', 'data', 'updated_at'])
    .executeTakeFirst();
  if (!row) return null;
  const data = row.data as Answers;
  return { ...row, data, attribution: row.attribution as Record<string, string> | null };
}

/** Queues deliveries of a submission that the same transaction has just stored or changed; they are dated no earlier than that. */
export async function insertDeliveries(
  trx: Transaction,
  formId: number,
  submissionId: number,
  deliveries: NewDelivery[],
): Promise<void> {
  if (deliveries.length === 0) return;
  await trx
    .insertInto('deliveries')
    .values(
      deliveries.map((delivery) => ({
        form_id: formId,
        integration_id: delivery.integrationId,
        submission_id: submissionId,
        body: wholeBody(delivery, submissionId),
        created_at: sql<Date>`clock_timestamp()`,
      })),
    )
    .execute();
}
