import { fieldTypeOf } from '../../fields/field-types.ts';
import { type Ending, reachedEnding } from '../../fields/logic/endings.ts';
import { stepsOf } from '../../fields/logic/steps.ts';
import type { Property } from '../../fields/property.ts';
import { completionRate } from './completion-rate.ts';
import type { StatisticsRow } from './queries.ts';
import { type DayRange, daysOf } from './range.ts';
import { typicalTime } from './typical-time.ts';

/** Referrers and attribution values listed; the rest is summed up. */
const MAX_NAMES = 50;
const DEVICES = ['phone', 'tablet', 'desktop'] as const;

/** The steps and fields that the form has now. */
export interface StatisticsForm {
  properties: Property[];
  style: 'classic' | 'focused';
  endings: readonly Pick<Ending, 'id' | 'name'>[];
}

/** Counts by kind, then by day or by place. */
type Counts = ReadonlyMap<string, ReadonlyMap<string, number>>;

export function presentStatistics(form: StatisticsForm, range: DayRange, rows: StatisticsRow[]) {
  const byDay = grouped(rows, ({ day }) => day);
  const byPlace = grouped(rows, ({ place }) => place);
  const total = (kind: string) => sum(byPlace.get(kind));
  const [views, starts, completed] = [total('view'), total('start'), total('completed')];
  return {
    ...range,
    totals: {
      views,
      starts,
      completed,
      partial: total('partial'),
      completion_rate: completionRate(starts, completed),
      ...completionTimes(byPlace),
    },
    days: daysOf(range).map((date) => ({
      date,
      views: byDay.get('view')?.get(date) ?? 0,
      starts: byDay.get('start')?.get(date) ?? 0,
      completed: byDay.get('completed')?.get(date) ?? 0,
      partial: byDay.get('partial')?.get(date) ?? 0,
    })),
    devices: DEVICES.map((device) => ({ device, views: byPlace.get('view')?.get(device) ?? 0 })),
    referrers: referrersOf(byPlace.get('referrer'), views),
    sources: {
      utm_source: sourcesOf(byPlace.get('utm_source'), completed),
      utm_medium: sourcesOf(byPlace.get('utm_medium'), completed),
      utm_campaign: sourcesOf(byPlace.get('utm_campaign'), completed),
    },
    endings: endingsOf(form, byPlace.get('ending'), completed),
    ...dropOff(form, byPlace, views),
  };
}

function referrersOf(counts: ReadonlyMap<string, number> | undefined, views: number) {
  const { named, other } = mostFrequent(counts);
  return {
    direct: Math.max(0, views - sum(counts)),
    hosts: named.map(([host, views]) => ({ host, views })),
    other,
  };
}

function sourcesOf(counts: ReadonlyMap<string, number> | undefined, completed: number) {
  const { named, other } = mostFrequent(counts);
  return {
    none: completed - sum(counts),
    values: named.map(([value, completed]) => ({ value, completed })),
    other,
  };
}

/** The endings of the form in their order, then those it no longer has but that were reached. */
function endingsOf(
  { endings }: StatisticsForm,
  counts: ReadonlyMap<string, number> = new Map(),
  completed: number,
) {
  const removed = [...counts.keys()].filter((id) => !endings.some((ending) => ending.id === id)).sort();
  const ids = [...endings.map(({ id }) => id), ...removed];
  return {
    none: completed - sum(counts),
    values: ids.map((id) => ({ ...reachedEnding(endings, id), completed: counts.get(id) ?? 0 })),
  };
}

/** How far visits came. Everybody who sees the form reaches the first step. */
function dropOff({ properties, style }: StatisticsForm, byPlace: Counts, views: number) {
  const steps = stepsOf(properties, style);
  const reached = (step: number) => (step === 0 ? views : (byPlace.get('step')?.get(String(step)) ?? 0));
  return {
    steps: steps.map((_, index) => ({
      index,
      reached: reached(index),
      left: byPlace.get('left')?.get(String(index)) ?? 0,
    })),
    fields: steps.flatMap(({ blocks }, step) =>
      blocks
        .filter(({ type }) => fieldTypeOf(type).kind === 'input')
        .map(({ id, name, type }) => ({
          id,
          name,
          type,
          step,
          reached: reached(step),
          answered: byPlace.get('field')?.get(id) ?? 0,
          typical_time: typicalTime(byPlace.get('timed')?.get(id), byPlace.get('log_time')?.get(id)),
        })),
    ),
  };
}

/** In seconds; null when no completed submission has a completion time. */
function completionTimes(byPlace: Counts) {
  const durations = [...(byPlace.get('duration') ?? [])].map(
    ([seconds, count]) => [Number(seconds), count] as const,
  );
  durations.sort(([one], [other]) => one - other);
  const count = sum(byPlace.get('duration'));
  if (count === 0) return { median_completion_time: null, average_completion_time: null };
  const middle =
    (nthValue(durations, Math.floor((count - 1) / 2)) + nthValue(durations, Math.floor(count / 2))) / 2;
  return { median_completion_time: middle, average_completion_time: sum(byPlace.get('time')) / count };
}

/** The value at an index of a sorted list, in which each value has a count. */
function nthValue(values: readonly (readonly [value: number, count: number])[], n: number): number {
  let passed = 0;
  for (const [value, count] of values) {
    passed += count;
    if (n < passed) return value;
  }
  return 0;
}

/** Counts without a name become `other`. */
function mostFrequent(counts: ReadonlyMap<string, number> = new Map()) {
  const named = [...counts].filter(([place]) => place !== '');
  named.sort(([onePlace, one], [otherPlace, other]) => other - one || (onePlace < otherPlace ? -1 : 1));
  const shown = named.slice(0, MAX_NAMES);
  return { named: shown, other: sum(counts) - sum(new Map(shown)) };
}

function grouped(rows: StatisticsRow[], keyOf: (row: StatisticsRow) => string | null): Counts {
  const counts = new Map<string, Map<string, number>>();
  for (const row of rows) {
    const key = keyOf(row);
    if (key === null) continue;
    const ofKind = counts.get(row.kind) ?? new Map();
    counts.set(row.kind, ofKind.set(key, row.count));
  }
  return counts;
}

function sum(counts: ReadonlyMap<string, number> = new Map()): number {
  let total = 0;
  for (const count of counts.values()) total += count;
  return total;
}
