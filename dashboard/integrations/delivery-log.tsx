import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Truck } from 'lucide-react';
import { useState } from 'react';
import { formatDistance, formatMoment } from '../lib/format.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { DayFields } from '../ui/day-fields.tsx';
import { Field } from '../ui/field.tsx';
import { Select } from '../ui/input.tsx';
import { Load } from '../ui/load.tsx';
import { ShowEarlier } from '../ui/show-earlier.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { EmptyState } from '../ui/states.tsx';
import { Cell, HeadCell, Row, Table } from '../ui/table.tsx';
import { type Delivery, type DeliveryState, deliveriesQuery } from './queries.ts';
import { ReplayDialog } from './replay-dialog.tsx';
import type { DeliveryFilter } from './search.ts';
import { useFreshHealth } from './use-fresh-health.ts';
import { dueWords, durationWords, isGood, outcomeWords, STATES, stateOf, WHEN_ACTIVE } from './words.ts';

interface LogProps {
  form: string;
  integrationId: string;
  isMail: boolean;
  filter: DeliveryFilter;
}

/** Deliveries of the last 30 days, the latest first; loaded again while any of them waits. */
export function DeliveryLog(props: LogProps) {
  const { form, integrationId, isMail, filter } = props;
  const deliveries = useInfiniteQuery(deliveriesQuery(form, integrationId, filter));
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  // New deliveries change the health shown in the head.
  useFreshHealth(form, integrationId, deliveries.data);
  return (
    <>
      <Filters {...props} />
      <Load query={deliveries} skeleton={<Deliveries isMail={isMail} rows={null} />}>
        {({ pages }) =>
          pages[0]?.length === 0 ? (
            <EmptyState
              icon={<Truck />}
              title={isFiltered ? 'Nothing matches the filters' : 'Nothing has been sent yet'}
            >
              {isFiltered
                ? 'Deliveries are kept for 30 days.'
                : 'Each new response from now on is listed here with all its attempts.'}
            </EmptyState>
          ) : (
            <>
              <Deliveries isMail={isMail} rows={pages.flat()} />
              <ShowEarlier query={deliveries} />
            </>
          )
        }
      </Load>
    </>
  );
}

function Filters({ form, integrationId, isMail, filter }: LogProps) {
  const [isReplaying, setReplaying] = useState(false);
  const navigate = useNavigate({
    from: '/workspaces/$workspaceId/forms/$formId/integrations/$integrationId',
  });
  const change = (part: DeliveryFilter) =>
    void navigate({ search: (former) => ({ ...former, ...part }), replace: true });
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  return (
    <div className="mb-4 flex flex-wrap items-end gap-3">
      <Field name="state" label="State">
        <Select
          className="w-40"
          value={filter.state ?? ''}
          onChange={({ target }) =>
            change({ state: (target.value || undefined) as DeliveryState | undefined })
          }
        >
          <option value="">Any</option>
          {Object.entries(STATES).map(([state, [name]]) => (
            <option key={state} value={state}>
              {name}
            </option>
          ))}
        </Select>
      </Field>
      <DayFields since={filter.since} until={filter.until} onChange={change} />
      {isFiltered && (
        <Button look="quiet" onClick={() => change({ state: undefined, since: undefined, until: undefined })}>
          Clear
        </Button>
      )}
      <Button className="ms-auto" onClick={() => setReplaying(true)}>
        Send again …
      </Button>
      <ReplayDialog
        isOpen={isReplaying}
        onClose={() => setReplaying(false)}
        form={form}
        integrationId={integrationId}
        isMail={isMail}
        filter={filter}
      />
    </div>
  );
}

function Deliveries({ rows, isMail }: { rows: Delivery[] | null; isMail: boolean }) {
  return (
    <Table label="Deliveries">
      <thead>
        <tr>
          <HeadCell>Response</HeadCell>
          <HeadCell>State</HeadCell>
          <HeadCell>Last attempt</HeadCell>
          <HeadCell>Attempts</HeadCell>
          <HeadCell>Next attempt</HeadCell>
          <HeadCell>Created</HeadCell>
        </tr>
      </thead>
      <tbody>
        {rows === null ? (
          <SkeletonRows rows={8} columns={6} />
        ) : (
          rows.map((delivery) => <DeliveryRow key={delivery.id} delivery={delivery} isMail={isMail} />)
        )}
      </tbody>
    </Table>
  );
}

function DeliveryRow({ delivery, isMail }: { delivery: Delivery; isMail: boolean }) {
  const { id, submission_id, attempts, last_attempt: last, next_attempt_at, created_at } = delivery;
  const [state, tone] = stateOf(delivery);
  return (
    <Row>
      <Cell>
        <Link
          from="/workspaces/$workspaceId/forms/$formId/integrations/$integrationId"
          to="/workspaces/$workspaceId/forms/$formId/integrations/$integrationId/deliveries/$deliveryId"
          params={(former) => ({ ...former, deliveryId: String(id) })}
          className="font-medium text-accent hover:underline"
        >
          #{submission_id}
        </Link>
      </Cell>
      <Cell>
        <Badge tone={tone}>{state}</Badge>
      </Cell>
      <Cell className="whitespace-nowrap">
        {last ? (
          <>
            <span className={isGood(last) ? '' : 'text-bad'}>{outcomeWords(last, isMail)}</span>
            <span className="text-muted"> · {durationWords(last.duration_ms)}</span>
          </>
        ) : (
          <span className="text-muted">None yet</span>
        )}
      </Cell>
      <Cell className="tabular-nums">{attempts}</Cell>
      <Cell className="whitespace-nowrap text-muted">
        {next_attempt_at ? (
          <Time time={next_attempt_at} words={dueWords(next_attempt_at)} />
        ) : (
          delivery.state === 'pending' && WHEN_ACTIVE
        )}
      </Cell>
      <Cell className="whitespace-nowrap text-muted">
        <Time time={created_at} words={formatDistance(created_at)} />
      </Cell>
    </Row>
  );
}

function Time({ time, words }: { time: string; words: string }) {
  return (
    <time dateTime={time} title={formatMoment(time)}>
      {words}
    </time>
  );
}
