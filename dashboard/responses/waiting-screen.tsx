import { useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowLeft, ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { type Form, formQuery } from '../api/queries.ts';
import { formatCount, formatNumber } from '../lib/format.ts';
import { useRefusal } from '../lib/workspace.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Load } from '../ui/load.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { EmptyState } from '../ui/states.tsx';
import { useDeleteSetAside, useRelease, useSetAside } from './set-aside.ts';
import { SetAsideLink } from './set-aside-link.tsx';
import { SetAsideList } from './set-aside-list.tsx';
import { useSelection } from './use-selection.ts';
import { WAITING, type WaitingKind } from './waiting-kinds.ts';

interface WaitingScreenProps {
  kind: WaitingKind;
  workspaceId: string;
  formId: string;
}

/** What waits apart from the responses of a form: to put among them, or to delete. */
export function WaitingScreen({ kind, workspaceId, formId }: WaitingScreenProps) {
  const words = WAITING[kind];
  const path = { workspaceId, formId };
  const { data: form } = useSuspenseQuery(formQuery(formId));
  const refusal = useRefusal('user');
  const list = useSetAside(formId, kind);
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
          params={path}
          className="inline-flex items-center gap-1 justify-self-start text-muted hover:text-ink"
        >
          <ArrowLeft aria-hidden="true" className="size-4 rtl:rotate-180" />
          Responses
        </Link>
        <h2 className="font-semibold">{words.title}</h2>
        <p className="max-w-prose text-muted">
          {words.text}
          <SetAsideLink formPath={path} kind={kind === 'spam' ? 'unconfirmed' : 'spam'} />
        </p>
        {total >= words.most && <p className="max-w-prose text-warn">{words.fullText}</p>}
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
                {words.releaseMany}
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
            <EmptyState icon={<ShieldCheck />} title={words.emptyTitle}>
              {words.emptyText[isAsked(form, kind) ? 0 : 1]}
            </EmptyState>
          ) : (
            <>
              <SetAsideList
                form={form}
                rows={rows}
                selection={selection}
                refusal={notNow}
                releaseLabel={words.release}
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

/** Whether the form lets anything wait for this reason. */
function isAsked({ settings }: Form, kind: WaitingKind): boolean {
  return kind === 'spam' ? settings.sets_spam_aside === true : Boolean(settings.confirms_email);
}
