import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../db/database.ts';
import { OPENS_AT } from '../forms/queries.ts';
import { IS_TRASHED } from '../forms/trash/queries.ts';
import { type DayRange, lengthOf } from './range.ts';

/** What is counted, as the API names it, and the kind of its rows in `form_days`. */
const KINDS = { views: 'view', starts: 'start', completed: 'completed', partial: 'partial' } as const;
export const FIGURES = ['views', 'starts', 'completed', 'partial'] as const;
type Figure = (typeof FIGURES)[number];

/** Sums of one form over the days, or of one day over the forms: one of `form_id` and `day` is null. */
export interface WorkspaceCounts extends Record<Figure | `${Figure}_before`, number> {
  form_id: number | null;
  /** `YYYY-MM-DD` */
  day: string | null;
  /** Of the last day of the range. */
  last_day_completed: number;
}

/**
 * Counts of all forms of a workspace that are not in the trash, over a range of days and over as many days before it (`…_before`),
 * in one snapshot. Like `findStatistics` it adds the submissions that are not in the counters yet.
 */
export async function findWorkspaceCounts(
  db: Db,
  workspaceId: number,
  range: DayRange,
): Promise<WorkspaceCounts[]> {
  const from = sql`${range.from}::date`;
  const to = sql`${range.to}::date`;
  const first = sql`${from} - ${lengthOf(range)}::int`;
  const sums = FIGURES.map((figure) => {
    const kind = sql.lit(KINDS[figure]);
    return sql`${sum(sql`kind = ${kind} and day >= ${from}`)} as ${sql.ref(figure)},
      ${sum(sql`kind = ${kind} and day < ${from}`)} as ${sql.ref(`${figure}_before`)}`;
  });
  const { rows } = await sql<WorkspaceCounts>`
    with living as materialized (
      select forms.id, coalesce(last_id, 0) as last_id
      from forms left join counted_submissions on counted_submissions.form_id = forms.id
      where workspace_id = ${workspaceId} and not ${IS_TRASHED}
    ),
    counted as (
      select form_id, day, kind, count from living join form_days on form_id = living.id
      where day between ${first} and ${to} and kind in (${sql.join(Object.values(KINDS).map(sql.lit))})
      union all
      select form_id, (created_at at time zone 'UTC')::date, status, 1
      from living join submissions on form_id = living.id and submissions.id > last_id
      where (created_at at time zone 'UTC')::date between ${first} and ${to}
    )
    -- Two groupings of few groups each, with the kinds side by side: hashed in one pass, where more groups would be sorted.
    select form_id, day::text, ${sql.join(sums)},
      ${sum(sql`kind = 'completed' and day = ${to}`)} as last_day_completed
    from counted group by grouping sets ((form_id), (day))
    having day is null or day >= ${from}`.execute(db);
  return rows;
}

/** The sum of the counts that meet a condition. */
function sum(condition: RawBuilder<unknown>): RawBuilder<number> {
  return sql`coalesce(sum(count) filter (where ${condition}), 0)::bigint`;
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
