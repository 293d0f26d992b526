import { lazy, Suspense, useState } from 'react';
import { formatDay, formatNumber } from '../lib/format.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/page.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { Cell, HeadCell, Row, Table } from '../ui/table.tsx';
import type { Statistics } from './queries.ts';
import { isDrawnAsBars, type Series, seriesOf } from './series.ts';

// Loaded on demand, because the chart library is several times as large as a screen.
const DayChart = lazy(async () => ({ default: (await import('./day-chart.tsx')).DayChart }));

/** Figures by day, as a chart or as a table. */
export function Days({ days, withPartials }: { days: Statistics['days']; withPartials: boolean }) {
  const [isTable, setTable] = useState(false);
  const series = seriesOf(withPartials);
  return (
    <Card
      title="Per day"
      actions={
        <Button size="sm" onClick={() => setTable(!isTable)}>
          {isTable ? 'Show as chart' : 'Show as table'}
        </Button>
      }
    >
      {isTable ? (
        <Table label="Figures per day" className="max-h-80 overflow-y-auto">
          <thead>
            <tr>
              <HeadCell>Day</HeadCell>
              {series.map(({ key, name }) => (
                <HeadCell key={key} className="text-end">
                  {name}
                </HeadCell>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.toReversed().map((day) => (
              <Row key={day.date}>
                <Cell className="h-9 py-1">{formatDay(`${day.date}T00:00`)}</Cell>
                {series.map(({ key }) => (
                  <Cell key={key} className="h-9 py-1 text-end tabular-nums">
                    {formatNumber(day[key])}
                  </Cell>
                ))}
              </Row>
            ))}
          </tbody>
        </Table>
      ) : (
        <>
          <div
            role="img"
            aria-label="Views, starts and responses per day. “Show as table” has the same figures."
            dir="ltr"
            className="h-64 min-w-0 overflow-hidden"
          >
            <Suspense fallback={<Skeleton className="h-64 rounded-lg" />}>
              <DayChart days={days} withPartials={withPartials} />
            </Suspense>
          </div>
          <ul className="mt-3 flex flex-wrap gap-x-5 gap-y-1 text-[0.8125rem] text-muted">
            {series.map((one) => (
              <li key={one.key} className="flex items-center gap-2">
                <Sample {...one} asBar={isDrawnAsBars(days)} />
                {one.name}
              </li>
            ))}
          </ul>
        </>
      )}
    </Card>
  );
}

/** How a series looks in the chart. */
function Sample({ color, dash, asBar }: Series & { asBar: boolean }) {
  // Forced colors would take the color of a background.
  if (asBar)
    return (
      <svg aria-hidden="true" width="10" height="10">
        <rect width="10" height="10" rx="2" fill={color} />
      </svg>
    );
  return (
    <svg aria-hidden="true" width="24" height="2">
      <line x2="24" y1="1" y2="1" stroke={color} strokeWidth="2" {...(dash && { strokeDasharray: dash })} />
    </svg>
  );
}
