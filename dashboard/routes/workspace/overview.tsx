import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { ChartColumn } from 'lucide-react';
import { Days } from '../../analytics/days.tsx';
import { type Figure, FigureList, formatRate } from '../../analytics/figures.tsx';
import { lengthOf, rangeOf } from '../../analytics/range.ts';
import { RangePicker } from '../../analytics/range-picker.tsx';
import { formatNumber } from '../../lib/format.ts';
import { useWorkspace } from '../../lib/workspace.ts';
import { Attention } from '../../overview/attention.tsx';
import { type DaysBefore, daysBefore } from '../../overview/days-before.ts';
import { FormsTable } from '../../overview/forms-table.tsx';
import {
  type AttentionItem,
  attentionQuery,
  type WorkspaceStatistics,
  workspaceStatisticsQuery,
} from '../../overview/queries.ts';
import { USUAL_DAYS } from '../../overview/search.ts';
import { SummaryMails } from '../../overview/summary-mails.tsx';
import { buttonClasses } from '../../ui/button.tsx';
import { Load } from '../../ui/load.tsx';
import { Page } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';

/** All forms of a workspace: what came in, by day and by form, and what needs attention. */
export function Overview() {
  const { id } = useWorkspace();
  const search = useSearch({ from: '/app/workspaces/$workspaceId/overview' });
  const navigate = useNavigate({ from: '/workspaces/$workspaceId/overview' });
  const statistics = useQuery(workspaceStatisticsQuery(id, rangeOf(search, USUAL_DAYS, new Date())));
  const attention = useQuery(attentionQuery(id));
  // Shown together, so that nothing moves when the second of them comes.
  const both = { ...statistics, data: attention.isPending ? undefined : statistics.data };
  return (
    <Page title="Overview">
      <div className="mb-5 flex flex-wrap items-end gap-3">
        <RangePicker
          search={search}
          usual={USUAL_DAYS}
          maxYears={1}
          onChange={({ days, from, to }) =>
            void navigate({ search: (former) => ({ ...former, days, from, to }), replace: true })
          }
        />
        <SummaryMails workspaceId={id} />
      </div>
      <Load query={both} skeleton={<OverviewSkeleton />}>
        {(loaded) => (
          <div
            aria-busy={statistics.isPlaceholderData}
            className={`grid grid-cols-1 gap-5 ${statistics.isPlaceholderData ? 'opacity-60' : ''}`}
          >
            <Report workspaceId={id} statistics={loaded} attention={attention} />
          </div>
        )}
      </Load>
      <p className="mt-5 text-xs text-muted">Days are days in UTC. Forms in the trash do not count.</p>
    </Page>
  );
}

interface ReportProps {
  workspaceId: number;
  statistics: WorkspaceStatistics;
  attention: { data: AttentionItem[] | undefined; error: Error | null; refetch(): unknown };
}

function Report({ workspaceId, statistics, attention }: ReportProps) {
  const search = useSearch({ from: '/app/workspaces/$workspaceId/overview' });
  const { totals, days, forms_count: count, from, to } = statistics;
  const isToday = to === new Date().toISOString().slice(0, 10);
  const withToday = isToday && from !== to;
  const before = daysBefore(lengthOf(statistics));
  if (count === 0)
    return (
      <EmptyState
        icon={<ChartColumn />}
        title="Nothing to show yet"
        action={
          <Link
            to="/workspaces/$workspaceId/forms"
            params={{ workspaceId: String(workspaceId) }}
            className={buttonClasses()}
          >
            Go to forms
          </Link>
        }
      >
        Publish a form, and its views and responses are counted here.
      </EmptyState>
    );
  return (
    <>
      <FigureList figures={figuresOf(totals, { withToday, before })} />
      <div className="grid grid-cols-1 gap-5 lg:grid-cols-3">
        <div className="min-w-0 lg:col-span-2">
          <Days days={days} withPartials={false} />
        </div>
        {attention.data ? (
          <Attention workspaceId={workspaceId} items={attention.data} />
        ) : (
          attention.error && <ErrorState error={attention.error} onRetry={() => void attention.refetch()} />
        )}
      </div>
      <FormsTable {...{ workspaceId, statistics, search, withToday, before }} />
    </>
  );
}

function figuresOf(
  totals: WorkspaceStatistics['totals'],
  { withToday, before }: { withToday: boolean; before: DaysBefore },
): Figure[] {
  const compared = (value: string) => `${value} ${before.when}`;
  const counted = (name: string, key: 'completed' | 'views' | 'starts'): Figure => [
    name,
    formatNumber(totals[key]),
    compared(formatNumber(totals.before[key])),
  ];
  return [
    ...(withToday ? [['Completed today', formatNumber(totals.last_day_completed), 'So far'] as Figure] : []),
    counted('Completed', 'completed'),
    counted('Views', 'views'),
    counted('Starts', 'starts'),
    [
      'Completion rate',
      formatRate(totals.completion_rate),
      compared(formatRate(totals.before.completion_rate)),
    ],
  ];
}

function OverviewSkeleton() {
  return (
    <div className="grid grid-cols-1 gap-5">
      <div className="flex flex-wrap gap-3">
        {['today', 'completed', 'views', 'starts', 'rate'].map((name) => (
          <Skeleton key={name} className="h-30 grow basis-36 rounded-xl" />
        ))}
      </div>
      <div className="grid grid-cols-1 gap-5 lg:grid-cols-3">
        <Skeleton className="h-96 rounded-xl lg:col-span-2" />
        <Skeleton className="h-40 rounded-xl lg:h-96" />
      </div>
      <Skeleton className="h-72 rounded-xl" />
    </div>
  );
}
