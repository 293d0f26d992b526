import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Outlet, useNavigate, useParams } from '@tanstack/react-router';
import { ArrowUp } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { type Form, formQuery } from '../../api/queries.ts';
import { classes } from '../../lib/classes.ts';
import { formatNumber } from '../../lib/format.ts';
import { NARROW, useMedia } from '../../lib/use-media.ts';
import { useRefusal } from '../../lib/workspace.ts';
import { SetAsideLink } from '../../responses/apart/set-aside-link.tsx';
import { TrashLink } from '../../responses/apart/trash-link.tsx';
import { WAITING_KINDS } from '../../responses/apart/waiting-kinds.ts';
import { ExportDialog } from '../../responses/exports/export-dialog.tsx';
import type { Scope } from '../../responses/exports/export-scope.tsx';
import { endingsQuery, type ReachedEnding } from '../../responses/filters/endings.ts';
import { FilterChips, Filters } from '../../responses/filters/filters.tsx';
import { NoResponses } from '../../responses/no-responses.tsx';
import { countOf, firstPlace } from '../../responses/queries.ts';
import { isReviewedQuery } from '../../responses/reviews/reviews.ts';
import { isNarrowed } from '../../responses/search.ts';
import { BulkBar, RemovalBar } from '../../responses/table/bulk-bar.tsx';
import { columnsOf } from '../../responses/table/columns.ts';
import { MoreFailed } from '../../responses/table/more-failed.tsx';
import { ResponseTable } from '../../responses/table/response-table.tsx';
import { TableActions } from '../../responses/table/table-actions.tsx';
import { useColumns } from '../../responses/table/use-columns.ts';
import { useList } from '../../responses/table/use-list.ts';
import { useSelection } from '../../responses/table/use-selection.ts';
import { useIsBare } from '../../responses/use-is-bare.ts';
import { useRemoval } from '../../responses/use-removal.ts';
import { SaveView } from '../../responses/views/save-view.tsx';
import { SavedViewsBar } from '../../responses/views/saved-views-bar.tsx';
import { isUnsaved, useShown } from '../../responses/views/use-shown.ts';
import { ViewNotice } from '../../responses/views/view-notice.tsx';
import { Button } from '../../ui/button.tsx';
import { Load } from '../../ui/load.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

const ROUTE = '/app/workspaces/$workspaceId/forms/$formId/responses';

/** The same list every time, so that nothing is computed anew while it loads. */
const NONE: readonly ReachedEnding[] = [];

/** The responses of a form as a table; one opens beside it, with its own address. */
export function FormResponses() {
  const { formId } = useParams({ from: ROUTE });
  const { data: form } = useSuspenseQuery(formQuery(formId));
  return (
    <>
      <Responses key={formId} form={form} formId={formId} />
      <Outlet />
    </>
  );
}

