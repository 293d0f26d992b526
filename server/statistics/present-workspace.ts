import { isClosedAt } from '../forms/open-times.ts';
import { type DayRange, daysOf } from './range.ts';
import { MAX_LISTED_FORMS } from './schemas.ts';
import type { CountedForm, WorkspaceCount } from './workspace-queries.ts';

/** Counts by kind; kinds without any are left out. */
type Counts = Partial<Record<WorkspaceCount['kind'], WorkspaceCount>>;

export function presentWorkspaceStatistics(
  range: DayRange,
  { forms, rows, now }: { forms: CountedForm[]; rows: WorkspaceCount[]; now: Date },
) {
  const byForm = grouped(rows, ({ form_id }) => form_id);
  const byDay = grouped(rows, ({ day }) => day);
  const listed = forms
    .filter(({ id, visibility }) => visibility !== 'draft' || byForm.has(id))
    .map((form) => ({ ...state(form, now), ...compared(byForm.get(form.id)) }))
    // The list comes in another order already, and what is equal stays in it.
    .sort((one, other) => other.completed - one.completed || other.views - one.views);
  return {
    ...range,
    totals: compared(total(byForm.values())),
    days: daysOf(range).map((date) => {
      const { completion_rate, ...counts } = figures(byDay.get(date), 'count');
      return { date, ...counts };
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

function compared(counts: Counts | undefined) {
  return {
    ...figures(counts, 'count'),
    last_day_completed: counts?.completed?.last_day ?? 0,
    before: figures(counts, 'before'),
  };
}

function figures(counts: Counts = {}, key: 'count' | 'before') {
  const of = (kind: WorkspaceCount['kind']) => counts[kind]?.[key] ?? 0;
  const [starts, completed] = [of('start'), of('completed')];
  return {
    views: of('view'),
    starts,
    completed,
    partial: of('partial'),
    completion_rate: starts === 0 ? null : Math.min(1, completed / starts),
  };
}

function total(all: Iterable<Counts>): Counts {
  const sums: Counts = {};
  for (const counts of all)
    for (const row of Object.values(counts)) {
      const sum = sums[row.kind];
      sums[row.kind] = {
        ...row,
        count: row.count + (sum?.count ?? 0),
        before: row.before + (sum?.before ?? 0),
        last_day: row.last_day + (sum?.last_day ?? 0),
      };
    }
  return sums;
}

function grouped<Key>(rows: WorkspaceCount[], keyOf: (row: WorkspaceCount) => Key | null): Map<Key, Counts> {
  const counts = new Map<Key, Counts>();
  for (const row of rows) {
    const key = keyOf(row);
    if (key !== null) counts.set(key, { ...counts.get(key), [row.kind]: row });
  }
  return counts;
}
