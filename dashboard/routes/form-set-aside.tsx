import { useSuspenseQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { ArrowLeft, ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { formQuery } from '../api/queries.ts';
import { formatCount, formatNumber } from '../lib/format.ts';
import { useRefusal } from '../lib/workspace.ts';
import { useDeleteSetAside, useRelease, useSetAside } from '../responses/set-aside.ts';
import { SetAsideList } from '../responses/set-aside-list.tsx';
import { useSelection } from '../responses/use-selection.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Load } from '../ui/load.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { EmptyState } from '../ui/states.tsx';

const ROUTE = '/app/workspaces/$workspaceId/forms/$formId/responses/set-aside';
/** As the service has it. */
const MOST = 1_000;

/** Suspected spam of a form: to put among the responses, or to delete. */
export function FormSetAside() {
  const { workspaceId, formId } = useParams({ from: ROUTE });
  const { data: form } = useSuspenseQuery(formQuery(formId));
  const refusal = useRefusal('user');
  const list = useSetAside(formId);
  const selection = useSelection();
  /** What the user is asked to delete; null while the question is closed. */
  const [doomed, setDoomed] = useState<readonly number[] | null>(null);
  const release = useRelease(formId, selection.drop);
  const remove = useDeleteSetAside(formId, (ids) => {
    selection.drop(ids);
    setDoomed(null);
  });
  const rows = list.data?.pages.flatMap((page) => page.rows) ?? [];
  const total = list.data?.pages[0]?.total ?? 0;
  /** Selected ids that still exist here. */
  const chosen = rows.map(({ id }) => id).filter(selection.has);
  const areAllChosen = rows.length > 0 && chosen.length === rows.length;
  const isBusy = release.isRunning || remove.isRunning;
  const notNow = refusal ?? (isBusy ? 'One moment …' : null);
  return (
    <div>
      <div className="mb-4 grid gap-1">
        <Link
          to="/workspaces/$workspaceId/forms/$formId/responses"
          params={{ workspaceId, formId }}
          className="inline-flex items-center gap-1 justify-self-start text-muted hover:text-ink"
        >
          <ArrowLeft aria-hidden="true" className="size-4 rtl:rotate-180" />
          Responses
        </Link>
        <h2 className="font-semibold">Set aside</h2>
        <p className="max-w-prose text-muted">
          These look like spam. They count nowhere, and nobody was told of them. “Not spam” puts a response
          among the others, as if it came now: integrations get it then. What nobody decides about is deleted
          after 30 days.
        </p>
        {total >= MOST && (
          <p className="max-w-prose text-warn">
            There is no room for more: until you delete some, suspected spam comes in among the responses.
          </p>
        )}
      </div>
      {rows.length > 0 && (
        <div className="mb-2 flex min-h-9 flex-wrap items-center gap-x-3 gap-y-2">
          <label className="flex items-center gap-2 ps-4">
            <input
              type="checkbox"
              className="size-4 accent-accent"
              checked={areAllChosen}
              onChange={() => selection.set(rows, !areAllChosen)}
            />
            Select all shown
          </label>
          <p className="text-muted" aria-live="polite">
            {chosen.length > 0 ? `${formatNumber(chosen.length)} selected` : formatCount(total, 'response')}
          </p>
          {chosen.length > 0 && (
            <>
              <Button
                size="sm"
                disabledReason={notNow}
                isRunning={release.isRunning}
                onClick={() => release.run(chosen)}
              >
                None of them is spam
              </Button>
              <Button size="sm" look="danger" disabledReason={notNow} onClick={() => setDoomed(chosen)}>
                Delete them
              </Button>
            </>
          )}
        </div>
      )}
      <Load query={list} skeleton={<Skeleton className="h-40 w-full" />}>
        {() =>
          rows.length === 0 ? (
            <EmptyState icon={<ShieldCheck />} title="Nothing is set aside">
              {form.settings.sets_spam_aside
                ? 'What looks like spam appears here instead of among the responses.'
                : 'This form takes everything in. Its settings, under Access, can change that.'}
            </EmptyState>
          ) : (
            <>
              <SetAsideList
                form={form}
                rows={rows}
                selection={selection}
                refusal={notNow}
                onRelease={(id) => release.run([id])}
                onDelete={(id) => setDoomed([id])}
              />
              {list.hasNextPage && (
                <p className="mt-4 text-center">
                  <Button isRunning={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
                    Show more
                  </Button>
                </p>
              )}
            </>
          )
        }
      </Load>
      <ConfirmDialog
        isOpen={doomed !== null}
        onClose={() => setDoomed(null)}
        title={`Delete ${formatCount(doomed?.length ?? 0, 'response')} for good?`}
        action="Delete for good"
        isRunning={remove.isRunning}
        onConfirm={() => remove.run(doomed ?? [])}
      >
        <p>The answers and their files are deleted for everybody. This cannot be taken back.</p>
      </ConfirmDialog>
    </div>
  );
}
