import { sql } from 'kysely';
import type { MemberRole } from '../access/abilities.ts';
import type { Db, Transaction } from '../db/database.ts';
import type { JsonObject } from '../db/schema.ts';

export interface Workspace {
  id: number;
  name: string;
  icon: string;
  settings: Record<string, unknown>;
  /** megabytes */
  max_file_size: number;
}

export interface ListedWorkspace extends Workspace {
  role: MemberRole;
  users_count: number;
  has_mail_server: boolean;
  takes_payments: boolean;
  created_at: Date;
  updated_at: Date;
}

const COLUMNS = [
  'workspaces.id',
  'workspaces.name',
  'workspaces.icon',
  sql<Record<string, unknown>>`workspaces.settings`.as('settings'),
  'workspaces.max_file_size',
] as const;

/** Lifetime of links that leave the service by the workspace's policy, in hours; null = no policy. */
export function fileLinkHours() {
  const policy = sql`workspaces.settings #> '{external_file_links,expires_in_hours}'`;
  return sql<number | null>`case when jsonb_typeof(${policy}) = 'number' then (${policy})::float8 end`;
}

/** The workspaces of a user, oldest first. */
export async function listWorkspaces(db: Db, userId: number): Promise<ListedWorkspace[]> {
  return db
    .selectFrom('workspaces')
    .innerJoin('workspace_members', 'workspace_members.workspace_id', 'workspaces.id')
    .select(COLUMNS)
    .select(['workspaces.created_at', 'workspaces.updated_at'])
    .select(sql<MemberRole>`workspace_members.role`.as('role'))
    .select((query) =>
      query
        .selectFrom('workspace_members as others')
        .select((count) => count.fn.countAll<number>().as('count'))
        .whereRef('others.workspace_id', '=', 'workspaces.id')
        .$asScalar()
        .$notNull()
        .as('users_count'),
    )
    .select(
      sql<boolean>`exists (select from workspace_mail_servers as own where own.workspace_id = workspaces.id)`.as(
        'has_mail_server',
      ),
    )
    .select(
      sql<boolean>`exists (select from workspace_payment_accounts as own where own.workspace_id = workspaces.id)`.as(
        'takes_payments',
      ),
    )
    .where('workspace_members.user_id', '=', userId)
    .orderBy('workspaces.id')
    .execute();
}

export async function listWorkspaceIds(db: Db): Promise<number[]> {
  const rows = await db.selectFrom('workspaces').select('id').orderBy('id').execute();
  return rows.map(({ id }) => id);
}

/** Adds a workspace whose only member is its creator, as admin. */
export async function insertWorkspace(
  trx: Transaction,
  { name, icon }: { name: string; icon: string },
  creatorId: number,
): Promise<Workspace> {
  const workspace = await trx
    .insertInto('workspaces')
    .values({ name, icon })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
  await trx
    .insertInto('workspace_members')
    .values({ workspace_id: workspace.id, user_id: creatorId, role: 'admin' })
    .execute();
  return workspace;
}

/** An undefined `icon` stays; null when the workspace is gone. */
export async function updateWorkspace(
  db: Db,
  id: number,
  { name, icon }: { name: string; icon: string | undefined },
): Promise<Workspace | null> {
  const updated = await db
    .updateTable('workspaces')
    .set({ name, updated_at: sql`now()`, ...(icon !== undefined && { icon }) })
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirst();
  return updated ?? null;
}

/** Lets no forms or members be added until the transaction ends; false when the workspace is gone. */
export async function lockWorkspace(trx: Transaction, id: number): Promise<boolean> {
  const found = await trx
    .selectFrom('workspaces')
    .select('id')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return found !== undefined;
}

/** Lets no workspace be deleted until the transaction ends. @returns how many of them exist */
export async function keepWorkspaces(trx: Transaction, ids: number[]): Promise<number> {
  const found = await trx
    .selectFrom('workspaces')
    .select('id')
    .where('id', 'in', ids)
    .orderBy('id')
    .forKeyShare()
    .execute();
  return found.length;
}

/** Undefined members stay, null restores the default. */
export interface WantedSettings {
  /** megabytes */
  maxFileSize: number | null | undefined;
  linkHours: number | null | undefined;
}

/** The caller has locked the workspace. */
export function updateSettings(
  trx: Transaction,
  id: number,
  { maxFileSize, linkHours }: WantedSettings,
): Promise<Workspace> {
  return trx
    .updateTable('workspaces')
    .set({
      updated_at: sql`now()`,
      ...(maxFileSize !== undefined && { max_file_size: maxFileSize ?? sql<number>`default` }),
      ...(linkHours !== undefined && { settings: settingsWith(linkHours) }),
    })
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
}

/** The settings with another lifetime of links; an empty policy is removed. */
function settingsWith(linkHours: number | null) {
  const links = sql`case when jsonb_typeof(settings -> 'external_file_links') = 'object'
    then settings -> 'external_file_links' else '{}' end`;
  if (linkHours === null)
    return sql<JsonObject>`case when ${links} - 'expires_in_hours' = '{}' then settings - 'external_file_links'
      else settings #- '{external_file_links,expires_in_hours}' end`;
  return sql<JsonObject>`settings || jsonb_build_object('external_file_links',
    ${links} || jsonb_build_object('expires_in_hours', ${linkHours}::float8))`;
}

/** Members and invites are deleted with the row; its forms must be gone already. */
export async function deleteWorkspaceRow(trx: Transaction, id: number): Promise<void> {
  await trx.deleteFrom('workspaces').where('id', '=', id).execute();
}
