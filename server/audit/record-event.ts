import type { Transaction } from '../db/database.ts';
import type { Actor } from './actor.ts';
import { insertAuditEvent } from './queries.ts';
import type { AuditVerb } from './verbs.ts';

/** Small facts about an act. Never secrets, answers or header values. */
export type AuditDetails = Record<string, string | number | boolean | null | string[] | number[]>;

export interface AuditEvent {
  verb: AuditVerb;
  /** Not needed with a form, whose workspace is looked up. */
  workspaceId?: number;
  formId?: number;
  /**
   * Another object of the act, such as a member or an integration. A response without its public id, by which respondents can edit it
   * where the form allows that: logs are copied to other places.
   */
  target?: { id: number | null; name: string | null };
  details?: AuditDetails;
}

/**
 * Records an act in the transaction that does it: both happen or neither. Names of workspace and form are taken at this
 * moment, so record a deletion before doing it.
 */
export function recordEvent(trx: Transaction, actor: Actor, event: AuditEvent): Promise<void> {
  return insertAuditEvent(trx, actor, event);
}
