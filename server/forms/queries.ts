import { type Insertable, type RawBuilder, type SqlBool, sql, type Updateable } from 'kysely';
import type { Property } from '../../fields/property.ts';
import type { Db, Transaction } from '../db/database.ts';
import type { Forms } from '../db/schema.ts';
import { CUSTOM_DOMAIN } from './address/address-queries.ts';
import { type FormKey, publicFormKey } from './form-key.ts';
import type { Presentation } from './schemas.ts';
import { IS_TRASHED, TRASHED_AT } from './trash/queries.ts';

/** When a form opens; until then it is closed. null without such a moment. For queries of `forms`. */
export const OPENS_AT = sql<Date | null>`(forms.presentation->>'opens_at')::timestamptz`;

/** Makes submissions in flight, which were checked against the former form, be checked again. @param changed columns set with it */
export async function bumpFormRevision(
  trx: Transaction,
  formId: number,
  changed: Updateable<Forms> = {},
): Promise<void> {
  await trx
    .updateTable('forms')
    .set((form) => ({ ...changed, revision: form('revision', '+', 1) }))
    .where('id', '=', formId)
    .execute();
}

/** Forms that nobody has looked at have no row in form_views. */
const VIEWS_COUNT = sql<number>`coalesce(form_views.views_count, 0)`.as('views_count');

const HAS_UNPUBLISHED_CHANGES = sql<boolean>`exists(select from unpublished_changes where form_id = forms.id)`;

/** A form with everything that is shown of it, including its counters and workspace. */
export type FormRow = NonNullable<Awaited<ReturnType<typeof findForm>>>;

/** By numeric id. */
export async function findForm(db: Db, id: number) {
  const row = await selectForms(db).where('forms.id', '=', id).executeTakeFirst();
  return row ? typed(row) : null;
}

/** The blocks that a form has now; none when it is gone. */
export async function findProperties(db: Db, formId: number): Promise<Property[]> {
  const row = await db.selectFrom('forms').select('properties').where('id', '=', formId).executeTakeFirst();
  return (row?.properties ?? []) as unknown as Property[];
}

/** By slug, drafts too. */
export async function findFormBySlug(db: Db, slug: string): Promise<FormRow | null> {
  const row = await selectForms(db).where('forms.slug', '=', slug).executeTakeFirst();
  return row ? typed(row) : null;
}

/** The form that had this slug before it was renamed; links with the slug lead to it. */
export async function findFormerlyNamed(
  db: Db,
  slug: string,
): Promise<{ slug: string; workspace_id: number } | null> {
  const row = await db
    .selectFrom('former_slugs')
    .innerJoin('forms', 'forms.id', 'former_slugs.form_id')
    .select(['forms.slug', 'forms.workspace_id'])
    .where('former_slugs.slug', '=', slug)
    .executeTakeFirst();
  return row ?? null;
}

/** By UUID or slug; drafts are not found. */
export async function findPublicForm(db: Db, ref: string): Promise<FormRow | null> {
  const key = publicFormKey(ref);
  if (!key) return null;
  const row = await selectForms(db)
    .where(isNamed(key))
    .where('forms.visibility', '!=', 'draft')
    .executeTakeFirst();
  return row ? typed(row) : null;
}

/** The condition that a row of `forms` is the named one; its slug may be a former one. */
export function isNamed({ column, value }: FormKey): RawBuilder<SqlBool> {
  if (column !== 'slug') return sql`forms.${sql.ref(column)} = ${value}`;
  return sql`forms.id = coalesce(
    (select id from forms where slug = ${value}), (select form_id from former_slugs where slug = ${value}))`;
}

/** Former slugs of the form no longer lead to it. */
export async function forgetFormerSlugs(trx: Transaction, formId: number): Promise<void> {
  await trx.deleteFrom('former_slugs').where('form_id', '=', formId).execute();
}

