import { Bar, BarChart, ResponsiveContainer, Tooltip, XAxis } from 'recharts';
import { formatNumber } from '../lib/format.ts';
import type { Column } from './columns.ts';

const MARGIN = { top: 4, right: 16, bottom: 0, left: 16 };
const TICK = { fill: 'var(--muted)', fontSize: 12 };

/** How often, column by column. Whoever shows it says the same in words. */
export function ColumnChart({ columns }: { columns: Column[] }) {
  return (
    <ResponsiveContainer width="100%" height="100%">
      <BarChart data={columns} margin={MARGIN} accessibilityLayer={false} barCategoryGap="12%">
        <XAxis
          dataKey={({ name, short }: Column) => short ?? name}
          height={22}
          tick={TICK}
          tickLine={false}
          axisLine={{ stroke: 'var(--line)' }}
          minTickGap={16}
        />
        <Tooltip isAnimationActive={false} content={<ColumnCard />} cursor={{ fill: 'var(--hover)' }} />
        <Bar
          dataKey="count"
          fill="var(--accent)"
          radius={[3, 3, 0, 0]}
          maxBarSize={48}
          isAnimationActive={false}
        />
      </BarChart>
    </ResponsiveContainer>
  );
}

interface ColumnCardProps {
  active?: boolean;
  /** Given by the chart. */
  payload?: readonly { payload?: Column }[];
}

function ColumnCard({ active, payload }: ColumnCardProps) {
  const column = payload?.[0]?.payload;
  if (!active || !column) return null;
  return (
    <p className="flex gap-3 rounded-lg border border-line bg-raised px-3 py-2 text-[0.8125rem] shadow-lg">
      <span className="text-muted">{column.name}</span>
      <span className="font-medium tabular-nums">{formatNumber(column.count)}</span>
    </p>
  );
}
