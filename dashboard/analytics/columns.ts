import { numberOption } from '../../fields/block-options/options.ts';
import type { Property } from '../../fields/property.ts';
import { canonicalTypeName } from '../../fields/type-names.ts';
import { STEP_TOLERANCE, sliderSteps, valueOfStep } from '../../fields/types/stepped.ts';
import { formatFigure } from '../lib/format.ts';
import { locales } from '../lib/locales.ts';
import type { FieldFigures } from './queries.ts';

/** One column of a chart. */
export interface Column {
  name: string;
  /** Shown below the column if it is shorter than the name. */
  short?: string;
  count: number;
}

/** Up to so many steps of a rating or a scale are all shown, including those nobody chose. */
const MAX_STEPS = 21;
/** With more months than this there is a column for each year. */
const MAX_MONTHS = 24;
/** Up to so many years are all shown, including those without an answer. */
const MAX_YEARS = 120;
const months = new Intl.DateTimeFormat(locales, {
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});

/** How often each step of a rating or a scale was chosen, from the lowest. */
export function stepColumns(property: Property, values: NonNullable<FieldFigures['values']>): Column[] {
  const counts = new Map(values.map(({ value, count }) => [Number(value), count]));
  const isRating = canonicalTypeName(property.type) === 'rating';
  const low = (isRating ? undefined : numberOption(property, 'scale_min_value')) ?? 1;
  const high = numberOption(property, isRating ? 'rating_max_value' : 'scale_max_value') ?? 5;
  const step = (isRating ? undefined : numberOption(property, 'scale_step_value')) ?? 1;
  const length = Math.floor((high - low) / step + 1.000_001);
  if (length > 0 && length <= MAX_STEPS)
    for (let index = 0; index < length; index++) {
      const value = Number((low + index * step).toPrecision(12));
      if (!counts.has(value)) counts.set(value, 0);
    }
  return [...counts]
    .sort(([one], [other]) => one - other)
    .map(([value, count]) => ({ name: formatFigure(value), count }));
}

/** The bins of a histogram, named by their bounds. */
export function binColumns({ histogram }: NonNullable<FieldFigures['numbers']>): Column[] {
  return histogram.map(({ from, to, count }) => ({
    // A bin with a single whole number is named by it.
    name:
      to - from === 1 && Number.isInteger(from)
        ? formatFigure(from)
        : `${formatFigure(from)} – ${formatFigure(to)}`,
    short: formatFigure(from),
    count,
  }));
}

/**
 * The bins of a slider, named by the steps in them; bins without a step are left out. If an answer lies between the steps, these
 * were changed since, and the bins stay as they are.
 */
export function sliderColumns(property: Property, numbers: NonNullable<FieldFigures['numbers']>): Column[] {
  const steps = sliderSteps(property);
  const { min, max, step } = steps;
  const end = Math.floor((max - min) / step + STEP_TOLERANCE);
  const stepFrom = (number: number) => Math.ceil((number - min) / step - STEP_TOLERANCE);
  const named = (index: number) => formatFigure(valueOfStep(steps, index));
  const columns: Column[] = [];
  for (const { from, to, count } of numbers.histogram) {
    const [first, last] = [Math.max(0, stepFrom(from)), Math.min(end, stepFrom(to) - 1)];
    if (first <= last) {
      const short = named(first);
      columns.push({ name: first === last ? short : `${short} – ${named(last)}`, short, count });
    } else if (count > 0) return binColumns(numbers);
  }
  return columns;
}

/** Consecutive months, including those without an answer, or years if there are too many. */
export function dateColumns(counted: NonNullable<FieldFigures['months']>): Column[] {
  const counts = new Map(counted.map(({ month, count }) => [monthIndex(month), count]));
  const all = [...counts.keys()];
  const first = Math.min(...all);
  const length = Math.max(...all) - first + 1;
  if (length <= MAX_MONTHS)
    return Array.from({ length }, (_, at) => ({
      name: months.format(Date.UTC(Math.floor((first + at) / 12), (first + at) % 12)),
      count: counts.get(first + at) ?? 0,
    }));
  const byYear = new Map<number, number>();
  for (const [index, count] of counts)
    byYear.set(Math.floor(index / 12), (byYear.get(Math.floor(index / 12)) ?? 0) + count);
  const years = [...byYear.keys()].sort((one, other) => one - other);
  const [from = 0, to = 0] = [years[0], years.at(-1)];
  const shown = to - from < MAX_YEARS ? Array.from({ length: to - from + 1 }, (_, at) => from + at) : years;
  return shown.map((year) => ({ name: String(year), count: byYear.get(year) ?? 0 }));
}

/** Months since the year 0. */
function monthIndex(month: string): number {
  return Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1;
}
