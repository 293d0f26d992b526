import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { memo, useDeferredValue } from 'react';
import { Answers } from '../analytics/answers.tsx';
import { Days } from '../analytics/days.tsx';
import { DropOff } from '../analytics/drop-off.tsx';
import { Figures } from '../analytics/figures.tsx';
import { type Statistics, statisticsQuery } from '../analytics/queries.ts';
import { RangePicker } from '../analytics/range-picker.tsx';
import { rangeOf } from '../analytics/search.ts';
import { type Share, Shares } from '../analytics/shares.tsx';
import { type Form, formQuery } from '../api/queries.ts';
import { Load } from '../ui/load.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

const ROUTE = '/app/workspaces/$workspaceId/forms/$formId/analytics';
const DEVICES: Record<string, string> = { phone: 'Phones', tablet: 'Tablets', desktop: 'Computers' };

export function FormAnalytics() {
  const { workspaceId, formId } = useParams({ from: ROUTE });
  const search = useSearch({ from: ROUTE });
  const { data: form } = useSuspenseQuery(formQuery(formId));
  const range = rangeOf(search, new Date());
  // Deferred, so that the switch moves first.
  const withPartials = useDeferredValue(search.partials ?? false);
  const statistics = useQuery(statisticsQuery(formId, range));
  return (
    <>
      <RangePicker search={search} />
      <Load query={statistics} skeleton={<AnalyticsSkeleton />}>
        {(loaded) => (
          <div
            aria-busy={statistics.isPlaceholderData}
            className={`grid grid-cols-1 gap-5 ${statistics.isPlaceholderData ? 'opacity-60' : ''}`}
          >
            <Report form={form} statistics={loaded} withPartials={withPartials} />
          </div>
        )}
      </Load>
      <Answers workspaceId={workspaceId} form={form} range={range} withPartials={withPartials} />
      <p className="mt-5 text-xs text-muted">
        Days are days in UTC. Nothing is stored that names a visitor: no cookies, no addresses.
      </p>
    </>
  );
}

/** Rendered again only for new figures, not while they are loading. */
const Report = memo(function Report({
  form,
  statistics,
  withPartials,
}: {
  form: Form;
  statistics: Statistics;
  withPartials: boolean;
}) {
  const { totals, days, devices, referrers, sources } = statistics;
  return (
    <>
      <Figures totals={totals} withPartials={withPartials} />
      <Days days={days} withPartials={withPartials} />
      <DropOff form={form} statistics={statistics}>
        <Shares
          title="Referrers"
          unit="views"
          empty="No views in these days."
          shares={[
            { name: 'Direct, or not told', count: referrers.direct, isOurs: true },
            ...referrers.hosts.map(({ host, views }) => ({ name: host, count: views })),
            { name: 'Other sites', count: referrers.other, isOurs: true },
          ]}
        />
        <Shares
          title="Devices"
          unit="views"
          empty="No views in these days."
          shares={devices.map(({ device, views }) => ({
            name: DEVICES[device] ?? device,
            count: views,
            isOurs: device in DEVICES,
          }))}
        />
      </DropOff>
      <div className="grid grid-cols-1 gap-5 lg:grid-cols-3">
        {(
          [
            ['Sources', sources.utm_source],
            ['Media', sources.utm_medium],
            ['Campaigns', sources.utm_campaign],
          ] as const
        ).map(([title, source]) => (
          <Shares
            key={title}
            title={title}
            unit="completed responses"
            empty="No completed responses in these days."
            shares={sharesOf(source)}
          />
        ))}
      </div>
    </>
  );
});

function sharesOf({ none, values, other }: Statistics['sources']['utm_source']): Share[] {
  return [
    ...values.map(({ value, completed }) => ({ name: value, count: completed })),
    { name: 'Others', count: other, isOurs: true },
    { name: 'Not told', count: none, isOurs: true },
  ];
}

function AnalyticsSkeleton() {
  return (
    <div className="grid grid-cols-1 gap-5">
      <div className="flex flex-wrap gap-3">
        {['views', 'starts', 'completed', 'rate', 'time'].map((name) => (
          <Skeleton key={name} className="h-26 grow basis-36 rounded-xl" />
        ))}
      </div>
      <Skeleton className="h-96 rounded-xl" />
      <Skeleton className="h-72 rounded-xl" />
    </div>
  );
}
