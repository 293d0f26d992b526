import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { ArrowLeft, Trash2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { formQuery } from '../api/queries.ts';
import { formatCount, formatNumber } from '../lib/format.ts';
import { useRefusal } from '../lib/workspace.ts';
import { trashQuery, useDeleteTrashed, useEmptyTrash, useRestore } from '../responses/trash.ts';
import { TrashTable } from '../responses/trash-table.tsx';
import { useSelection } from '../responses/use-selection.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Load } from '../ui/load.tsx';
import { Pagination } from '../ui/pagination.tsx';
import { EmptyState } from '../ui/states.tsx';

const ROUTE = '/app/workspaces/$workspaceId/forms/$formId/responses/trash';

/** The trash of a form's responses, to restore or delete them. */
export function FormResponsesTrash() {
  const { workspaceId, formId } = useParams({ from: ROUTE });
  const { data: form } = useSuspenseQuery(formQuery(formId));
  const refusal = useRefusal('user');
  const { list, page, lastPage, total, toPage } = useTrashed(formId);
  const selection = useSelection();
  /** What the user is asked to delete; null while the question is closed. */
  const [doomed, setDoomed] = useState<readonly number[] | 'all' | null>(null);
  const restore = useRestore(formId, { onDone: selection.drop });
  const remove = useDeleteTrashed(formId, (ids) => {
    selection.drop(ids);
    setDoomed(null);
  });
  const empty = useEmptyTrash(formId, () => {
    selection.clear();
    setDoomed(null);
  });
  const isBusy = restore.isRunning || remove.isRunning || empty.isRunning;
  const notNow = refusal ?? (isBusy ? 'One moment …' : null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is ticked is seen
  useEffect(() => selection.clear(), [page]);
  /** Selected ids that still exist here. */
  const chosen = list.data?.rows.map(({ id }) => id).filter(selection.has) ?? [];
  const amount = doomed === 'all' ? total : (doomed?.length ?? 0);
  return (
    <div>
      <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="me-auto grid gap-1">
          <Link
            to="/workspaces/$workspaceId/forms/$formId/responses"
            params={{ workspaceId, formId }}
            className="inline-flex items-center gap-1 text-muted hover:text-ink"
          >
            <ArrowLeft aria-hidden="true" className="size-4 rtl:rotate-180" />
            Responses
          </Link>
          <h2 className="font-semibold">Trash</h2>
          <p className="text-muted">
            Restored responses count again. After 30 days in the trash they are deleted for good.
          </p>
        </div>
        {total > 0 && (
          <Button
            icon={<Trash2 className="size-4" />}
            disabledReason={notNow}
            isRunning={empty.isRunning}
            onClick={() => setDoomed('all')}
          >
            Empty the trash
          </Button>
        )}
      </div>
      <div className="mb-2 flex min-h-9 flex-wrap items-center gap-x-3 gap-y-2">
        {chosen.length > 0 ? (
          <Chosen
            count={chosen.length}
            refusal={notNow}
            isRestoring={restore.isRunning}
            onClear={selection.clear}
            onRestore={() => restore.run(chosen)}
            onDelete={() => setDoomed(chosen)}
          />
        ) : (
          list.data && (
            <p className="text-muted" aria-live="polite">
              {formatCount(total, 'response')}
            </p>
          )
        )}
      </div>
      <Load
        query={list}
        skeleton={<TrashTable form={form} rows={null} selection={selection} refusal={null} />}
      >
        {({ rows }) =>
          rows.length === 0 ? (
            <EmptyState icon={<Trash2 />} title="Nothing is in the trash" />
          ) : (
            <>
              <TrashTable
                form={form}
                rows={rows}
                selection={selection}
                refusal={notNow}
                onRestore={(id) => restore.run([id])}
                onDelete={(id) => setDoomed([id])}
              />
              <Pagination page={page} lastPage={lastPage} total={total} onChange={toPage} />
            </>
          )
        }
      </Load>
      <ConfirmDialog
        isOpen={doomed !== null}
        onClose={() => setDoomed(null)}
        title={`Delete ${formatCount(amount, 'response')} for good?`}
        action="Delete for good"
        typed={String(amount)}
        isRunning={remove.isRunning || empty.isRunning}
        onConfirm={() => (doomed === 'all' ? empty.run() : remove.run(doomed ?? []))}
      >
        <p>The answers and their files are deleted for everybody. This cannot be taken back.</p>
      </ConfirmDialog>
    </div>
  );
}

/** The page of the trash that the address names. */
function useTrashed(formId: string) {
  const { page = 1 } = useSearch({ from: ROUTE });
  const navigate = useNavigate({ from: '/workspaces/$workspaceId/forms/$formId/responses/trash' });
  const list = useQuery(trashQuery(formId, page));
  const total = list.data?.total ?? 0;
  const lastPage = list.data?.lastPage ?? page;
  const toPage = (next: number) => void navigate({ search: next > 1 ? { page: next } : {}, replace: true });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the last page may have been emptied
  useEffect(() => {
    if (page > lastPage) toPage(lastPage);
  }, [page, lastPage]);
  return { list, page, lastPage, total, toPage };
}

interface ChosenProps {
  count: number;
  refusal: string | null;
  isRestoring: boolean;
  onClear(): void;
  onRestore(): void;
  onDelete(): void;
}

/** What can be done with the selected responses. */
function Chosen({ count, refusal, isRestoring, onClear, onRestore, onDelete }: ChosenProps) {
  return (
    <>
      <p className="font-medium" aria-live="polite">
        {formatNumber(count)} selected
      </p>
      <Button size="sm" look="quiet" onClick={onClear}>
        Clear
      </Button>
      <Button size="sm" disabledReason={refusal} isRunning={isRestoring} onClick={onRestore}>
        Restore
      </Button>
      <Button size="sm" look="danger" disabledReason={refusal} onClick={onDelete}>
        Delete for good
      </Button>
    </>
  );
}
