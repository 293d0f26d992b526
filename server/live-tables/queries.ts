import { sql } from 'kysely';
import type { Property } from '../../fields/property.ts';
import type { Db, Transaction } from '../db/database.ts';
import { IS_TRASHED } from '../forms/trash/queries.ts';
import { fileLinkHours } from '../workspaces/queries.ts';

interface LiveTable {
  id: number;
  name: string;
  created_at: Date;
  created_by: string | null;
  last_read_at: Date | null;
}

/** The table that a link leads to. */
export interface LinkedTable {
  id: number;
  formId: number;
  slug: string;
  properties: Property[];
  /** Whether the form takes partial submissions. */
  takesPartials: boolean;
  linkHours: number | null;
}

/** With the name of their creator, oldest first. */
export function listLiveTables(db: Db, formId: number): Promise<LiveTable[]> {
  return db
    .selectFrom('live_tables')
    .leftJoin('users', 'users.id', 'live_tables.created_by')
    .where('form_id', '=', formId)
    .orderBy('live_tables.id')
    .select(['live_tables.id', 'live_tables.name', 'live_tables.created_at', 'users.name as created_by'])
    .select('last_read_at')
    .execute();
}

export async function insertLiveTable(
  trx: Transaction,
  formId: number,
  { name, tokenHash, userId }: { name: string; tokenHash: Buffer; userId: number },
): Promise<number> {
  const { id } = await trx
    .insertInto('live_tables')
    .values({ form_id: formId, name, token_hash: tokenHash, created_by: userId })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** @returns its name, or null when there is no such table in the form */
export async function deleteLiveTable(trx: Transaction, formId: number, id: number): Promise<string | null> {
  const row = await trx
    .deleteFrom('live_tables')
    .where('form_id', '=', formId)
    .where('id', '=', id)
    .returning('name')
    .executeTakeFirst();
  return row?.name ?? null;
}

/** @returns null for an unknown link, and while the form is in the trash, as then nobody outside can reach it */
export async function findLinkedTable(db: Db, tokenHash: Buffer): Promise<LinkedTable | null> {
  const row = await db
    .selectFrom('live_tables')
    .innerJoin('forms', 'forms.id', 'live_tables.form_id')
    .innerJoin('workspaces', 'workspaces.id', 'forms.workspace_id')
    .where('token_hash', '=', tokenHash)
    .where(sql<boolean>`not ${IS_TRASHED}`)
    .select(['live_tables.id', 'form_id', 'slug', 'properties'])
    .select(sql<boolean>`(presentation ->> 'enable_partial_submissions')::boolean is true`.as('partials'))
    .select(fileLinkHours().as('hours'))
    .executeTakeFirst();
  if (!row) return null;
  const properties = row.properties as unknown as Property[];
  return {
    id: row.id,
    formId: row.form_id,
    slug: row.slug,
    properties,
    takesPartials: row.partials,
    linkHours: row.hours,
  };
}

/** Records that somebody has read it. */
export async function noteRead(db: Db, id: number): Promise<void> {
  await sql`update live_tables set last_read_at = now()
    where id = ${id} and (last_read_at is null or last_read_at < now() - interval '1 minute')`.execute(db);
}
