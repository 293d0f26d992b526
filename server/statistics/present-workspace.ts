import type { Db } from '../db/database.ts';
import { isClosedAt } from '../forms/open-times.ts';
import { completionRate } from './completion-rate.ts';
import { type DayRange, daysOf } from './range.ts';
import { MAX_LISTED_FORMS } from './schemas.ts';
import {
  type CountedForm,
  FIGURES,
  findCountedForms,
  findWorkspaceCounts,
  type WorkspaceCounts,
} from './workspace-queries.ts';

export type WorkspaceStatistics = Awaited<ReturnType<typeof readWorkspaceStatistics>>;

/** The figures of all forms of a workspace, together, by day and by form, beside those of as many days before. */
export async function readWorkspaceStatistics(db: Db, workspaceId: number, range: DayRange) {
  const [forms, rows] = await Promise.all([
    findCountedForms(db, workspaceId),
    findWorkspaceCounts(db, workspaceId, range),
  ]);
  const now = new Date();
  const byForm = new Map(rows.map((row) => [row.form_id, row]));
  const byDay = new Map(rows.map((row) => [row.day, row]));
  const listed = forms
    .filter(({ id, visibility }) => visibility !== 'draft' || byForm.has(id))
    .map((form) => ({ ...state(form, now), ...compared(byForm.get(form.id) ?? NOTHING) }))
    // What is equal stays in the order of the query.
    .sort((one, other) => other.completed - one.completed || other.views - one.views);
  return {
    ...range,
    totals: totalsOf(rows.filter(({ day }) => day === null)),
    days: daysOf(range).map((date) => {
      const { views, starts, completed, partial } = byDay.get(date) ?? NOTHING;
      return { date, views, starts, completed, partial };
    }),
    forms_count: listed.length,
    forms: listed.slice(0, MAX_LISTED_FORMS),
  };
}

function state(form: CountedForm, now: Date) {
  const { id, slug, title, visibility, max_submissions_count: limit } = form;
  return {
    id,
    slug,
    title,
    visibility,
    is_closed: isClosedAt({ visibility, opensAt: form.opens_at, closesAt: form.closes_at }, now),
    opens_at: form.opens_at?.toISOString() ?? null,
    max_number_of_submissions_reached: limit !== null && form.completed_count >= limit,
  };
}

/** The sums of a row without what it is of. */
type Sums = Omit<WorkspaceCounts, 'form_id' | 'day'>;

const NOTHING: Sums = {
  ...{ views: 0, starts: 0, completed: 0, partial: 0, last_day_completed: 0 },
  ...{ views_before: 0, starts_before: 0, completed_before: 0, partial_before: 0 },
};

/** The figures of all forms together; the rate is the mean of theirs, weighted by starts. */
function totalsOf(forms: Sums[]) {
  const totals = compared(forms.reduce(added, NOTHING));
  const rate = (starts: 'starts' | 'starts_before', completed: 'completed' | 'completed_before') => {
    // Beyond its starts, the submissions of a form came without any: by the API, or from another site.
    const fromStarts = forms.reduce((sum, form) => sum + Math.min(form[starts], form[completed]), 0);
    return completionRate(
      forms.reduce((sum, form) => sum + form[starts], 0),
      fromStarts,
    );
  };
  return {
    ...totals,
    completion_rate: rate('starts', 'completed'),
    before: { ...totals.before, completion_rate: rate('starts_before', 'completed_before') },
  };
}

function added(one: Sums, other: Sums): Sums {
  const sums = { ...one, last_day_completed: one.last_day_completed + other.last_day_completed };
  for (const figure of FIGURES) {
    sums[figure] += other[figure];
    sums[`${figure}_before`] += other[`${figure}_before`];
  }
  return sums;
}

function compared(sums: Sums) {
  const { views, starts, completed, partial, last_day_completed } = sums;
  return {
    ...withRate({ views, starts, completed, partial }),
    last_day_completed,
    before: withRate({
      views: sums.views_before,
      starts: sums.starts_before,
      completed: sums.completed_before,
      partial: sums.partial_before,
    }),
  };
}

function withRate<Counts extends { starts: number; completed: number }>(counts: Counts) {
  const { starts, completed } = counts;
  return { ...counts, completion_rate: completionRate(starts, completed) };
}
