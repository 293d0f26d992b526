import { type RawBuilder, sql } from 'kysely';
import type { SubmissionLookup } from '../../fields/logic.ts';
import type { ConditionGroup, JsonValue, Property } from '../../fields/property.ts';
import type { Db, Transaction } from '../db/database.ts';
import { linkSeconds } from '../files/file-links.ts';
import { type FormKey, publicFormKey } from '../forms/form-key.ts';
import { isNamed } from '../forms/queries.ts';
import { MAIL_KINDS } from '../mail/mail-kinds.ts';
import { fileLinkHours } from '../workspaces/queries.ts';

/** A form, whatever its visibility, with its active integrations. */
export interface PublishedFormRow {
  id: number;
  workspaceId: number;
  uuid: string;
  slug: string;
  title: string;
  visibility: string;
  revision: number;
  closesAt: Date | null;
  maxFileSize: number;
  /** How long links to uploaded files are valid, in seconds. */
  fileLinkSeconds: number;
  passwordHash: string | null;
  /** Settings of its personal links; null while it has none. */
  personalLinks: { required: boolean; anonymous: boolean } | null;
  properties: Property[];
  presentation: { [key: string]: JsonValue };
  integrations: {
    id: number;
    integration_id: string;
    logic: ConditionGroup | null;
    sends_edits: boolean;
    /** Settings of integrations that send mail or write to a chat, without the address; null for all others. */
    data: unknown;
  }[];
}

/** By slug or UUID; drafts are not found. */
export async function findPublishedForm(db: Db, ref: string): Promise<PublishedFormRow | null> {
  const form = await findSentForm(db, ref);
  return form?.visibility === 'draft' ? null : form;
}

/** By slug or UUID, drafts included: links in mails to recipients must find their form whatever has become of it. */
export async function findSentForm(db: Db, ref: string): Promise<PublishedFormRow | null> {
  const key = publicFormKey(ref);
  return key && findForm(db, key);
}

/** By numeric id, drafts included: for actions of its owners. */
export function findOwnForm(db: Db, id: number): Promise<PublishedFormRow | null> {
  return findForm(db, { column: 'id', value: id });
}

/** One statement, so that form and integrations are of one moment. */
async function findForm(db: Db, key: FormKey): Promise<PublishedFormRow | null> {
  const row = await db
    .selectFrom('forms')
    .innerJoin('workspaces', 'workspaces.id', 'forms.workspace_id')
    .select(['forms.id', 'forms.workspace_id', 'uuid', 'slug', 'title', 'visibility', 'revision'])
    .select(['closes_at', 'password_hash', 'properties', 'presentation', 'max_file_size'])
    .select(fileLinkHours().as('link_hours'))
    .select((form) =>
      form
        .selectFrom('integrations')
        .whereRef('integrations.form_id', '=', 'forms.id')
        .where('integrations.status', '=', 'active')
        .select(
          sql`coalesce(jsonb_agg(jsonb_build_object('id', integrations.id, 'integration_id',
          integrations.integration_id, 'logic', integrations.logic,
          'sends_edits', coalesce(integrations.data->'sends_edits' = 'true', false),
          'data', case when integrations.integration_id = any(${MAIL_KINDS}::text[]) or integrations.data ? 'format'
            then integrations.data - 'webhook_url' end) order by integrations.id), '[]')`.as('list'),
        )
        .as('integrations'),
    )
    .select((form) =>
      form
        .selectFrom('personal_links')
        .whereRef('personal_links.form_id', '=', 'forms.id')
        .select(
          sql<
            PublishedFormRow['personalLinks']
          >`json_build_object('required', required, 'anonymous', anonymous)`.as('settings'),
        )
        .as('personal_links'),
    )
    .where(isNamed(key))
    .executeTakeFirst();
  if (!row) return null;
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    uuid: row.uuid,
    slug: row.slug,
    title: row.title,
    visibility: row.visibility,
    revision: row.revision,
    closesAt: row.closes_at,
    maxFileSize: row.max_file_size,
    fileLinkSeconds: linkSeconds(row.link_hours),
    passwordHash: row.password_hash,
    personalLinks: row.personal_links,
    properties: row.properties as unknown as Property[],
    presentation: row.presentation as { [key: string]: JsonValue },
    integrations: row.integrations as PublishedFormRow['integrations'],
  };
}

