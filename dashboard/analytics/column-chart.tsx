import { classes } from '../lib/classes.ts';
import { formatNumber } from '../lib/format.ts';
import type { Column } from './columns.ts';

/** Pixels: width of the chart on a phone, width of a character, space between two names. */
const WIDTH = 290;
const CHARACTER = 7;
const GAP = 16;

/** Frequencies as columns. It has no text alternative of its own, so the same must stand in words beside it. */
export function ColumnChart({ columns }: { columns: Column[] }) {
  const most = Math.max(1, ...columns.map(({ count }) => count));
  const labels = columns.map(({ name, short }) => short ?? name);
  const longest = Math.max(...labels.map((label) => label.length)) * CHARACTER + GAP;
  const every = Math.ceil((columns.length * longest) / WIDTH);
  return (
    <div className="flex h-full">
      {columns.map(({ name, count }, index) => (
        <div key={name} className="group relative flex min-w-0 flex-1 flex-col hover:bg-hover">
          <div className="flex min-h-0 flex-1 items-end justify-center border-b border-line px-[6%] pt-1">
            <div
              className={classes('drawn w-full max-w-12 rounded-t-sm bg-accent', count > 0 && 'min-h-0.5')}
              style={{ height: `${(count / most) * 100}%` }}
            />
          </div>
          <div
            className={classes(
              'flex h-6 items-end text-xs whitespace-nowrap text-muted tabular-nums',
              // Keeps names wider than their column inside the chart.
              every > 1 && index === 0
                ? 'justify-start'
                : every > 1 && index + every >= columns.length
                  ? 'justify-end'
                  : 'justify-center',
            )}
          >
            {index % every === 0 && labels[index]}
          </div>
          <p
            className={classes(
              'pointer-events-none absolute top-1 z-10 hidden gap-3 rounded-lg border border-line bg-raised px-3 py-2 text-[0.8125rem] whitespace-nowrap shadow-lg group-hover:flex',
              index < columns.length / 2 ? 'inset-s-full' : 'inset-e-full',
            )}
          >
            <span className="text-muted">{name}</span>
            <span className="font-medium tabular-nums">{formatNumber(count)}</span>
          </p>
        </div>
      ))}
    </div>
  );
}
