import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import { IS_TRASHED } from '../forms/trash/queries.ts';
import { CLOSING_DAYS, MAX_COUNTED, MAX_ROWS } from './limits.ts';

/** A form with something for its team to do. */
export interface FormInNeed {
  id: number;
  title: string;
  /** It takes no more submissions, although it is open. */
  is_full: boolean;
  /** It is in the trash: only what is paid and not taken in needs somebody. */
  is_trashed: boolean;
  /** It is open and asks for money, but its workspace has no account to take it. */
  cannot_charge: boolean;
  /** null unless it closes by itself soon. */
  closes_at: Date | null;
  /** Suspected spam, up to `MAX_COUNTED`. */
  set_aside: number;
  /** Paid, but not taken in; up to `MAX_COUNTED`. */
  paid_not_taken: number;
  /** Submissions nobody has decided about, of a form whose others were decided about. */
  to_review: number;
}

/** Forms of a workspace that need attention, those in the trash only for what is paid; the last made first. */
export async function findFormsInNeed(db: Db, workspaceId: number): Promise<FormInNeed[]> {
  const { rows } = await sql<FormInNeed>`
    select id, title, is_trashed, is_full, cannot_charge, case when is_closing then closes_at end as closes_at, set_aside, paid_not_taken, to_review
    from (
      select forms.id, title, closes_at, ${IS_TRASHED} as is_trashed,
        is_open and coalesce(completed_count >= max_submissions_count, false) as is_full,
        is_open and not charging.is_possible
          and exists (
            select from jsonb_array_elements(properties) block
            where block->>'type' = 'payment' and coalesce(block->>'amount', '') <> ''
          ) as cannot_charge,
        is_open and closes_at <= now() + make_interval(days => ${sql.lit(CLOSING_DAYS)}) as is_closing,
        (select count(*) from (
          select from set_aside_submissions where form_id = forms.id and not reasons && '{unconfirmed_email,unpaid,paid_but_refused}' limit ${sql.lit(MAX_COUNTED)}) aside
        ) as set_aside,
        (select count(*) from (
          select from set_aside_submissions
          where form_id = forms.id and amount_due is not null and reasons && '{paid_but_refused}' limit ${sql.lit(MAX_COUNTED)}) paid
        ) as paid_not_taken,
        case when decided > 0 then greatest(completed_count + partial_count - decided, 0) else 0 end as to_review
      from forms join form_counters on form_counters.form_id = forms.id
        cross join lateral (
          select visibility = 'public' and coalesce(closes_at > now(), true) as is_open
        ) gate
        cross join lateral (
          select count(*) as decided from submission_reviews
          where form_id = forms.id and state in ('has_issues', 'approved', 'rejected')
        ) reviewed
        cross join (
          select exists (select from workspace_payment_accounts where workspace_id = ${workspaceId}) as is_possible
        ) charging
      where workspace_id = ${workspaceId}
    ) looked_at
    where paid_not_taken > 0 or not is_trashed and (is_full or cannot_charge or is_closing or set_aside > 0 or to_review > 0)
    order by id desc limit ${sql.lit(MAX_ROWS)}`.execute(db);
  return rows;
}

/** An integration that does not deliver what it should. */
export interface IntegrationInNeed {
  id: number;
  form_id: number;
  form_title: string;
  /** `webhook`, or the word of a provider. */
  kind: string;
  /** Why the service made it inactive; null while it is active. */
  inactive_reason: string | null;
  failing_since: Date | null;
  /** Deliveries that were given up, up to `MAX_COUNTED`. */
  exhausted: number;
}

/** The same for integrations. Those that somebody switched off do what they should. */
export async function findIntegrationsInNeed(db: Db, workspaceId: number): Promise<IntegrationInNeed[]> {
  const { rows } = await sql<IntegrationInNeed>`
    select integrations.id, form_id, title as form_title, integration_id as kind, inactive_reason, failing_since,
      exhausted
    from forms join integrations on form_id = forms.id
      cross join lateral (
        select count(*) as exhausted from (
          select from deliveries
          where deliveries.form_id = forms.id and deliveries.integration_id = integrations.id and state = 'exhausted'
          limit ${sql.lit(MAX_COUNTED)}) given_up
      ) counted
    where workspace_id = ${workspaceId} and not ${IS_TRASHED}
      and (integrations.status = 'active' or inactive_reason is not null)
      and (inactive_reason is not null or failing_since is not null or exhausted > 0)
    order by form_id desc, integrations.id desc limit ${sql.lit(MAX_ROWS)}`.execute(db);
  return rows;
}
