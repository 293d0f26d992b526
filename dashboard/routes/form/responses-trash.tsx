import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { useEffect } from 'react';
import { formQuery } from '../../api/queries.ts';
import { formatCount, formatNumber } from '../../lib/format.ts';
import { useRefusal } from '../../lib/workspace.ts';
import { ApartHead, ChosenActions, DeleteForGood, useChosen } from '../../responses/apart/apart.tsx';
import { useDeleteForGood } from '../../responses/apart/delete-for-good.ts';
import { trashQuery, useEmptyTrash, useRestore } from '../../responses/apart/trash.ts';
import { TrashTable } from '../../responses/apart/trash-table.tsx';
import { Button } from '../../ui/button.tsx';
import { Load } from '../../ui/load.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { EmptyState } from '../../ui/states.tsx';

const ROUTE = '/app/workspaces/$workspaceId/forms/$formId/responses/trash';

/** The trash of a form's responses, to restore or delete them. */
export function FormResponsesTrash() {
  const { workspaceId, formId } = useParams({ from: ROUTE });
  const { data: form } = useSuspenseQuery(formQuery(formId));
  const refusal = useRefusal('user');
  const { list, page, lastPage, total, toPage } = useTrashed(formId);
  const chosen = useChosen<'all'>(list.data?.rows ?? []);
  const { selection, ids, doomed } = chosen;
  const restore = useRestore(formId, { onDone: selection.drop });
  const remove = useDeleteForGood(formId, (gone) => {
    selection.drop(gone);
    chosen.closeQuestion();
  });
  const empty = useEmptyTrash(formId, () => {
    selection.clear();
    chosen.closeQuestion();
  });
  const isBusy = restore.isRunning || remove.isRunning || empty.isRunning;
  const notNow = refusal ?? (isBusy ? 'One moment …' : null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is ticked is seen
  useEffect(() => selection.clear(), [page]);
  return (
    <div>
      <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2">
        <ApartHead formPath={{ workspaceId, formId }} title="Trash">
          <p className="text-muted">
            Restored responses count again. After 30 days in the trash they are deleted for good.
          </p>
        </ApartHead>
        {total > 0 && (
          <Button
            icon={<Trash2 className="size-4" />}
            disabledReason={notNow}
            isRunning={empty.isRunning}
            onClick={() => chosen.askToDelete('all')}
          >
            Empty the trash
          </Button>
        )}
      </div>
      <div className="mb-2 flex min-h-9 flex-wrap items-center gap-x-3 gap-y-2">
        {ids.length > 0 ? (
          <>
            <p className="font-medium" aria-live="polite">
              {formatNumber(ids.length)} selected
            </p>
            <Button size="sm" look="quiet" onClick={selection.clear}>
              Clear
            </Button>
            <ChosenActions
              chosen={chosen}
              refusal={notNow}
              takeBack={{ label: 'Restore', isRunning: restore.isRunning, run: restore.run }}
              deleteLabel="Delete for good"
            />
          </>
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
                onDelete={(id) => chosen.askToDelete([id])}
              />
              <Pagination page={page} lastPage={lastPage} total={total} onChange={toPage} />
            </>
          )
        }
      </Load>
      <DeleteForGood
        chosen={chosen}
        amount={doomed === 'all' ? total : (doomed?.length ?? 0)}
        isTyped
        isRunning={remove.isRunning || empty.isRunning}
        onConfirm={() => (doomed === 'all' ? empty.run() : remove.run(doomed ?? []))}
      />
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
