import { sql } from 'kysely';
import type { ConditionGroup, JsonValue, Property } from '../../fields/property.ts';
import type { Db, Transaction } from '../db/database.ts';
import { parseUuid } from '../http/ids.ts';
import type { NewDelivery } from './intake.ts';

/** A form that takes submissions, or did until now, with its active integrations. */
export interface PublishedFormRow {
  id: number;
  uuid: string;
  slug: string;
  title: string;
  visibility: string;
  revision: number;
  closesAt: Date | null;
  passwordHash: string | null;
  properties: Property[];
  presentation: { [key: string]: JsonValue };
  integrations: { id: number; integration_id: string; logic: ConditionGroup | null }[];
}

/** By slug or UUID. One statement, so that form and integrations are of one moment. */
export async function findPublishedForm(db: Db, ref: string): Promise<PublishedFormRow | null> {
  const uuid = parseUuid(ref);
  const row = await db
    .selectFrom('forms')
    .select(['id', 'uuid', 'slug', 'title', 'visibility', 'revision', 'closes_at', 'password_hash'])
    .select(['properties', 'presentation'])
    .select((form) =>
      form
        .selectFrom('integrations')
        .whereRef('integrations.form_id', '=', 'forms.id')
        .where('integrations.status', '=', 'active')
        .select(
          sql`coalesce(jsonb_agg(jsonb_build_object('id', integrations.id, 'integration_id',
          integrations.integration_id, 'logic', integrations.logic) order by integrations.id), '[]')`.as(
            'list',
          ),
        )
        .as('integrations'),
    )
    .where((form) =>
      uuid === null ? form('slug', '=', ref) : form.or([form('uuid', '=', uuid), form('slug', '=', ref)]),
    )
    .where('visibility', '!=', 'draft')
    .executeTakeFirst();
  if (!row) return null;
  return {
    id: row.id,
    uuid: row.uuid,
    slug: row.slug,
    title: row.title,
    visibility: row.visibility,
    revision: row.revision,
    closesAt: row.closes_at,
    passwordHash: row.password_hash,
    properties: row.properties as unknown as Property[],
    presentation: row.presentation as { [key: string]: JsonValue },
    integrations: row.integrations as PublishedFormRow['integrations'],
  };
}

/** The form's revision of this moment, or null when it is gone. */
export async function formRevision(db: Db, formId: number): Promise<number | null> {
  const row = await db.selectFrom('forms').select('revision').where('id', '=', formId).executeTakeFirst();
  return row?.revision ?? null;
}

/** Whether a completed submission other than `exceptPublicId` has this answer; lists: contains it. */
export async function answerExists(
  db: Db,
  formId: number,
  propertyId: string,
  value: JsonValue,
  exceptPublicId: string | null,
): Promise<boolean> {
  const probe = JSON.stringify({ [propertyId]: value });
  const found = await db
    .selectFrom('submissions')
    .select('id')
    .where('form_id', '=', formId)
    .where('status', '=', 'completed')
    .where(sql<boolean>`data @> ${probe}::jsonb`)
    .$if(exceptPublicId !== null, (query) => query.where('public_id', '!=', exceptPublicId as string))
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** The next number of the form's own sequence, for text fields with `generates_auto_increment_id`. */
export async function nextAutoIncrement(db: Db, formId: number): Promise<number | null> {
  const row = await db
    .updateTable('form_counters')
    .set({ auto_increment: sql`auto_increment + 1` })
    .where('form_id', '=', formId)
    .returning('auto_increment')
    .executeTakeFirst();
  return row?.auto_increment ?? null;
}

export interface UsedKey {
  bodyHash: Buffer;
  submissionPublicId: string;
  wasPartial: boolean;
  wasFirst: boolean;
}

/** What an Idempotency-Key was used for, or null while it is unused. */
export async function findUsedKey(
  db: Db | Transaction,
  formId: number,
  key: string,
): Promise<UsedKey | null> {
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
  revision: number;
  completedCount: number;
  maxSubmissionsCount: number | null;
}

/** Locks the counters of a form as the intake does: until the transaction ends, nothing is stored or deleted there. */
export async function lockFormGate(trx: Transaction, formId: number): Promise<FormGate | null> {
  const row = await trx
    .selectFrom('form_counters')
    .innerJoin('forms', 'forms.id', 'form_counters.form_id')
    .select(['forms.revision', 'form_counters.completed_count', 'forms.max_submissions_count'])
    .where('form_counters.form_id', '=', formId)
    .forNoKeyUpdate('form_counters')
    .forShare('forms')
    .executeTakeFirst();
  if (!row) return null;
  return {
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
  answers: { [key: string]: JsonValue };
  completionTime: number | null;
}

/** @returns the numeric id. */
export async function insertSubmission(
  trx: Transaction,
  formId: number,
  { publicId, status, answers, completionTime }: StoredAnswers,
  attribution: object | null,
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
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

/** Replaces the answers of a submission that has status `from`. @returns its numeric id and attribution, null without one. */
export async function overwriteSubmission(
  trx: Transaction,
  formId: number,
  { publicId, status, answers, completionTime }: StoredAnswers,
  from: 'completed' | 'partial',
) {
  const row = await trx
    .updateTable('submissions')
    .set({ status, data: JSON.stringify(answers), completion_time: completionTime, updated_at: sql`now()` })
    .where('form_id', '=', formId)
    .where('public_id', '=', publicId)
    .where('status', '=', from)
    .returning(['id', 'attribution'])
    .executeTakeFirst();
  return row ?? null;
}

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
      deliveries.map(({ integrationId, head, tail }) => ({
        form_id: formId,
        integration_id: integrationId,
        submission_id: submissionId,
        body: `${head}${submissionId}${tail}`,
      })),
    )
    .execute();
}

/** Marks a proof of work as used. @returns false when it was used before. */
export async function spendChallenge(db: Db, challengeHash: Buffer, expiresAt: Date): Promise<boolean> {
  const inserted = await db
    .insertInto('spent_challenges')
    .values({ challenge_hash: challengeHash, expires_at: expiresAt })
    .onConflict((conflict) => conflict.doNothing())
    .returning('challenge_hash')
    .executeTakeFirst();
  return inserted !== undefined;
}
