import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { FileText, Plus, Trash2, X } from 'lucide-react';
import { useState } from 'react';
import { type FormSummary, type FormsFilter, formsQuery } from '../../api/queries.ts';
import { formatDistance, formatMoment, formatNumber } from '../../lib/format.ts';
import { useHotkeys } from '../../lib/use-hotkeys.ts';
import { useSearchText } from '../../lib/use-search-text.ts';
import { useRefusal, useWorkspace } from '../../lib/workspace.ts';
import { Button } from '../../ui/button.tsx';
import { SearchInput, Select } from '../../ui/input.tsx';
import { Load } from '../../ui/load.tsx';
import { Page } from '../../ui/page.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { ActionsHead, Cell, HeadCell, Row, Table } from '../../ui/table.tsx';
import { CreateForm } from './create.tsx';
import { FormMenu } from './menu.tsx';
import { FormStatus } from './status.tsx';

/** Most tags shown per form, which may have a hundred; the rest is counted. */
const MAX_TAGS = 5;
/** Classes that hide columns on small screens. On phones the status is below the title. */
const COLUMNS = {
  title: 'w-full max-w-0 min-w-28',
  status: 'hidden sm:table-cell',
  views: 'hidden xl:table-cell',
  last: 'hidden sm:table-cell',
  changed: 'hidden xl:table-cell',
};

export function Forms() {
  const workspace = useWorkspace();
  const refusal = useRefusal('user');
  const filter = useSearch({ from: '/app/workspaces/$workspaceId/forms' });
  const navigate = useNavigate({ from: '/workspaces/$workspaceId/forms' });
  const forms = useQuery(formsQuery(workspace.id, filter));
  const [isCreating, setCreating] = useState(false);
  const isFiltered = Boolean(filter.search || filter.tag || filter.visibility);
  const isEmpty = !isFiltered && !forms.isPlaceholderData && forms.data?.meta.total === 0;
  const trash = useQuery({ ...formsQuery(workspace.id, { visibility: 'trash' }), enabled: isEmpty });
  // What is shown then depends on the trash.
  const isKnown = !(isEmpty && trash.isPending);
  const hasNone = isEmpty && isKnown;
  const isBare = hasNone && trash.data?.meta.total === 0;
  const create = (
    <Button
      look="primary"
      icon={<Plus className="size-4" />}
      disabledReason={refusal}
      onClick={() => setCreating(true)}
    >
      New form
    </Button>
  );
  return (
    <Page title="Forms" actions={!hasNone && create}>
      {!isBare && <Filters filter={filter} />}
      <Load query={{ ...forms, data: isKnown ? forms.data : undefined }} skeleton={<FormTable rows={null} />}>
        {({ data, meta }) =>
          data.length > 0 ? (
            <div aria-busy={forms.isPlaceholderData} className={forms.isPlaceholderData ? 'opacity-60' : ''}>
              <FormTable rows={data} />
              <Pagination
                page={meta.current_page}
                lastPage={meta.last_page}
                total={meta.total}
                onChange={(page) => void navigate({ search: (former) => ({ ...former, page }) })}
              />
            </div>
          ) : filter.visibility === 'trash' && !filter.search && !filter.tag ? (
            <EmptyState
              icon={<Trash2 />}
              title="The trash is empty"
              action={<Button onClick={() => void navigate({ search: {} })}>Show all forms</Button>}
            >
              Forms that are moved here can be restored for 30 days.
            </EmptyState>
          ) : isFiltered || meta.total > 0 ? (
            <EmptyState
              icon={<FileText />}
              title="No forms match"
              action={<Button onClick={() => void navigate({ search: {} })}>Show all forms</Button>}
            />
          ) : (
            <EmptyState icon={<FileText />} title="No forms yet" action={create}>
              Make the first one: give it a title, add questions, and share its link.
            </EmptyState>
          )
        }
      </Load>
      <CreateForm isOpen={isCreating} onClose={() => setCreating(false)} />
    </Page>
  );
}

