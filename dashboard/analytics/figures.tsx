import { formatNumber } from '../lib/format.ts';
import { locales } from '../lib/locales.ts';
import { formatSeconds } from '../responses/answers/answer-text.ts';
import type { Statistics } from './queries.ts';

const percents = new Intl.NumberFormat(locales, { style: 'percent', maximumFractionDigits: 1 });

export function formatShare(part: number, whole: number): string {
  return whole > 0 ? percents.format(part / whole) : '–';
}

/** @param rate null if nothing was begun */
export function formatRate(rate: number | null): string {
  return rate === null ? '–' : percents.format(rate);
}

/** The figures of the range, explained where their meaning is not obvious. */
export function Figures({ totals, withPartials }: { totals: Statistics['totals']; withPartials: boolean }) {
  const { median_completion_time: median, average_completion_time: average } = totals;
  const figures: Figure[] = [
    ['Views', formatNumber(totals.views)],
    ['Starts', formatNumber(totals.starts), 'Visits with an answer'],
    ['Completed', formatNumber(totals.completed)],
    ...(withPartials ? [['Partial', formatNumber(totals.partial), 'Left before the end'] as Figure] : []),
    ['Completion rate', formatRate(totals.completion_rate), 'Completed per start'],
    [
      'Time to complete',
      median === null ? '–' : formatSeconds(median),
      average === null ? 'Median' : `Median; ${formatSeconds(average)} on average`,
    ],
  ];
  return <FigureList figures={figures} />;
}

/** A figure under its name, with a word of what it means. */
export type Figure = [name: string, value: string, hint?: string];

export function FigureList({ figures }: { figures: Figure[] }) {
  return (
    <dl className="flex flex-wrap gap-3">
      {figures.map(([name, value, hint]) => (
        <div key={name} className="grow basis-36 rounded-xl border border-line bg-surface p-4">
          <dt className="text-muted">{name}</dt>
          <dd className="mt-1 text-lg font-semibold tabular-nums">{value}</dd>
          {hint && <dd className="mt-0.5 text-xs text-muted">{hint}</dd>}
        </div>
      ))}
    </dl>
  );
}