/** All forms of all workspaces of a user, the last changed first. */
export async function findFormsOfUser(db: Db, userId: number): Promise<(FormRow & { role: string })[]> {
  const rows = await selectForms(db)
    .innerJoin('workspace_members', 'workspace_members.workspace_id', 'forms.workspace_id')
    .select('workspace_members.role')
    .where('workspace_members.user_id', '=', userId)
    .where(IS_TRASHED, '=', false)
    .orderBy('forms.updated_at', 'desc')
    .orderBy('forms.id', 'desc')
    .execute();
  return rows.map(typed);
}

function selectForms(db: Db) {
  return db
    .selectFrom('forms')
    .innerJoin('form_counters', 'form_counters.form_id', 'forms.id')
    .innerJoin('workspaces', 'workspaces.id', 'forms.workspace_id')
    .leftJoin('form_views', 'form_views.form_id', 'forms.id')
    .selectAll('forms')
    .select(['form_counters.completed_count', VIEWS_COUNT])
    .select([OPENS_AT.as('opens_at'), TRASHED_AT.as('trashed_at')])
    .select(HAS_UNPUBLISHED_CHANGES.as('has_unpublished_changes'))
    .select(['workspaces.name as workspace_name', 'workspaces.icon as workspace_icon'])
    .select(['workspaces.settings as workspace_settings', 'workspaces.max_file_size']);
}

/** Safe, as the JSON columns were checked when they were saved. */
function typed<Row extends { properties: unknown; removed_properties: unknown; presentation: unknown }>(
  row: Row,
) {
  return row as Omit<Row, 'properties' | 'removed_properties' | 'presentation'> & {
    properties: Property[];
    removed_properties: Property[];
    presentation: Partial<Presentation>;
  };
}

interface FormFilter {
  search?: string | undefined;
  tag?: string | undefined;
  visibility?: string | undefined;
  /** By the present moment: a form whose `closes_at` has passed is closed. */
  status?: 'open' | 'closed' | 'draft' | 'trash' | undefined;
}

/** What a list of forms can be sorted by. */
export const FORM_SORTS = [
  'updated_at',
  'created_at',
  'title',
  'submissions_count',
  'last_submission_at',
] as const;

interface FormOrder {
  sort?: (typeof FORM_SORTS)[number] | undefined;
  order?: 'asc' | 'desc' | undefined;
}

/** When the latest submission, also a partial one, was made; null without any. */
const LAST_SUBMISSION_AT = sql<Date | null>`(
  select max(submissions.created_at) from submissions where submissions.form_id = forms.id)`;
const SORT_KEYS = {
  updated_at: sql`updated_at`,
  created_at: sql`created_at`,
  title: sql`lower(title)`,
  submissions_count: sql`completed_count`,
  last_submission_at: LAST_SUBMISSION_AT,
};
const STATUS = sql<string>`case when visibility = 'draft' then 'draft'
  when visibility = 'closed' or closes_at <= now() or ${OPENS_AT} > now() then 'closed' else 'open' end`;

export type FormSummaryRow = Awaited<ReturnType<typeof findFormSummaries>>['rows'][number];