/** The form's revision at this moment, or null when it is gone. */
export async function formRevision(db: Db, formId: number): Promise<number | null> {
  const row = await db.selectFrom('forms').select('revision').where('id', '=', formId).executeTakeFirst();
  return row?.revision ?? null;
}

/** What must not come from the cache when a form's page is shown. */
export interface FormMoment {
  formId: number;
  revision: number;
  /** It has reached its maximum number of submissions. */
  isFull: boolean;
  /** How many places each option with a limit has left; null when no option has a limit. */
  placesLeft: [field: string, option: string, left: number][] | null;
}

/** Forms that are gone are missing from the result. */
export async function formMoments(db: Db, formIds: readonly number[]): Promise<FormMoment[]> {
  return db
    .selectFrom('forms')
    .innerJoin('form_counters', 'form_counters.form_id', 'forms.id')
    .where('forms.id', 'in', formIds)
    .select(['forms.id as formId', 'revision'])
    .select(sql<boolean>`coalesce(completed_count >= max_submissions_count, false)`.as('isFull'))
    .select(
      sql<FormMoment['placesLeft']>`(
        select json_agg(json_build_array(field, option, greatest(places - taken, 0)) order by field, option)
        from option_places where option_places.form_id = forms.id)`.as('placesLeft'),
    )
    .execute();
}

/** Up to where a look-up, which follows it, has certainly seen the submissions of a form. */
export interface Look {
  /** Id of the latest submission, 0 without one. Ids are given under the form's lock, so submissions stored later have higher ones. */
  lastId: number;
  /** By the database's clock. */
  at: string;
}

/** To be asked before the look-up it is for. */
export async function nextLook(db: Db, formId: number): Promise<Look> {
  const { rows } = await sql<Look>`
    select clock_timestamp()::text as at,
      coalesce((select id from submissions where form_id = ${formId} order by form_id desc, id desc limit 1), 0) as "lastId"`.execute(
    db,
  );
  return rows[0] as Look;
}

/** Whether a completed submission other than `exceptPublicId` has this answer or, where answers are lists, contains it. */
export async function answerExists(
  db: Db,
  formId: number,
  lookup: SubmissionLookup,
  exceptPublicId: string | null,
): Promise<boolean> {
  const found = await sql`
    select from submissions where ${hasAnswer(formId, lookup, exceptPublicId)} limit 1`.execute(db);
  return found.rows.length > 0;
}

/**
 * Like `answerExists`, but only for submissions that came or changed since a look. The ten seconds in it are a margin: a change is
 * committed less than ten seconds after the moment it is dated with.
 */
export async function answerIsNew(
  trx: Transaction,
  formId: number,
  lookup: SubmissionLookup,
  exceptPublicId: string,
  { lastId, at }: Look,
): Promise<boolean> {
  const found = hasAnswer(formId, lookup, exceptPublicId);
  const { rows } = await sql<{ isNew: boolean }>`
    select exists (select from submissions where ${found} and id > ${lastId})
      or exists (select from submissions where ${found} and updated_at > created_at
        and updated_at > ${at}::timestamptz - interval '10 seconds') as "isNew"`.execute(trx);
  return rows[0]?.isNew === true;
}

function hasAnswer(
  formId: number,
  { propertyId, value }: SubmissionLookup,
  exceptPublicId: string | null,
): RawBuilder<boolean> {
  const probe = JSON.stringify({ [propertyId]: value });
  return sql`form_id = ${formId} and status = 'completed' and data @> ${probe}::jsonb
    and public_id is distinct from ${exceptPublicId}::uuid`;
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

/** Marks a built-in captcha, proof of work or sum, as used. @returns false when it was used before. */
export async function spendChallenge(db: Db, challengeHash: Buffer, expiresAt: Date): Promise<boolean> {
  const inserted = await db
    .insertInto('spent_challenges')
    .values({ challenge_hash: challengeHash, expires_at: expiresAt })
    .onConflict((conflict) => conflict.doNothing())
    .returning('challenge_hash')
    .executeTakeFirst();
  return inserted !== undefined;
}
