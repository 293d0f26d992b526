import type { Figure } from './figure.ts';
import type { Report } from './run-bench.ts';
import { median } from './statistics.ts';

const HEADINGS = ['', 'median', '', 'min–max', 'p50 ms', 'p99 ms', 'ratio'];

/** The report as lines for a terminal. */
export function printReport({ machine, settings, figures, counts }: Report): string[] {
  return [
    `Formstead ${machine.formstead} on ${machine.cores} cores (${machine.processor}), ${machine.memoryGb} GB, ${machine.system}`,
    `Node.js ${machine.node}, PostgreSQL ${machine.postgres} (fsync ${machine.fsync}, synchronous_commit ${machine.synchronousCommit})`,
    `data in ${machine.directory} (${machine.fileSystem}); load of the machine before: ${machine.loadBefore}`,
    `${settings.rounds} rounds of ${settings.seconds} s; service, database and load share the machine`,
    '',
    ...tableLines(figures),
    '',
    ...counts.map(
      ({ group, acknowledged, stored, copied, delivered }) =>
        `${group}: ${whole(acknowledged)} acknowledged = ${whole(stored)} stored` +
        (copied === undefined ? '' : `, with ${whole(copied)} copies`) +
        (delivered === null ? '' : ` = ${whole(delivered)} delivered`),
    ),
  ];
}

function tableLines(figures: Figure[]): string[] {
  const rows = [HEADINGS];
  let group = '';
  for (const figure of figures) {
    if (figure.group !== group) rows.push([], [figure.group]);
    group = figure.group;
    rows.push(cells(figure));
  }
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return column === 0 || column === 2 ? cell.padEnd(width) : cell.padStart(width);
      })
      .join('  ')
      .trimEnd(),
  );
}

function cells({ name, unit, values, latency, ratio, unavailable }: Figure): string[] {
  if (values.length === 0) return [`  ${name}`, 'n/a', '', unavailable ?? ''];
  const spread = `${short(Math.min(...values))}–${short(Math.max(...values))}`;
  return [
    `  ${name}`,
    short(median(values)),
    unit,
    values.length === 1 ? '' : spread,
    latency ? short(median(latency.map(({ p50 }) => p50))) : '',
    latency ? short(median(latency.map(({ p99 }) => p99))) : '',
    ratio ? ratioText(ratio.value) : '',
  ];
}

/** Noise allows no more than three digits. */
function short(value: number): string {
  return value >= 100 ? whole(value) : value.toPrecision(value >= 10 ? 3 : 2);
}

function ratioText(value: number): string {
  return value >= 10 ? `${whole(value)}×` : `${value.toFixed(2)}×`;
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en');
}
