import type { AuditRow } from './queries.ts';

export function presentAuditEvent(row: AuditRow) {
  return {
    id: row.id,
    created_at: row.created_at.toISOString(),
    verb: row.verb,
    actor: {
      kind: row.actor as 'user' | 'token' | 'cli' | 'system',
      user_id: row.user_id,
      user_name: row.user_name,
      token_id: row.token_id,
      token_name: row.token_name,
      network: row.network,
    },
    workspace: { id: row.workspace_id, name: row.workspace_name },
    form: row.form_id === null ? null : { id: row.form_id, title: row.form_title },
    target:
      row.target_id === null && row.target_name === null
        ? null
        : { id: row.target_id, name: row.target_name },
    details: row.details as Record<string, unknown>,
  };
}