function Filters({ filter }: { filter: FormsFilter }) {
  const navigate = useNavigate({ from: '/workspaces/$workspaceId/forms' });
  const change = (part: FormsFilter) =>
    void navigate({ search: ({ page: _, ...former }) => ({ ...former, ...part }), replace: true });
  const [text, setText] = useSearchText(filter.search, (search) => change({ search }));
  useHotkeys({ '/': () => document.getElementById('search-forms')?.focus() });
  return (
    <div className="mb-4 flex flex-wrap items-center gap-3">
      <SearchInput
        id="search-forms"
        aria-label="Search forms by title"
        placeholder="Search by title"
        className="w-full sm:w-auto sm:max-w-72 sm:min-w-40 sm:flex-1"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <Select
        aria-label="Status"
        className="w-36"
        value={filter.visibility ?? ''}
        onChange={(event) =>
          change({ visibility: (event.target.value || undefined) as FormsFilter['visibility'] })
        }
      >
        <option value="">Any status</option>
        <option value="public">Published</option>
        <option value="draft">Draft</option>
        <option value="closed">Closed</option>
        <option value="trash">In the trash</option>
      </Select>
      <Select
        aria-label="Order"
        className="w-40"
        value={filter.sort ?? ''}
        onChange={(event) => change({ sort: (event.target.value || undefined) as FormsFilter['sort'] })}
      >
        <option value="">Last changed</option>
        <option value="last_submission_at">Last response</option>
        <option value="submissions_count">Most responses</option>
        <option value="title">Title</option>
      </Select>
      {filter.tag && (
        <Button onClick={() => change({ tag: undefined })} aria-label={`Stop showing only ${filter.tag}`}>
          <bdi className="max-w-40 truncate">{filter.tag}</bdi> <X className="size-4" />
        </Button>
      )}
    </div>
  );
}

function FormTable({ rows }: { rows: FormSummary[] | null }) {
  return (
    <Table label="Forms">
      <thead>
        <tr>
          <HeadCell>Title</HeadCell>
          <HeadCell className={COLUMNS.status}>Status</HeadCell>
          <HeadCell className="text-end">Responses</HeadCell>
          <HeadCell className={`${COLUMNS.views} text-end`}>Views</HeadCell>
          <HeadCell className={COLUMNS.last}>Last response</HeadCell>
          <HeadCell className={COLUMNS.changed}>Changed</HeadCell>
          <ActionsHead />
        </tr>
      </thead>
      <tbody>
        {rows === null ? (
          <SkeletonRows
            rows={6}
            columns={7}
            cells={{
              0: COLUMNS.title,
              1: COLUMNS.status,
              3: COLUMNS.views,
              4: COLUMNS.last,
              5: COLUMNS.changed,
            }}
          />
        ) : (
          rows.map((form) => <FormRow key={form.id} form={form} />)
        )}
      </tbody>
    </Table>
  );
}

function FormRow({ form }: { form: FormSummary }) {
  const params = { workspaceId: String(form.workspace_id), formId: String(form.id) };
  return (
    <Row>
      <Cell className={COLUMNS.title}>
        <Link
          to="/workspaces/$workspaceId/forms/$formId"
          params={params}
          className="line-clamp-2 leading-6 font-medium wrap-anywhere hover:underline"
          title={form.title}
        >
          <bdi>{form.title}</bdi>
        </Link>
        <span className="flex flex-wrap items-center gap-x-1.5">
          <span className="shrink-0 sm:hidden">
            <FormStatus form={form} />
          </span>
          <Tags workspaceId={params.workspaceId} tags={form.tags} />
        </span>
      </Cell>
      <Cell className={COLUMNS.status}>
        <FormStatus form={form} />
      </Cell>
      <Cell className="text-end tabular-nums">
        {formatNumber(form.submissions_count)}
        {form.max_submissions_count !== null && (
          <span className="text-muted"> / {formatNumber(form.max_submissions_count)}</span>
        )}
      </Cell>
      <Cell className={`${COLUMNS.views} text-end text-muted tabular-nums`}>
        {formatNumber(form.views_count)}
      </Cell>
      <Cell className={`${COLUMNS.last} whitespace-nowrap text-muted`}>
        {form.last_submission_at === null ? 'None yet' : <Time time={form.last_submission_at} />}
      </Cell>
      <Cell className={`${COLUMNS.changed} whitespace-nowrap text-muted`}>
        <Time time={form.updated_at} />
      </Cell>
      <Cell className="text-end">
        <FormMenu form={form} />
      </Cell>
    </Row>
  );
}

function Time({ time }: { time: string }) {
  return (
    <time dateTime={time} title={formatMoment(time)}>
      {formatDistance(time)}
    </time>
  );
}

/** Tags wrap to further lines, because narrower ones would be unreadable. */
function Tags({ workspaceId, tags }: { workspaceId: string; tags: string[] }) {
  const rest = tags.slice(MAX_TAGS);
  return (
    <>
      {tags.slice(0, MAX_TAGS).map((tag) => (
        <Link
          key={tag}
          to="/workspaces/$workspaceId/forms"
          params={{ workspaceId }}
          search={{ tag }}
          title={tag}
          className="max-w-32 truncate text-xs leading-6 text-muted hover:text-ink hover:underline"
        >
          <bdi>#{tag}</bdi>
        </Link>
      ))}
      {rest.length > 0 && (
        <span title={rest.join(', ')} className="text-xs leading-6 text-muted">
          and {rest.length} more
        </span>
      )}
    </>
  );
}
