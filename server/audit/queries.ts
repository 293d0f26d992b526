import { type RawBuilder, sql } from 'kysely';
import type { Db, Transaction } from '../db/database.ts';
import type { Actor } from './actor.ts';
import type { AuditEvent } from './record-event.ts';

export interface AuditFilter {
  workspaceId: number | undefined;
  userId: number | undefined;
  formId: number | undefined;
  /** A verb, or the word before its dot. */
  verb: string | undefined;
  since: Date | undefined;
  until: Date | undefined;
  /** Only events before this one: the next page. */
  before: number | undefined;
  limit: number;
}

export type AuditRow = Awaited<ReturnType<typeof findAuditEvents>>[number];

const NO_DETAILS = {};

export async function insertAuditEvent(trx: Transaction, actor: Actor, event: AuditEvent): Promise<void> {
  const { verb, formId = null, target = { id: null, name: null }, details = NO_DETAILS } = event;
  const workspaceId = sql<number | null>`coalesce(${event.workspaceId ?? null}::bigint,
    (select workspace_id from forms where id = ${formId}::bigint))`;
  await trx
    .insertInto('audit_events')
    .values({
      actor: actor.kind,
      user_id: actor.userId,
      user_name: nameOf('users', 'name', sql`${actor.userId}::bigint`),
      token_id: actor.tokenId,
      token_name: nameOf('access_tokens', 'name', sql`${actor.tokenId}::bigint`),
      network: actor.network,
      verb,
      workspace_id: workspaceId,
      workspace_name: nameOf('workspaces', 'name', workspaceId),
      form_id: formId,
      form_title: nameOf('forms', 'title', sql`${formId}::bigint`),
      target_id: target.id,
      target_name: target.name,
      details: JSON.stringify(details),
    })
    .execute();
}

function nameOf(table: string, column: string, id: RawBuilder<unknown>) {
  return sql<string | null>`(select ${sql.ref(column)} from ${sql.table(table)} where id = ${id})`;
}

/** Latest first. */
export async function findAuditEvents(db: Db, filter: AuditFilter) {
  const { workspaceId, userId, formId, verb, since, until, before, limit } = filter;
  return db
    .selectFrom('audit_events')
    .selectAll()
    .where((where) =>
      where.and([
        ...(workspaceId === undefined ? [] : [where('workspace_id', '=', workspaceId)]),
        ...(userId === undefined ? [] : [where('user_id', '=', userId)]),
        ...(formId === undefined ? [] : [where('form_id', '=', formId)]),
        ...(verb === undefined
          ? []
          : [where.or([where('verb', '=', verb), where(sql`split_part(verb, '.', 1)`, '=', verb)])]),
        ...(since === undefined ? [] : [where('created_at', '>=', since)]),
        ...(until === undefined ? [] : [where('created_at', '<', until)]),
        ...(before === undefined ? [] : [where('id', '<', before)]),
      ]),
    )
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}
