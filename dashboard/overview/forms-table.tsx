import { Link, useNavigate } from '@tanstack/react-router';
import { ArrowDown, ArrowUp, Download } from 'lucide-react';
import { useState } from 'react';
import { formatRate } from '../analytics/figures.tsx';
import { classes } from '../lib/classes.ts';
import { formatChange, formatCount, formatNumber } from '../lib/format.ts';
import { saveFile } from '../lib/save-file.ts';
import { FormStatus } from '../routes/forms/status.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/page.tsx';
import { Cell, HeadCell, Row, Table } from '../ui/table.tsx';
import type { DaysBefore } from './days-before.ts';
import { changeOf, nextSorting, orderForms, sortingOf } from './order-forms.ts';
import type { CountedForm, WorkspaceStatistics } from './queries.ts';
import type { OverviewSearch, Sort } from './search.ts';

/** Forms shown at first. */
const SHOWN = 50;
/** Classes that hide columns on small screens. */
const HIDDEN: Partial<Record<Sort, string>> = {
  change: 'hidden sm:table-cell',
  views: 'hidden md:table-cell',
  completion_rate: 'hidden md:table-cell',
};

interface FormsTableProps {
  workspaceId: number;
  statistics: WorkspaceStatistics;
  search: OverviewSearch;
  /** Whether the last day is today, and not the only one. */
  withToday: boolean;
  before: DaysBefore;
}

/** The forms with their figures, sorted by any of them. */
export function FormsTable({ workspaceId, statistics, search, withToday, before }: FormsTableProps) {
  const [showsAll, setShowsAll] = useState(false);
  const { forms, forms_count: count, from, to } = statistics;
  const ordered = orderForms(forms, search);
  const shown = showsAll ? ordered : ordered.slice(0, SHOWN);
  const most = Math.max(1, ...forms.map(({ completed }) => completed));
  const columns: [Sort, string][] = [
    ['title', 'Form'],
    ...(withToday ? [['last_day_completed', 'Today'] as [Sort, string]] : []),
    ['completed', 'Completed'],
    ['change', 'Change'],
    ['views', 'Views'],
    ['completion_rate', 'Rate'],
  ];
  const download = async () => {
    const { formsAsCsv } = await import('./csv.ts');
    saveFile(new Blob([formsAsCsv(ordered)], { type: 'text/csv' }), `forms-${from}-${to}.csv`);
  };
  return (
    <Card
      title="Forms"
      description={`Completed responses, compared with ${before.name}.`}
      className="min-w-0"
      actions={
        <Button size="sm" icon={<Download className="size-3.5" />} onClick={download}>
          Download CSV
        </Button>
      }
    >
      <Table label="Figures of each form">
        <thead>
          <tr>
            {columns.map(([sort, name]) => (
              <SortHead key={sort} sort={sort} name={name} search={search} />
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((form) => (
            <FormRow key={form.id} {...{ workspaceId, form, most, withToday, before }} />
          ))}
        </tbody>
      </Table>
      {shown.length < ordered.length && (
        <Button className="mt-3" onClick={() => setShowsAll(true)}>
          Show all {formatCount(ordered.length, 'form')}
        </Button>
      )}
      {count > forms.length && (
        <p className="mt-3 text-muted">
          These are the {formatCount(forms.length, 'form')} with the most responses of {formatNumber(count)}.
          The figures above are of all.
        </p>
      )}
    </Card>
  );
}

function SortHead({ sort, name, search }: { sort: Sort; name: string; search: OverviewSearch }) {
  const navigate = useNavigate({ from: '/workspaces/$workspaceId/overview' });
  const current = sortingOf(search);
  const isSorted = current.sort === sort;
  const Arrow = current.order === 'asc' ? ArrowUp : ArrowDown;
  const press = () =>
    void navigate({ search: (former) => ({ ...former, ...nextSorting(search, sort) }), replace: true });
  return (
    <HeadCell
      className={classes(sort === 'title' ? 'text-start' : 'text-end', HIDDEN[sort])}
      aria-sort={!isSorted ? 'none' : current.order === 'asc' ? 'ascending' : 'descending'}
    >
      <button
        type="button"
        className={classes(
          '-mx-1 inline-flex items-center gap-1 rounded px-1 align-middle hover:text-ink',
          sort !== 'title' && 'flex-row-reverse',
        )}
        onClick={press}
      >
        {name}
        <Arrow aria-hidden="true" className={classes('size-3.5 shrink-0', !isSorted && 'invisible')} />
      </button>
    </HeadCell>
  );
}

interface FormRowProps extends Pick<FormsTableProps, 'workspaceId' | 'withToday' | 'before'> {
  form: CountedForm;
  /** The most completed responses of any form, for the length of the bars. */
  most: number;
}

function FormRow({ workspaceId, form, most, withToday, before }: FormRowProps) {
  const { views, completed, completion_rate: rate, last_day_completed: today } = form;
  const change = changeOf(form);
  return (
    <Row>
      <th scope="row" className="h-12 w-full max-w-0 min-w-28 py-2 ps-4 pe-2 text-start font-normal sm:pe-4">
        <Link
          to="/workspaces/$workspaceId/forms/$formId/analytics"
          params={{ workspaceId: String(workspaceId), formId: String(form.id) }}
          className="line-clamp-2 font-medium wrap-anywhere hover:underline"
          title={form.title}
        >
          <bdi>{form.title}</bdi>
        </Link>
        {!isTaking(form) && <FormStatus form={{ ...form, trash_ends_at: null }} />}
      </th>
      {withToday && <Cell className="text-end tabular-nums">{formatNumber(today)}</Cell>}
      <Cell className="text-end tabular-nums">
        <span className="inline-flex items-center justify-end gap-3 align-middle">
          <span aria-hidden="true" className="hidden h-2 w-20 rounded-full bg-hover sm:block lg:w-32">
            <span
              className="drawn block h-2 rounded-full bg-accent"
              style={{ width: `${(completed / most) * 100}%` }}
            />
          </span>
          <span className="min-w-10">{formatNumber(completed)}</span>
        </span>
      </Cell>
      <Cell
        className={classes('text-end text-muted tabular-nums', HIDDEN.change)}
        title={`${formatNumber(form.before.completed)} ${before.when}`}
      >
        {formatChange(change)}
      </Cell>
      <Cell className={classes('text-end tabular-nums', HIDDEN.views)}>{formatNumber(views)}</Cell>
      <Cell className={classes('text-end tabular-nums', HIDDEN.completion_rate)}>{formatRate(rate)}</Cell>
    </Row>
  );
}

/** Whether people can answer it, so that nothing needs to be said of it. */
function isTaking({
  visibility,
  is_closed: isClosed,
  max_number_of_submissions_reached: isFull,
}: CountedForm) {
  return visibility === 'public' && !isClosed && !isFull;
}
