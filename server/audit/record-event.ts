import type { Transaction } from '../db/database.ts';
import type { Actor } from './actor.ts';
import { insertAuditEvent } from './queries.ts';
import type { AuditVerb } from './verbs.ts';

/** Small facts about an act: words, numbers, lists of them. Never secrets, answers or header values. */
export type AuditDetails = Record<string, string | number | boolean | null | string[] | number[]>;

export interface AuditEvent {
  verb: AuditVerb;
  /** Of a form it is found out by itself. */
  workspaceId?: number;
  formId?: number;
  /** What else the verb speaks of, such as a member or an integration. */
  target?: { id: number | null; name: string | null };
  details?: AuditDetails;
}

/**
 * Writes down an act in the transaction that does it: both happen or neither. Names of workspace and form are those of
 * this moment, so what is to be deleted is written down first.
 */
export function recordEvent(trx: Transaction, actor: Actor, event: AuditEvent): Promise<void> {
  return insertAuditEvent(trx, actor, event);
}
