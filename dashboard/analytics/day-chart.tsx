import {
  Bar,
  BarChart,
  CartesianGrid,
  Line,
  LineChart,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts';
import { formatDay, formatNumber } from '../lib/format.ts';
import { locales } from '../lib/locales.ts';
import type { Statistics } from './queries.ts';
import { isDrawnAsBars, type Series, seriesOf } from './series.ts';

const MARGIN = { top: 8, right: 8, bottom: 0, left: 0 };
/** Pixels beside the first and the last day, whose labels would be cut where the numbers of the other axis are short. */
const X_PADDING = { left: 14, right: 14 };
const TICK = { fill: 'var(--muted)', fontSize: 12 };
const short = new Intl.DateTimeFormat(locales, { day: 'numeric', month: 'short' });

/** A chart by day. The same figures are in the table beside it, for those who cannot see it. */
export function DayChart({ days, withPartials }: { days: Statistics['days']; withPartials: boolean }) {
  const series = seriesOf(withPartials);
  const asBars = isDrawnAsBars(days);
  const Chart = asBars ? BarChart : LineChart;
  return (
    <ResponsiveContainer width="100%" height="100%">
      <Chart data={days} margin={MARGIN} accessibilityLayer={false}>
        <CartesianGrid vertical={false} stroke="var(--line)" />
        <XAxis
          dataKey="date"
          tickFormatter={(date: string) => short.format(new Date(`${date}T00:00`))}
          tick={TICK}
          tickLine={false}
          axisLine={{ stroke: 'var(--line)' }}
          padding={X_PADDING}
          minTickGap={32}
          interval="equidistantPreserveStart"
        />
        <YAxis
          allowDecimals={false}
          tick={TICK}
          tickLine={false}
          axisLine={false}
          width="auto"
          tickFormatter={formatNumber}
        />
        <Tooltip
          isAnimationActive={false}
          content={<DayCard series={series} />}
          cursor={{ fill: 'var(--hover)', stroke: 'var(--line)' }}
        />
        {series.map(({ key, name, color, dash }) =>
          asBars ? (
            <Bar
              key={key}
              dataKey={key}
              name={name}
              fill={color}
              radius={[3, 3, 0, 0]}
              maxBarSize={28}
              isAnimationActive={false}
            />
          ) : (
            <Line
              key={key}
              dataKey={key}
              name={name}
              stroke={color}
              strokeWidth={2}
              {...(dash && { strokeDasharray: dash })}
              dot={false}
              isAnimationActive={false}
            />
          ),
        )}
      </Chart>
    </ResponsiveContainer>
  );
}

interface DayCardProps {
  series: Series[];
  active?: boolean;
  /** Set by the chart. */
  payload?: readonly { payload?: Statistics['days'][number] }[];
}

function DayCard({ series, active, payload }: DayCardProps) {
  const day = payload?.[0]?.payload;
  if (!active || !day) return null;
  return (
    <div className="rounded-lg border border-line bg-raised px-3 py-2 text-[0.8125rem] shadow-lg">
      <p className="mb-1 font-medium">{formatDay(`${day.date}T00:00`)}</p>
      {series.map(({ key, name, color }) => (
        <p key={key} className="flex items-center gap-2">
          <span className="size-2 rounded-full" style={{ background: color }} />
          <span className="me-4 text-muted">{name}</span>
          <span className="ms-auto tabular-nums">{formatNumber(day[key])}</span>
        </p>
      ))}
    </div>
  );
}
