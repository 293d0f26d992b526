import type { LoadClient } from './load-client.ts';
import type { Scratch } from './scratch.ts';
import { type Latency, median } from './statistics.ts';
import type { LoadResult } from './submit-load.ts';

export const FIGURE_NAMES = ['start', 'intake', 'delivery', 'export', 'lists', 'pages'] as const;
export type FigureName = (typeof FIGURE_NAMES)[number];

/** One line of the table. */
export interface Figure {
  group: FigureName;
  name: string;
  unit: string;
  /** One value per round; empty when it could not be measured. */
  values: number[];
  latency?: Latency[];
  /** The median relative to the median of another figure of this run. */
  ratio?: { to: string; value: number };
  /** Why there are no values. */
  unavailable?: string;
}

/** Numbers to compare: everything accepted must be stored. */
export interface Count {
  group: FigureName;
  acknowledged: number;
  stored: number;
  /** Deliveries that were queued without a submission. */
  copied?: number;
  /** null when no worker ran. */
  delivered: number | null;
}

export interface Settings {
  only: FigureName[];
  rounds: number;
  /** Length of one round of load. */
  seconds: number;
  /** Submissions to list and export. */
  rows: number;
  /** Webhooks drained in one round. */
  deliveries: number;
}

/** What every figure works with. */
export interface Bench {
  settings: Settings;
  scratch: Scratch;
  load: LoadClient;
  /** Where the webhooks go. */
  receiverUrl: string;
  counts: Count[];
  /** Reports the progress. */
  tell(line: string): void;
}

/** Requests per second and latencies, one value per round. */
export function rateFigure(group: FigureName, name: string, results: LoadResult[]): Figure {
  return {
    group,
    name,
    unit: '/s',
    values: results.map(({ acknowledged, seconds }) => acknowledged / seconds),
    latency: results.map(({ latency }) => latency),
  };
}

/** The figure with its ratio to another. */
export function comparedTo(figure: Figure, floor: Figure): Figure {
  if (figure.values.length === 0 || floor.values.length === 0) return figure;
  return { ...figure, ratio: { to: floor.name, value: median(figure.values) / median(floor.values) } };
}

/** Measures what not every platform offers: without it the reason replaces the value. */
export async function ifPossible(
  figure: Omit<Figure, 'values'>,
  measure: () => number[] | Promise<number[]>,
): Promise<Figure> {
  try {
    return { ...figure, values: await measure() };
  } catch (error) {
    return { ...figure, values: [], unavailable: (error as Error).message };
  }
}
