import { sql } from 'kysely';
import type { MemberRole } from '../access/abilities.ts';
import type { Db } from '../db/database.ts';
import type { MailServer } from '../mail/mail-servers.ts';
import { mailServerOf } from '../mail/queries.ts';

export const INTERVALS = ['day', 'week'] as const;
export type Every = (typeof INTERVALS)[number];

/** Mails go out from this hour on, UTC: what came in until midnight is counted then. */
const HOUR = 6;
const MORNING = sql`(now() at time zone 'UTC' - make_interval(hours => ${sql.lit(HOUR)}))`;
/** The last day, or the last Sunday, that can be told about by now. */
const TELLABLE = sql`(case every when 'day' then ${MORNING}::date else date_trunc('week', ${MORNING})::date end - 1)`;

interface Member {
  workspaceId: number;
  userId: number;
}

/** How often a member wants a summary; null = never. */
export async function findSummaryMail(db: Db, { workspaceId, userId }: Member): Promise<Every | null> {
  const row = await db
    .selectFrom('summary_mails')
    .select('every')
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return (row?.every ?? null) as Every | null;
}

/** The first one is about a day or week that is not told about yet: usually the one that runs now. */
export async function saveSummaryMail(db: Db, { workspaceId, userId }: Member, every: Every): Promise<void> {
  await sql`
    with wanted as (select ${workspaceId}::bigint as workspace_id, ${userId}::bigint as user_id, ${every}::text as every)
    insert into summary_mails (workspace_id, user_id, every, told_to)
    select workspace_id, user_id, every, ${TELLABLE} from wanted
    on conflict (workspace_id, user_id) do update set every = excluded.every, told_to = excluded.told_to
    where summary_mails.every <> excluded.every`.execute(db);
}

export async function deleteSummaryMail(db: Db, { workspaceId, userId }: Member): Promise<void> {
  await db
    .deleteFrom('summary_mails')
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .execute();
}

/** Members whose next summary is due, in another order each time: one that always fails does not keep back the same others. */
export async function findDueSummaries(db: Db): Promise<Member[]> {
  const { rows } = await sql<Member>`
    select workspace_id as "workspaceId", user_id as "userId" from summary_mails
    where told_to < ${TELLABLE} order by random()`.execute(db);
  return rows;
}

export interface DueSummary extends Member {
  every: Every;
  /** The last day it is about, `YYYY-MM-DD`. */
  to: string;
  /** What `told_to` was before. */
  former: string;
  email: string;
  role: MemberRole;
  workspaceName: string;
  /** null = the installation's. */
  server: MailServer | null;
}

/** Takes a summary, so that no other process sends it too; null when another one has, or nobody wants it any more. */
export async function takeDueSummary(db: Db, { workspaceId, userId }: Member): Promise<DueSummary | null> {
  const { rows } = await sql<DueSummary>`
    with due as (
      select workspace_id, user_id, every, told_to as former, ${TELLABLE} as latest from summary_mails
      where workspace_id = ${workspaceId} and user_id = ${userId} and told_to < ${TELLABLE}
      for update
    ), taken as (
      update summary_mails set told_to = latest from due
      where summary_mails.workspace_id = due.workspace_id and summary_mails.user_id = due.user_id
    )
    select due.workspace_id as "workspaceId", due.user_id as "userId", every, latest::text as "to",
      former::text, email, role, workspaces.name as "workspaceName", ${mailServerOf('due.workspace_id')} as server
    from due join users on users.id = due.user_id join workspaces on workspaces.id = due.workspace_id
      join workspace_members using (workspace_id, user_id)`.execute(db);
  return rows[0] ?? null;
}

/** Gives a summary back that could not be sent. */
export async function giveBackSummary(
  db: Db,
  { workspaceId, userId, to, former }: DueSummary,
): Promise<void> {
  await sql`update summary_mails set told_to = ${former}::date
    where workspace_id = ${workspaceId} and user_id = ${userId} and told_to = ${to}::date`.execute(db);
}
