import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import { OPENS_AT } from '../forms/queries.ts';
import { IS_TRASHED } from '../forms/trash/queries.ts';
import { type DayRange, lengthOf } from './range.ts';

/** A sum over the days, for one form, or over the forms, for one day: one of `form_id` and `day` is null. */
export interface WorkspaceCount {
  form_id: number | null;
  /** `YYYY-MM-DD` */
  day: string | null;
  kind: 'view' | 'start' | 'completed' | 'partial';
  count: number;
  /** The same over as many days before the range; of a day 0. */
  before: number;
  /** The same of the last day of the range. */
  last_day: number;
}

/**
 * Counts of all forms of a workspace that are not in the trash, over a range of days and over as many days before it, in one snapshot.
 * Like `findStatistics` it adds the submissions that are not in the counters yet.
 */
export async function findWorkspaceCounts(
  db: Db,
  workspaceId: number,
  range: DayRange,
): Promise<WorkspaceCount[]> {
  const from = sql`${range.from}::date`;
  const to = sql`${range.to}::date`;
  const first = sql`${from} - ${lengthOf(range)}::int`;
  const { rows } = await sql<WorkspaceCount>`
    with living as materialized (
      select forms.id, coalesce(last_id, 0) as last_id
      from forms left join counted_submissions on counted_submissions.form_id = forms.id
      where workspace_id = ${workspaceId} and not ${IS_TRASHED}
    ),
    counted as (
      select form_id, day, kind, count from living join form_days on form_id = living.id
      where day between ${first} and ${to} and kind in ('view', 'start', 'completed', 'partial')
      union all
      select form_id, (created_at at time zone 'UTC')::date, status, 1
      from living join submissions on form_id = living.id and submissions.id > last_id
      where (created_at at time zone 'UTC')::date between ${first} and ${to}
    )
    select form_id, day::text, kind, coalesce(sum(count) filter (where day >= ${from}), 0)::bigint as count,
      coalesce(sum(count) filter (where day < ${from}), 0)::bigint as before,
      coalesce(sum(count) filter (where day = ${to}), 0)::bigint as last_day
    from counted
    group by grouping sets ((form_id, kind), (day, kind))
    having day is null or day >= ${from}`.execute(db);
  return rows;
}

export type CountedForm = Awaited<ReturnType<typeof findCountedForms>>[number];

/** The forms of a workspace that are not in the trash, as `findWorkspaceCounts` counts them; the last made first. */
export function findCountedForms(db: Db, workspaceId: number) {
  return db
    .selectFrom('forms')
    .innerJoin('form_counters', 'form_counters.form_id', 'forms.id')
    .select(['id', 'slug', 'title', 'visibility', 'closes_at', 'max_submissions_count', 'completed_count'])
    .select(OPENS_AT.as('opens_at'))
    .where('workspace_id', '=', workspaceId)
    .where(IS_TRASHED, '=', false)
    .orderBy('id', 'desc')
    .execute();
}
