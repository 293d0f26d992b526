import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { History } from 'lucide-react';
import { Fragment } from 'react';
import { type AuditEvent, type AuditFilter, auditQuery, membersQuery } from '../../api/queries.ts';
import { formatDistance, formatMoment } from '../../lib/format.ts';
import { useRefusal, useWorkspace } from '../../lib/workspace.ts';
import { Button } from '../../ui/button.tsx';
import { DayFields } from '../../ui/day-fields.tsx';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/input.tsx';
import { Load } from '../../ui/load.tsx';
import { Page } from '../../ui/page.tsx';
import { ShowEarlier } from '../../ui/show-earlier.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Cell, HeadCell, Row, Table } from '../../ui/table.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { aboutText, describeEvent, isOfResponse, THINGS } from './audit-words.ts';

/** On phones all stands in one cell: what happened, and below it who did it and when. */
const BESIDE = 'hidden sm:table-cell';
const WHO = `${BESIDE} min-w-40`;
const WHAT = 'w-full max-w-0 max-sm:px-4';
const FORMER = 'Former member';

export function AuditLog() {
  const refusal = useRefusal('admin');
  return (
    <Page
      title="Audit log"
      description="Who did what in this workspace, kept for 400 days. Nobody can change it."
    >
      {refusal ? (
        <EmptyState icon={<History />} title="For admins">
          {refusal}
        </EmptyState>
      ) : (
        <Events />
      )}
    </Page>
  );
}

function Events() {
  const { id } = useWorkspace();
  const filter = useSearch({ from: '/app/workspaces/$workspaceId/audit-log' });
  const events = useInfiniteQuery(auditQuery(id, filter));
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <>
      <Filters filter={filter} />
      <Load query={events} skeleton={<EventTable rows={null} />}>
        {({ pages }) =>
          pages[0]?.length === 0 ? (
            <EmptyState
              icon={<History />}
              title={isFiltered ? 'Nothing matches the filters' : 'Nothing happened yet'}
            />
          ) : (
            <>
              <EventTable rows={pages.flat()} />
              <ShowEarlier query={events} />
            </>
          )
        }
      </Load>
    </>
  );
}

function Filters({ filter }: { filter: AuditFilter }) {
  const { id } = useWorkspace();
  const { data: members = [] } = useQuery(membersQuery(id));
  const navigate = useNavigate({ from: '/workspaces/$workspaceId/audit-log' });
  const change = (part: AuditFilter) =>
    void navigate({ search: (former) => ({ ...former, ...part }), replace: true });
  return (
    <div className="mb-4 flex flex-wrap items-end gap-3">
      <Field name="verb" label="What">
        <Select
          className="w-44"
          value={filter.verb ?? ''}
          onChange={(event) => change({ verb: event.target.value || undefined })}
        >
          <option value="">Everything</option>
          {Object.entries(THINGS).map(([thing, name]) => (
            <option key={thing} value={thing}>
              {name}
            </option>
          ))}
        </Select>
      </Field>
      <Field name="user_id" label="Who">
        <Select
          className="w-44"
          value={filter.user_id ?? ''}
          onChange={(event) => change({ user_id: Number(event.target.value) || undefined })}
        >
          <option value="">Everybody</option>
          {members.map(({ id: member, name }) => (
            <option key={member} value={member}>
              {name}
            </option>
          ))}
        </Select>
      </Field>
      <DayFields since={filter.since} until={filter.until} onChange={change} />
      {Object.keys(filter).length > 0 && (
        <Button look="quiet" onClick={() => void navigate({ search: {}, replace: true })}>
          Clear
        </Button>
      )}
    </div>
  );
}

function EventTable({ rows }: { rows: AuditEvent[] | null }) {
  return (
    <Table label="Events">
      <thead>
        <tr>
          <HeadCell className={BESIDE}>When</HeadCell>
          <HeadCell className={WHO}>Who</HeadCell>
          <HeadCell className={WHAT}>What</HeadCell>
          <HeadCell className={BESIDE}>Network</HeadCell>
        </tr>
      </thead>
      <tbody>
        {rows === null ? (
          <SkeletonRows rows={8} columns={4} cells={{ 0: BESIDE, 1: WHO, 2: WHAT, 3: BESIDE }} />
        ) : (
          rows.map((event) => <EventRow key={event.id} event={event} />)
        )}
      </tbody>
    </Table>
  );
}

function EventRow({ event }: { event: AuditEvent }) {
  const { actor } = event;
  const who = { user: actor.user_name, token: actor.user_name, cli: 'Operator', system: 'Formstead' }[
    actor.kind
  ];
  const { words, names, more } = describeEvent(event);
  const when = (
    <time dateTime={event.created_at} title={formatMoment(event.created_at)}>
      {formatDistance(event.created_at)}
    </time>
  );
  return (
    <Row>
      <Cell className={`${BESIDE} whitespace-nowrap text-muted`}>{when}</Cell>
      <Cell className={WHO}>
        <UserText text={who ?? FORMER} className="max-w-40" />
        <Token actor={actor} />
      </Cell>
      <Cell className={WHAT}>
        {words}
        <About names={names} more={more} />
        <ResponseLink event={event} />
        <span className="mt-0.5 block text-xs text-muted sm:hidden">
          <bdi>{who ?? FORMER}</bdi> <Token actor={actor} /> · {when}
        </span>
      </Cell>
      <Cell className={`${BESIDE} font-mono text-xs text-muted`}>{actor.network}</Cell>
    </Row>
  );
}

function Token({ actor: { kind, token_name: name } }: Pick<AuditEvent, 'actor'>) {
  if (kind !== 'token') return null;
  return (
    <span className="text-xs text-muted">
      with token “<bdi>{name}</bdi>”
    </span>
  );
}

/** What it happened to, in one line. Each name keeps its own direction, so that it does not turn the line. */
function About({ names, more }: { names: string[]; more: string }) {
  if (names.length === 0 && more === '') return null;
  return (
    <span className="block truncate text-muted" title={aboutText({ names, more })}>
      {names.map((name, index) => (
        <Fragment key={name}>
          {index > 0 && ' · '}
          <bdi>{name}</bdi>
        </Fragment>
      ))}
      {more}
    </span>
  );
}

/** A link to the response of an event, which may be gone since. Events of former versions name it by its public id. */
function ResponseLink({ event: { verb, workspace, form, target } }: { event: AuditEvent }) {
  if (!isOfResponse(verb) || form?.id == null || target?.id == null) return null;
  const params = {
    workspaceId: String(workspace.id),
    formId: String(form.id),
    submissionId: target.name || String(target.id),
  };
  return (
    <Link
      to="/workspaces/$workspaceId/forms/$formId/responses/$submissionId"
      params={params}
      className="text-accent underline-offset-2 hover:underline"
    >
      Open the response
    </Link>
  );
}
