import { type RawBuilder, sql } from 'kysely';
import type { Db, Transaction } from '../db/database.ts';
import type { MailServer } from './mail-servers.ts';

/** Whether the workspace of an integration's form has a mail server of its own. */
export const HAS_OWN_SERVER = `exists (select from forms join workspace_mail_servers using (workspace_id)
  where forms.id = integrations.form_id)`;

/** A workspace's own mail server. @param workspaceId a column */
export function mailServerOf(workspaceId: string): RawBuilder<MailServer | null> {
  return sql<MailServer | null>`(
    select json_build_object('workspaceId', workspace_id, 'host', host, 'port', port, 'security', security,
      'userName', user_name, 'password', translate(encode(password_encrypted, 'base64'), E'\\n', ''),
      'senderAddress', sender_address, 'senderName', sender_name)
    from workspace_mail_servers as own where own.workspace_id = ${sql.ref(workspaceId)})`;
}

export async function findMailServer(db: Db, workspaceId: number): Promise<MailServer | null> {
  const found = await db
    .selectFrom('workspaces')
    .select(mailServerOf('workspaces.id').as('server'))
    .where('id', '=', workspaceId)
    .executeTakeFirst();
  return found?.server ?? null;
}

export async function findMailServerOfForm(db: Db, formId: number): Promise<MailServer | null> {
  const found = await db
    .selectFrom('forms')
    .select(mailServerOf('forms.workspace_id').as('server'))
    .where('id', '=', formId)
    .executeTakeFirst();
  return found?.server ?? null;
}

export async function saveMailServer(trx: Transaction, server: MailServer): Promise<void> {
  const values = {
    host: server.host,
    port: server.port,
    security: server.security,
    user_name: server.userName,
    password_encrypted: server.password === null ? null : Buffer.from(server.password, 'base64'),
    sender_address: server.senderAddress,
    sender_name: server.senderName,
    updated_at: sql<Date>`now()`,
  };
  await trx
    .insertInto('workspace_mail_servers')
    .values({ workspace_id: server.workspaceId, ...values })
    .onConflict((conflict) => conflict.column('workspace_id').doUpdateSet(values))
    .execute();
}

/** @returns false when there was none */
export async function deleteMailServer(trx: Transaction, workspaceId: number): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('workspace_mail_servers')
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** A counter with a limit for one hour, or one day (UTC). */
interface MailCount {
  counted: string;
  period: 'hour' | 'day';
  limit: number;
}

/** Counts one mail of a form, exactly across all processes. @returns false when the limit is reached */
export async function takeMailPlace(
  db: Db,
  formId: number,
  { counted, period, limit }: MailCount,
): Promise<boolean> {
  const { rows } = await sql`
    insert into mail_counts (form_id, counted, since, count)
    values (${formId}, ${counted}, date_trunc(${period}, now(), 'UTC'), 1)
    on conflict (form_id, counted, since) do update set count = mail_counts.count + 1
      where mail_counts.count < ${limit}
    returning count`.execute(db);
  return rows.length > 0;
}
