import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { ChartColumn } from 'lucide-react';
import { memo, useDeferredValue } from 'react';
import { Answers } from '../../analytics/answers.tsx';
import { Days } from '../../analytics/days.tsx';
import { DropOff } from '../../analytics/drop-off.tsx';
import { Figures } from '../../analytics/figures.tsx';
import { type Statistics, statisticsQuery } from '../../analytics/queries.ts';
import { rangeOf } from '../../analytics/range.ts';
import { RangePicker } from '../../analytics/range-picker.tsx';
import { type AnalyticsSearch, USUAL_DAYS } from '../../analytics/search.ts';
import { type Share, Shares } from '../../analytics/shares.tsx';
import { type Form, formQuery } from '../../api/queries.ts';
import { distinctName } from '../../responses/filters/endings.ts';
import { buttonClasses } from '../../ui/button.tsx';
import { Switch } from '../../ui/checkbox.tsx';
import { Load } from '../../ui/load.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { EmptyState } from '../../ui/states.tsx';

const ROUTE = '/app/workspaces/$workspaceId/forms/$formId/analytics';
const DEVICES: Record<string, string> = { phone: 'Phones', tablet: 'Tablets', desktop: 'Computers' };

export function FormAnalytics() {
  const { workspaceId, formId } = useParams({ from: ROUTE });
  const search = useSearch({ from: ROUTE });
  const { data: form } = useSuspenseQuery(formQuery(formId));
  const range = rangeOf(search, USUAL_DAYS, new Date());
  // Deferred, so that the switch moves first.
  const withPartials = useDeferredValue(search.partials ?? false);
  const statistics = useQuery(statisticsQuery(formId, range));
  if (statistics.data && isUntouched(form, statistics.data.totals)) return <NobodyYet form={form} />;
  return (
    <>
      <Choices search={search} />
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

/** Whether nobody has seen or answered the form, in these days or before. */
function isUntouched(form: Form, { views, starts, completed, partial }: Statistics['totals']): boolean {
  return [form.views_count, form.submissions_count, views, starts, completed, partial].every(
    (count) => !count,
  );
}

function NobodyYet({ form }: { form: Form }) {
  const params = { workspaceId: String(form.workspace_id), formId: String(form.id) };
  return (
    <EmptyState
      icon={<ChartColumn />}
      title="No visits yet"
      action={
        <Link
          to="/workspaces/$workspaceId/forms/$formId/share"
          params={params}
          className={buttonClasses('primary')}
        >
          Share the form
        </Link>
      }
    >
      Once people open the form, this shows how many come, where they leave, and what they answer.
    </EmptyState>
  );
}

/** The range of days, and whether partial responses are shown beside completed ones. */
function Choices({ search }: { search: AnalyticsSearch }) {
  const navigate = useNavigate({ from: '/workspaces/$workspaceId/forms/$formId/analytics' });
  const change = (next: AnalyticsSearch) => void navigate({ search: next, replace: true });
  const { partials, ...range } = search;
  return (
    <div className="mb-5 flex flex-wrap items-end gap-3">
      <RangePicker
        search={search}
        usual={USUAL_DAYS}
        maxYears={2}
        onChange={(next) => change({ ...next, ...(partials && { partials }) })}
      />
      <Switch
        label="Partial responses"
        className="ms-auto self-center"
        checked={partials ?? false}
        onChange={({ target: { checked } }) => change({ ...range, ...(checked && { partials: true }) })}
      />
    </div>
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
  const { totals, days, devices, referrers, sources, endings } = statistics;
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
      {endings.values.length > 0 && (
        <Shares
          title="Endings"
          unit="completed responses"
          empty="No completed responses in these days."
          shares={[
            ...endings.values.map((ending) => ({
              name: distinctName(ending, endings.values),
              count: ending.completed,
              isOurs: ending.name === null,
            })),
            { name: 'No ending', count: endings.none, isOurs: true },
          ]}
        />
      )}
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
