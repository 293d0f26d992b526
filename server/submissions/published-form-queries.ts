import { sql } from 'kysely';
import type { ConditionGroup, JsonValue, Property } from '../../fields/property.ts';
import type { Db } from '../db/database.ts';
import { linkSeconds } from '../files/file-links.ts';
import { formKey } from '../forms/form-key.ts';
import { MAIL_KINDS } from '../mail/mail-kinds.ts';
import { fileLinkHours } from '../workspaces/queries.ts';

/** A form that takes submissions, or did until now, with its active integrations. */
export interface PublishedFormRow {
  id: number;
  uuid: string;
  slug: string;
  title: string;
  visibility: string;
  revision: number;
  closesAt: Date | null;
  maxFileSize: number;
  /** How long links to uploaded files are good, seconds. */
  fileLinkSeconds: number;
  passwordHash: string | null;
  properties: Property[];
  presentation: { [key: string]: JsonValue };
  integrations: {
    id: number;
    integration_id: string;
    logic: ConditionGroup | null;
    /** Only of those that send mail. */
    data: unknown;
  }[];
}

/** By slug or UUID. One statement, so that form and integrations are of one moment. */
export async function findPublishedForm(db: Db, ref: string): Promise<PublishedFormRow | null> {
  const key = formKey(ref);
  if (!key || key.column === 'id') return null;
  const row = await db
    .selectFrom('forms')
    .innerJoin('workspaces', 'workspaces.id', 'forms.workspace_id')
    .select(['forms.id', 'uuid', 'slug', 'title', 'visibility', 'revision', 'closes_at', 'password_hash'])
    .select(['properties', 'presentation', 'max_file_size'])
    .select(fileLinkHours().as('link_hours'))
    .select((form) =>
      form
        .selectFrom('integrations')
        .whereRef('integrations.form_id', '=', 'forms.id')
        .where('integrations.status', '=', 'active')
        .select(
          sql`coalesce(jsonb_agg(jsonb_build_object('id', integrations.id, 'integration_id',
          integrations.integration_id, 'logic', integrations.logic,
          'data', case when integrations.integration_id = any(${MAIL_KINDS}::text[]) then integrations.data end) order by integrations.id), '[]')`.as(
            'list',
          ),
        )
        .as('integrations'),
    )
    .where(`forms.${key.column}`, '=', key.value)
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
    maxFileSize: row.max_file_size,
    fileLinkSeconds: linkSeconds(row.link_hours),
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

/** What of a form changes without a visitor's doing: asked before its page is shown. */
export interface FormMoment {
  formId: number;
  revision: number;
  /** It has all the submissions it takes. */
  isFull: boolean;
}

/** Many forms in one query; forms that are gone are missing from the answer. */
export async function formMoments(db: Db, formIds: readonly number[]): Promise<FormMoment[]> {
  return db
    .selectFrom('forms')
    .innerJoin('form_counters', 'form_counters.form_id', 'forms.id')
    .where('forms.id', 'in', formIds)
    .select(['forms.id as formId', 'revision'])
    .select(sql<boolean>`coalesce(completed_count >= max_submissions_count, false)`.as('isFull'))
    .execute();
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
