import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { Hammer, Inbox } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Property } from '../../../fields/property.ts';
import { isLayoutBlock } from '../../../fields/type-names.ts';
import { type Form, formQuery } from '../../api/queries.ts';
import { formatDistance, formatMoment, formatNumber } from '../../lib/format.ts';
import { useRefusal } from '../../lib/workspace.ts';
import { FormAttention } from '../../overview/attention.tsx';
import { LatestResponses, latestQuery } from '../../responses/latest-responses.tsx';
import { buttonClasses } from '../../ui/button.tsx';
import { CopyField } from '../../ui/copy-button.tsx';
import { Card } from '../../ui/page.tsx';
import { EmptyState, Notice } from '../../ui/states.tsx';
import { FormPlaces } from './places.tsx';

export function FormOverview() {
  const { formId } = useParams({ from: '/app/workspaces/$workspaceId/forms/$formId' });
  const { data: form } = useSuspenseQuery(formQuery(formId));
  const figures: [string, ReactNode][] = [
    ['Responses', formatNumber(form.submissions_count)],
    ['Views', formatNumber(form.views_count)],
    ['Questions', formatNumber(form.properties.filter(({ type }) => !isLayoutBlock(String(type))).length)],
    [
      'Changed',
      <time key="changed" dateTime={form.updated_at} title={formatMoment(form.updated_at)}>
        {formatDistance(form.updated_at)}
      </time>,
    ],
  ];
  return (
    <div className="grid grid-cols-1 gap-5">
      <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4 @max-3xs/screen:grid-cols-1">
        {figures.map(([name, value]) => (
          <div key={name} className="rounded-xl border border-line bg-surface p-4">
            <dt className="text-muted">{name}</dt>
            <dd className="mt-1 text-lg font-semibold tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
      <NextStep form={form} />
      <FormAttention workspaceId={form.workspace_id} formId={form.id} />
      <FormPlaces formId={formId} blocks={form.properties as unknown as Property[]} />
      <Card title="Link">
        <div className="grid grid-cols-1 gap-3">
          {form.visibility === 'draft' && !form.trash_ends_at && (
            <Notice>The link works once the form is published.</Notice>
          )}
          <CopyField text={form.share_url} label="Public link of the form" />
          <OpenTime form={form} />
        </div>
      </Card>
    </div>
  );
}

const FORM = '/workspaces/$workspaceId/forms/$formId';

/** What to do next with a form in this state: build it, share it, or read what has come. */
function NextStep({ form }: { form: Form }) {
  const refusal = useRefusal('user');
  const { data: rows } = useQuery(latestQuery(String(form.id)));
  const params = { workspaceId: String(form.workspace_id), formId: String(form.id) };
  const isDraft = form.visibility === 'draft';
  const isThere = form.trash_ends_at === null;
  return (
    <>
      {isDraft && isThere && refusal === null && (
        <EmptyState
          icon={<Hammer />}
          title="Not published yet"
          action={
            <Link to={`${FORM}/build`} params={params} className={buttonClasses('primary')}>
              Go on building
            </Link>
          }
        >
          Nobody can answer it before you publish it.
        </EmptyState>
      )}
      {form.visibility === 'public' && isThere && rows?.length === 0 && (
        <EmptyState
          icon={<Inbox />}
          title="No responses yet"
          action={
            <Link to={`${FORM}/share`} params={params} className={buttonClasses('primary')}>
              Share the form
            </Link>
          }
        >
          They appear here once people send them.
        </EmptyState>
      )}
      {(rows ? rows.length > 0 : form.submissions_count > 0) && (
        <LatestResponses form={form} rows={rows} look={isDraft ? 'plain' : 'primary'} />
      )}
    </>
  );
}

/** The period in which people can answer; nothing if it is unlimited. */
function OpenTime({ form: { opens_at: opensAt, closes_at: closesAt } }: { form: Form }) {
  const isPast = (time: string) => Date.parse(time) <= Date.now();
  const lines = [
    opensAt && `${isPast(opensAt) ? 'Open since' : 'Opens on'} ${formatMoment(opensAt)}.`,
    closesAt && `${isPast(closesAt) ? 'Closed since' : 'Closes on'} ${formatMoment(closesAt)}.`,
  ].filter(Boolean);
  return lines.length > 0 && <p className="text-muted">{lines.join(' ')}</p>;
}
