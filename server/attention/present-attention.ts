import type { Db } from '../db/database.ts';
import {
  type FormInNeed,
  findFormsInNeed,
  findIntegrationsInNeed,
  type IntegrationInNeed,
} from './queries.ts';
import { type AttentionItem, KINDS } from './schemas.ts';

/** What needs attention in a workspace, the most pressing first. @param seesIntegrations whether whoever asks may list them */
export async function readAttention(
  db: Db,
  workspaceId: number,
  { seesIntegrations }: { seesIntegrations: boolean },
): Promise<AttentionItem[]> {
  const [forms, integrations] = await Promise.all([
    findFormsInNeed(db, workspaceId),
    seesIntegrations ? findIntegrationsInNeed(db, workspaceId) : [],
  ]);
  return presentAttention(forms, integrations);
}

/** In the order of `KINDS`. */
function presentAttention(forms: FormInNeed[], integrations: IntegrationInNeed[]): AttentionItem[] {
  const items = [...integrations.map(presentIntegration), ...forms.flatMap(presentForm)];
  return items.sort((one, other) => KINDS.indexOf(one.kind) - KINDS.indexOf(other.kind));
}

/** One line for each integration: of all its troubles the worst. */
function presentIntegration(row: IntegrationInNeed): AttentionItem {
  const { inactive_reason: reason, failing_since: since, exhausted: count } = row;
  const common = {
    form: { id: row.form_id, title: row.form_title },
    integration: { id: row.id, integration_id: row.kind },
    count,
    ...(since && { since: since.toISOString() }),
  };
  if (reason !== null) return { kind: 'integration_stopped', ...common, reason };
  return { kind: count > 0 ? 'deliveries_failed' : 'integration_failing', ...common };
}

/** A full form is no longer said to close. */
function presentForm(row: FormInNeed): AttentionItem[] {
  const form = { id: row.id, title: row.title };
  const paid = { kind: 'paid_not_taken' as const, form, count: row.paid_not_taken };
  if (row.is_trashed) return [paid];
  const closesAt = row.closes_at?.toISOString();
  return [
    ...(row.cannot_charge ? [{ kind: 'payments_disconnected' as const, form }] : []),
    ...(row.is_full ? [{ kind: 'form_full' as const, form }] : []),
    ...(closesAt && !row.is_full ? [{ kind: 'form_closing' as const, form, closes_at: closesAt }] : []),
    ...(row.paid_not_taken > 0 ? [paid] : []),
    ...(row.set_aside > 0 ? [{ kind: 'set_aside' as const, form, count: row.set_aside }] : []),
    ...(row.to_review > 0 ? [{ kind: 'to_review' as const, form, count: row.to_review }] : []),
  ];
}