/** One page of a workspace's forms, without their fields: those in the trash, or all others. By default the last changed comes first. */
export async function findFormSummaries(
  db: Db,
  workspaceId: number,
  { search, tag, visibility, status, sort = 'updated_at', order = 'desc' }: FormFilter & FormOrder,
  { limit, offset }: { limit: number; offset: number },
) {
  let matching = db.selectFrom('forms').where('workspace_id', '=', workspaceId);
  if (search) matching = matching.where(sql<boolean>`strpos(lower(title), lower(${search})) > 0`);
  if (tag) matching = matching.where(sql<boolean>`${tag} = any(tags)`);
  if (visibility) matching = matching.where('visibility', '=', visibility);
  matching = matching.where(IS_TRASHED, '=', status === 'trash');
  if (status && status !== 'trash') matching = matching.where(STATUS, '=', status);
  const way = sql.raw(order);
  const rows = await matching
    .innerJoin('form_counters', 'form_counters.form_id', 'forms.id')
    .leftJoin('form_views', 'form_views.form_id', 'forms.id')
    .select([
      'id',
      'slug',
      'title',
      'visibility',
      'tags',
      'closes_at',
      'max_submissions_count',
      'workspace_id',
    ])
    .select(['created_at', 'updated_at', 'completed_count', 'partial_count', VIEWS_COUNT])
    .select([CUSTOM_DOMAIN.as('custom_domain'), OPENS_AT.as('opens_at'), TRASHED_AT.as('trashed_at')])
    .select(LAST_SUBMISSION_AT.as('last_submission_at'))
    .orderBy(sql`${SORT_KEYS[sort]} ${way} nulls last`)
    .orderBy(sql`id ${way}`)
    .limit(limit)
    .offset(offset)
    .execute();
  const { total } = await matching
    .select((form) => form.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return { rows, total };
}

/** The tags of a workspace's forms, and how many forms have each. */
export async function findTags(db: Db, workspaceId: number): Promise<{ tag: string; forms_count: number }[]> {
  const { rows } = await sql<{ tag: string; forms_count: number }>`
    select tag, count(distinct id) as forms_count from forms, unnest(tags) as tag
    where workspace_id = ${workspaceId} and not ${IS_TRASHED} group by tag order by lower(tag), tag`.execute(
    db,
  );
  return rows;
}

/** Inserts a form and its counters. @returns the numeric id */
export async function insertForm(trx: Transaction, form: Insertable<Forms>): Promise<number> {
  const { id } = await trx.insertInto('forms').values(form).returning('id').executeTakeFirstOrThrow();
  await trx.insertInto('form_counters').values({ form_id: id }).execute();
  return id;
}

/** Locks a form until the transaction ends, and returns its fields; null when the form is gone. */
export async function lockProperties(trx: Transaction, formId: number) {
  const row = await trx
    .selectFrom('forms')
    .select(['version', 'workspace_id', 'properties', 'removed_properties', 'presentation'])
    .where('id', '=', formId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row ? typed(row) : null;
}

/** Keeps a form as it is until the transaction ends, without holding up submissions. @returns the workspace it is in; null when it is gone */
export async function holdForm(trx: Transaction, formId: number): Promise<number | null> {
  const row = await trx
    .selectFrom('forms')
    .select('workspace_id')
    .where('id', '=', formId)
    .forShare()
    .executeTakeFirst();
  return row?.workspace_id ?? null;
}

/** Saves columns, and raises the form's version and revision. `presentation` is merged into the stored one. */
export async function updateForm(
  trx: Transaction,
  formId: number,
  { presentation = '{}', ...columns }: Omit<Updateable<Forms>, 'presentation'> & { presentation?: string },
): Promise<void> {
  await trx
    .updateTable('forms')
    .set((form) => ({
      ...columns,
      presentation: sql`presentation || ${presentation}::jsonb`,
      version: form('version', '+', 1),
      revision: form('revision', '+', 1),
      updated_at: sql<Date>`now()`,
    }))
    .where('id', '=', formId)
    .execute();
}

/** Moves a form. Its revision is raised, as the other workspace may have other limits. */
export async function setWorkspace(trx: Transaction, formId: number, workspaceId: number): Promise<void> {
  await trx
    .updateTable('forms')
    .set((form) => ({
      workspace_id: workspaceId,
      revision: form('revision', '+', 1),
      updated_at: sql<Date>`now()`,
    }))
    .where('id', '=', formId)
    .execute();
}

/**
 * Raises the revision of all forms of a workspace, whose limits have changed. They are locked in the order of the intake, by id, so that
 * there is no deadlock. @returns their ids
 */
export async function bumpRevisionsOfWorkspace(trx: Transaction, workspaceId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with locked as materialized (
      select id from forms where workspace_id = ${workspaceId} order by id for no key update
    )
    update forms set revision = revision + 1 from locked where forms.id = locked.id returning forms.id`.execute(
    trx,
  );
  return rows.map(({ id }) => id);
}
