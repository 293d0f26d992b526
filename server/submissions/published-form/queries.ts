import { sql } from 'kysely';
import type { ConditionGroup, JsonValue, Property } from '../../../fields/property.ts';
import type { Db } from '../../db/database.ts';
import { linkSeconds } from '../../files/file-links.ts';
import { type FormKey, publicFormKey } from '../../forms/form-key.ts';
import { isNamed } from '../../forms/queries.ts';
import { MAIL_KINDS } from '../../mail/mail-kinds.ts';
import { fileLinkHours } from '../../workspaces/queries.ts';

/** A form, whatever its visibility, with its active integrations. */
export interface PublishedFormRow {
  id: number;
  workspaceId: number;
  uuid: string;
  slug: string;
  title: string;
  visibility: string;
  revision: number;
  updatedAt: Date;
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
    .select(['forms.updated_at', 'closes_at', 'password_hash', 'properties', 'presentation', 'max_file_size'])
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
    updatedAt: row.updated_at,
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
