import type { Statistics } from './queries.ts';

export interface Series {
  key: 'views' | 'starts' | 'completed' | 'partial';
  name: string;
  color: string;
  /** Distinguishes lines without color. */
  dash?: string;
}

const SERIES: Series[] = [
  { key: 'views', name: 'Views', color: 'var(--edge)', dash: '2 3' },
  { key: 'starts', name: 'Starts', color: 'var(--warn)', dash: '6 3' },
  { key: 'completed', name: 'Completed', color: 'var(--accent)' },
  { key: 'partial', name: 'Partial', color: 'var(--good)', dash: '8 3 2 3' },
];

/** The series of the chart by day. */
export function seriesOf(withPartials: boolean): Series[] {
  return withPartials ? SERIES : SERIES.filter(({ key }) => key !== 'partial');
}

/** Up to so many days are drawn as bars, more as lines. */
const MAX_BARS = 14;

export function isDrawnAsBars(days: Statistics['days']): boolean {
  return days.length <= MAX_BARS;
}