function Responses({ form, formId }: { form: Form; formId: string }) {
  const { workspaceId } = useParams({ from: ROUTE });
  const { submissionId } = useParams({ strict: false });
  const formPath = { workspaceId, formId };
  const shown = useShown();
  const { filter, view, unknown, change } = shown;
  const navigate = useNavigate({ from: '/workspaces/$workspaceId/forms/$formId/responses' });
  const refusal = useRefusal('user');
  const { all, isReviewed, endings, isPending } = useKnownColumns(form, formId, refusal === null);
  const columns = useColumns(formId, all, view);
  const selection = useSelection();
  const removal = useRemoval(formId, 'trash', selection.drop);
  const scrollRef = useRef<HTMLDivElement>(null);
  const loaded = useList(formId, shown, scrollRef);
  const { list, rows, total, isCapped, onNeedLater, onNeedFormer } = loaded;
  const isBare = useIsBare(form, shown, list.data && rows.length);
  /** The initial scope of the export dialog; null while closed. */
  const [exporting, setExporting] = useState<Scope | 'usual' | null>(null);
  /** How often the saved state was shown again: what is typed into the filters then begins anew. */
  const [savings, setSavings] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list begins at its top, with nothing chosen
  useEffect(() => {
    scrollRef.current?.scrollTo({ top: 0 });
    selection.clear();
  }, [filter]);
  return (
    <div>
      <SavedViewsBar formPath={formPath} shown={shown} isChanged={isUnsaved(shown, columns)} />
      <div className="mb-3 flex flex-wrap items-center gap-2 sm:gap-3 print:hidden">
        {!isBare && (
          <Filters
            key={`${view?.id} ${savings}`}
            filter={filter}
            all={all}
            isReviewed={isReviewed}
            endings={endings}
            onChange={change}
          />
        )}
        <TableActions
          form={form}
          columns={columns}
          isBare={isBare}
          importRefusal={refusal}
          onExport={() => setExporting('usual')}
        />
      </div>
      <FilterChips filter={filter} all={all} onChange={change} />
      <ViewNotice shown={shown} all={all} />
      <div className={classes('mb-2 flex flex-wrap items-center gap-x-3 gap-y-2', !isBare && 'min-h-9')}>
        {removal.progress ? (
          <RemovalBar progress={removal.progress} stop={removal.stop} />
        ) : selection.ids.size > 0 ? (
          <BulkBar
            formId={formId}
            removal={removal}
            filter={filter}
            selection={selection}
            total={total}
            isCapped={isCapped}
            newest={loaded.newest ?? 0}
            onExport={setExporting}
          />
        ) : (
          list.data && (
            <>
              <p className="text-muted" aria-live="polite">
                {!isBare && (
                  <span>
                    {countOf({ total, isCapped })}
                    {isNarrowed(filter) && ' found'}
                  </span>
                )}
                {WAITING_KINDS.map((kind) => (
                  <SetAsideLink key={kind} formPath={formPath} kind={kind} />
                ))}
                <TrashLink formPath={formPath} />
              </p>
              <SaveView
                formId={formId}
                shown={shown}
                columns={columns}
                onSaved={() => setSavings((count) => count + 1)}
              />
            </>
          )
        )}
        <div aria-live="polite" className="ms-auto">
          <NewButton
            arrived={loaded.arrived}
            isRunning={loaded.showArrived.isRunning}
            onClick={loaded.showArrived.run}
          />
        </div>
      </div>
      {list.error && (isNarrowed(filter) || filter.sort) && (
        <p className="mb-3 text-center">
          <Button onClick={() => void navigate({ search: {}, replace: true })}>Show all responses</Button>
        </p>
      )}
      <MoreFailed list={list} className="mb-3" />
      <Load query={unknown ? { ...unknown, data: undefined } : list} skeleton={<TableSkeleton />}>
        {() =>
          // The columns are not known yet, or all loaded rows were removed and more are coming.
          isPending || (removal.progress && rows.length === 0 && total > 0) ? (
            <TableSkeleton />
          ) : rows.length === 0 ? (
            <NoResponses
              form={form}
              isFiltered={isNarrowed(filter)}
              isPartial={filter.status === 'partial'}
            />
          ) : (
            <div className={list.isPlaceholderData ? 'opacity-60' : ''} aria-busy={list.isPlaceholderData}>
              <ResponseTable
                formPath={formPath}
                columns={columns}
                rows={rows}
                start={firstPlace(list.data)?.start ?? 0}
                total={total}
                hasMore={list.hasNextPage}
                selection={selection}
                openId={submissionId}
                filter={filter}
                onSort={change}
                scrollRef={scrollRef}
                onNeedLater={onNeedLater}
                onNeedFormer={onNeedFormer}
              />
            </div>
          )
        }
      </Load>
      <ExportDialog
        opened={exporting}
        onClose={() => setExporting(null)}
        form={form}
        columns={columns}
        chosen={selection.ids}
        shown={{ filter, total, isCapped }}
      />
    </div>
  );
}

/** All columns that the form can have; those of reviews and endings once it is known whether it has any. */
function useKnownColumns(form: Form, formId: string, mayChange: boolean) {
  const reviewed = useQuery(isReviewedQuery(formId));
  const isReviewed = reviewed.data ?? false;
  const known = useQuery(endingsQuery(formId));
  const endings = known.data ?? NONE;
  const hasEndings = endings.length > 0;
  const isNarrow = useMedia(NARROW);
  const all = useMemo(
    () => columnsOf(form, { isReviewed, hasEndings, mayChange, isNarrow }),
    [form, isReviewed, hasEndings, mayChange, isNarrow],
  );
  return { all, isReviewed, endings, isPending: reviewed.isPending || known.isPending };
}

interface NewButtonProps {
  arrived: { count: number; isCapped: boolean };
  isRunning: boolean;
  onClick(): void;
}

/** Shows the responses that have arrived. */
function NewButton({ arrived, isRunning, onClick }: NewButtonProps) {
  if (arrived.count === 0) return null;
  return (
    <Button
      size="sm"
      className="rounded-full text-accent"
      icon={<ArrowUp className="size-3.5" />}
      isRunning={isRunning}
      onClick={() => onClick()}
    >
      {`${formatNumber(arrived.count)}${arrived.isCapped ? '+' : ''} new`}
    </Button>
  );
}

function TableSkeleton() {
  return (
    <div className="rounded-xl border border-line bg-surface">
      {Array.from({ length: 10 }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <div key={row} className="flex h-11 items-center gap-8 border-b border-line px-4 last:border-b-0">
          <Skeleton className="w-36" />
          <Skeleton className="w-48" />
          <Skeleton className="w-24" />
        </div>
      ))}
    </div>
  );
}
